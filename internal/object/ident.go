package object

import (
	"bytes"
	"math"
)

// Ident is a person and a moment. A missing part is empty.
type Ident struct {
	Name, Email []byte
	// Date and Zone are digits as they stand ("1700000000", "+0100"); both
	// nil when either is missing or malformed.
	Date, Zone []byte
}

// When is the moment in seconds since 1970: 0 without a date, the largest
// int64 for one beyond its range.
func (i Ident) When() int64 {
	var n int64
	for _, c := range i.Date {
		d := int64(c - '0')
		if n > (math.MaxInt64-d)/10 {
			return math.MaxInt64
		}
		n = n*10 + d
	}
	return n
}

// SplitIdent takes an ident line apart as git does (split_ident_line): the
// mail stands between the first '<' and the first '>' after it, the date
// follows the last '>'. ok is false when there is no mail.
func SplitIdent(line []byte) (ident Ident, ok bool) {
	open := bytes.IndexByte(line, '<')
	if nul := bytes.IndexByte(line, 0); open < 0 || nul >= 0 && nul < open {
		return Ident{}, false
	}
	shut := bytes.IndexByte(line[open:], '>')
	if shut < 0 {
		return Ident{}, false
	}
	ident.Name = trimRight(line[:open])
	ident.Email = line[open+1 : open+shut]
	ident.Date, ident.Zone = splitMoment(line[bytes.LastIndexByte(line, '>')+1:])
	return ident, true
}

// splitMoment reads "date zone"; both or neither.
func splitMoment(s []byte) (date, zone []byte) {
	s = trimLeft(s)
	n := digits(s)
	date, s = s[:n], trimLeft(s[n:])
	if n == 0 || len(s) == 0 || s[0] != '+' && s[0] != '-' {
		return nil, nil
	}
	if n = digits(s[1:]); n == 0 {
		return nil, nil
	}
	return date, s[:1+n]
}

func digits(s []byte) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// isSpace is git's own isspace: not vertical tab, not form feed.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func trimLeft(s []byte) []byte {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	return s
}

func trimRight(s []byte) []byte {
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// parseTimestamp reads a number as strtoumax does: white space of C's kind,
// a sign, digits; saturated at 2^64-1, negated modulo 2^64.
func parseTimestamp(s []byte) int64 {
	for len(s) > 0 && (isSpace(s[0]) || s[0] == '\v' || s[0] == '\f') {
		s = s[1:]
	}
	negative := false
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		negative, s = s[0] == '-', s[1:]
	}
	var n uint64
	for _, c := range s[:digits(s)] {
		d := uint64(c - '0')
		if n > (math.MaxUint64-d)/10 {
			return -1 // 2^64-1, whatever the sign
		}
		n = n*10 + d
	}
	if negative {
		n = -n
	}
	return int64(n)
}
