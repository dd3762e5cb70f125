package grep

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/ingit-dev/ingit/internal/needle"
)

// needOf finds the longest text that every match of an expression holds; nil
// when there is none worth a search, or when the expression looks at the ends
// of the whole text.
func needOf(re *regexp.Regexp) *needle.Needle {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil || looksAtEnds(tree) {
		return nil
	}
	text, fold := required(tree)
	if len(text) < 2 {
		return nil
	}
	return needle.New(text, fold)
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
