package wildmatch

import "strings"

// matchClass decides whether c (lower case already under CaseFold) is in the class whose text starts at pattern[p], after "[".
// next is the position after "]", negative when the class is malformed.
func matchClass(pattern string, p int, c byte, flags Flags) (ok bool, next int) {
	negated := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if negated {
		p++
	}
	found := false
	previous := byte(0) // the start of a range, if "-" follows; 0 after a range or a name
	for first := true; ; first = false {
		if p >= len(pattern) {
			return false, -1
		}
		e := pattern[p]
		switch {
		case e == ']' && !first:
			return found != negated, p + 1
		case e == '\\':
			if p++; p >= len(pattern) {
				return false, -1
			}
			e = pattern[p]
			found = found || c == e
			previous = e
		case e == '-' && previous != 0 && p+1 < len(pattern) && pattern[p+1] != ']':
			if p++; pattern[p] == '\\' {
				p++
			}
			if p >= len(pattern) {
				return false, -1
			}
			found = found || inRange(c, previous, pattern[p], flags)
			previous = 0
		case e == '[' && p+1 < len(pattern) && pattern[p+1] == ':':
			name, end := className(pattern, p+2)
			if end < 0 {
				return false, -1
			}
			if name == "" {
				found = found || c == '['
				previous = '['
				break
			}
			in, known := named(name[:len(name)-1], c, flags)
			if !known {
				return false, -1
			}
			found = found || in
			previous = 0
			p = end
		default:
			found = found || c == e
			previous = e
		}
		p++
	}
}

func inRange(c, from, to byte, flags Flags) bool {
	if from <= c && c <= to {
		return true
	}
	if flags&CaseFold == 0 || c < 'a' || c > 'z' {
		return false
	}
	upper := c - 'a' + 'A'
	return from <= upper && upper <= to
}

// className returns what stands in pattern from p up to the next "]", which is at end. It is empty when it does not end in ":",
// which means that "[:" was no more than two members; end is negative when there is no "]".
func className(pattern string, p int) (name string, end int) {
	length := strings.IndexByte(pattern[p:], ']')
	if length < 0 {
		return "", -1
	}
	if name = pattern[p : p+length]; !strings.HasSuffix(name, ":") {
		return "", p
	}
	return name, p + length
}

// named decides the POSIX classes, for ASCII only.
func named(name string, c byte, flags Flags) (in, known bool) {
	lower, upper, digit := 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9'
	graphic := '!' <= c && c <= '~'
	switch name {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graphic, true
	case "lower":
		return lower, true
	case "print":
		return graphic || c == ' ', true
	case "punct":
		return graphic && !lower && !upper && !digit, true
	case "space":
		return c == ' ' || c == '\t' || c == '\n' || c == '\r', true
	case "upper":
		return upper || flags&CaseFold != 0 && lower, true
	case "xdigit":
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F', true
	}
	return false, false
}
