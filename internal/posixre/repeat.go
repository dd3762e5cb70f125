package posixre

import (
	"errors"
	"strconv"
	"strings"
)

// The sentences of the C library about repetitions.
var (
	errNothingToRepeat = errors.New("Invalid preceding regular expression")
	errUnmatchedBrace  = errors.New("Unmatched \\{")
	errBraceContent    = errors.New("Invalid content of \\{\\}")
	errTooBig          = errors.New("Regular expression too big")
)

// maxRepeat is the C library's RE_DUP_MAX.
const maxRepeat = 32767

// repeat applies a repetition. Where there is nothing to repeat, a basic
// expression takes all but an interval as themselves. It also repeats nothing
// twice by a star or an interval.
func (t *translator) repeat(op string) error {
	strict := op == "*" || op[0] == '{'
	switch {
	case !t.atom && (t.Extended || op[0] == '{'), t.atom && t.repeated && !t.Extended && strict:
		return errNothingToRepeat
	case !t.atom:
		t.literal(op[0])
		return nil
	case t.repeated: // Go wants a group
		s := t.out.String()
		t.out.Reset()
		t.out.WriteString(s[:t.start] + "(?:" + s[t.start:] + ")")
	}
	t.out.WriteString(op)
	t.repeated = true
	return nil
}

// interval reads what follows "{": "m}", "m,}", ",n}" or "m,n}".
func (t *translator) interval() error {
	if !t.atom || t.repeated && !t.Extended {
		return errNothingToRepeat
	}
	low, end := t.bound()
	if low == noBound {
		if end != ',' {
			return errBraceContent
		}
		low = 0
	}
	high := low
	if end == ',' && low != badBound {
		high, end = t.bound()
	}
	switch {
	case low == badBound || high == badBound:
		if end == 0 {
			return errUnmatchedBrace
		}
		return errBraceContent
	case high != noBound && low > high, end != '}':
		return errBraceContent
	case max(low, high) > maxRepeat:
		return errTooBig
	}
	op := "{" + strconv.Itoa(low)
	switch high {
	case low:
	case noBound:
		op += ","
	default:
		op += "," + strconv.Itoa(high)
	}
	return t.repeat(op + "}")
}

// What bound finds instead of a number: nothing, and something else.
const (
	noBound  = -1
	badBound = -2
)

// bound reads one bound of an interval and what ends it: ',', '}', or 0 where
// the pattern ends, which makes the bound a bad one.
func (t *translator) bound() (n int, end byte) {
	n = noBound
	for t.pos < len(t.in) {
		c := t.in[t.pos]
		t.pos++
		switch {
		case c == ',', c == '}' && t.Extended:
			return n, c
		case c == '\\' && !t.Extended && strings.HasPrefix(t.in[t.pos:], "}"):
			t.pos++
			return n, '}'
		case c < '0' || c > '9' || n == badBound:
			n = badBound
		default:
			n = min(maxRepeat+1, max(n, 0)*10+int(c-'0'))
		}
	}
	return badBound, 0
}
