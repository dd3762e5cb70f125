// Package needle searches texts for a short one, quickly: it looks for that one
// of its bytes which is the rarest in ordinary text and source code.
package needle

import (
	"bytes"
	"strings"
)

// Needle is a text to search for. It may be used from many goroutines.
type Needle struct {
	text []byte
	fold bool // letters of ASCII match in either case; text has small ones
	rare int  // which byte of the text to look for first
	fast bool // it is rare enough, so that nothing is quicker
}

// New returns the needle for a text. With fold letters of ASCII match in either
// case.
func New(text string, fold bool) *Needle {
	n := &Needle{text: []byte(text)}
	n.fold = fold && strings.ToUpper(text) != strings.ToLower(text)
	for i, c := range n.text {
		if n.fold {
			c = lower(c)
			n.text[i] = c
		}
		if commonness(c) < commonness(n.text[n.rare]) {
			n.rare = i
		}
	}
	n.fast = len(text) > 0 && commonness(n.text[n.rare]) < common
	return n
}

// Len returns the length of the text.
func (n *Needle) Len() int { return len(n.text) }

// String returns the text, folded in small letters.
func (n *Needle) String() string { return string(n.text) }

// rarestFirst are the bytes that are not rare, as they are found in source code
// and English.
const (
	rarestFirst = "zqjxkvwyb/\"=g.*-;,()_mhfpuldcaonirst\t\ne "
	common      = 19 // from here on in rarestFirst
)

// commonness orders bytes by how often they are in ordinary text.
func commonness(c byte) int { return strings.IndexByte(rarestFirst, c) }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Count returns how many times the needle is in a text, none overlapping.
func (n *Needle) Count(text []byte) int {
	if len(n.text) == 0 {
		return 0
	}
	count := 0
	for {
		at := n.Index(text)
		if at < 0 {
			return count
		}
		count++
		text = text[at+len(n.text):]
	}
}

// Index returns the place of the needle in a text, or -1.
func (n *Needle) Index(text []byte) int {
	switch {
	case n.fold:
		return n.indexFold(text)
	case !n.fast:
		return bytes.Index(text, n.text)
	}
	for from, last := 0, len(text)-len(n.text); from <= last; from++ {
		at := bytes.IndexByte(text[from+n.rare:last+n.rare+1], n.text[n.rare])
		if at < 0 {
			return -1
		}
		if from += at; bytes.Equal(text[from:from+len(n.text)], n.text) {
			return from
		}
	}
	return -1
}

func (n *Needle) indexFold(text []byte) int {
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
func (n *Needle) at(text []byte) bool {
	for i, c := range n.text {
		if lower(text[i]) != c {
			return false
		}
	}
	return true
}
