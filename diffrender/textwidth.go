package diffrender

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// textWidth returns how many columns s takes on a terminal, or its length if
// it isn't UTF-8.
func textWidth(s string) int {
	if !utf8.ValidString(s) {
		return len(s)
	}
	total := 0
	for _, r := range s {
		total += runeWidth(r)
	}
	return total
}

// firstRune returns the length and the width of the first character of s.
func firstRune(s string) (length, columns int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return 1, 1
	}
	return n, runeWidth(r)
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
