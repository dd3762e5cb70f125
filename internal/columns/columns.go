// Package columns tells how many columns of a terminal a text takes, as git
// counts them.
package columns

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Of returns how many columns s takes, or its length if it isn't UTF-8.
// Control characters take none.
func Of(s string) int {
	if !utf8.ValidString(s) {
		return len(s)
	}
	total := 0
	for _, r := range s {
		total += max(0, Rune(r))
	}
	return total
}

// First returns the length and the columns of the first character of s.
func First(s string) (length, columns int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return 1, 1
	}
	return n, max(0, Rune(r))
}

// Rune returns the columns that a character takes: 0, 1 or 2, and -1 for a
// control character.
func Rune(r rune) int {
	switch {
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return -1
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
