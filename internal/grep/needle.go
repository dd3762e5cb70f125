package grep

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"strings"
)

// needle is a text to search for.
type needle struct {
	text []byte
	fold bool // letters of ASCII match in either case; text has small ones
	rare int  // which byte of a folded text to look for first
}

func newNeedle(text string, fold bool) *needle {
	n := &needle{text: []byte(text)}
	if fold && strings.ToUpper(text) != strings.ToLower(text) {
		n.fold = true
		for i, c := range n.text {
			n.text[i] = lower(c)
			if commonness(n.text[i]) < commonness(n.text[n.rare]) {
				n.rare = i
			}
		}
	}
	return n
}

// commonness orders bytes by how often they are in ordinary text.
func commonness(c byte) int {
	const rarestFirst = "zqxjkvbywgpfmucdlhrsnioate \t\n"
	return strings.IndexByte(rarestFirst, c)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// index returns the place of the needle in a text, or -1.
func (n *needle) index(text []byte) int {
	if !n.fold {
		return bytes.Index(text, n.text)
	}
	small := n.text[n.rare]
	big := bytes.ToUpper(n.text[n.rare : n.rare+1])[0]
	last := len(text) - len(n.text)
	nextSmall, nextBig := -1, -1
	for at := 0; at <= last; at++ {
		nextSmall = next(text, small, at+n.rare, nextSmall)
		nextBig = next(text, big, at+n.rare, nextBig) // the same for what is no letter
		if at = min(nextSmall, nextBig) - n.rare; at > last {
			break
		}
		if n.at(text[at:]) {
			return at
		}
	}
	return -1
}

// next returns the place of c at or after from, the length of text when there
// is none. known is the answer for an earlier from.
func next(text []byte, c byte, from, known int) int {
	if known >= from {
		return known
	}
	if at := bytes.IndexByte(text[from:], c); at >= 0 {
		return from + at
	}
	return len(text)
}

// at says whether a text begins with the needle.
func (n *needle) at(text []byte) bool {
	for i, c := range n.text {
		if lower(text[i]) != c {
			return false
		}
	}
	return true
}

// needOf finds the longest text that every match of an expression holds; nil
// when there is none worth a search, or when the expression looks at the ends
// of the whole text.
func needOf(re *regexp.Regexp) *needle {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil || looksAtEnds(tree) {
		return nil
	}
	text, fold := required(tree)
	if len(text) < 2 {
		return nil
	}
	return newNeedle(text, fold)
}

func looksAtEnds(tree *syntax.Regexp) bool {
	if tree.Op == syntax.OpBeginText || tree.Op == syntax.OpEndText {
		return true
	}
	for _, sub := range tree.Sub {
		if looksAtEnds(sub) {
			return true
		}
	}
	return false
}

// required returns a text that every match of a part of an expression holds.
func required(tree *syntax.Regexp) (text string, fold bool) {
	switch tree.Op {
	case syntax.OpLiteral:
		fold = tree.Flags&syntax.FoldCase != 0
		for _, c := range tree.Rune {
			// What folds beyond ASCII is left to the expression.
			if c >= 0x80 || fold && strings.ContainsRune("kKsS", c) {
				return "", fold
			}
		}
		return string(tree.Rune), fold
	case syntax.OpCapture, syntax.OpPlus:
		return required(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return required(tree.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range tree.Sub {
			if t, f := required(sub); len(t) > len(text) {
				text, fold = t, f
			}
		}
	}
	return text, fold
}
