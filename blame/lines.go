package blame

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

// RangeError is a range of lines that makes no sense for a file.
type RangeError struct {
	Range string // as it was given
	text  string
}

// Error is git's sentence where git has one, without "fatal: ".
func (e *RangeError) Error() string { return e.text }

// countLines counts the lines of a text; the last one may lack its newline.
func countLines(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// parseRanges returns the lines that ranges select, sorted and without
// overlaps; all lines without ranges.
func parseRanges(ranges []string, lines int, path string) ([]entry, error) {
	if len(ranges) == 0 && lines > 0 {
		return []entry{{count: lines}}, nil
	}
	type span struct{ from, to int }
	var spans []span
	anchor := 1
	for _, text := range ranges {
		from, to, err := parseRange(text, min(max(anchor, 1), lines+1))
		if err != nil {
			return nil, err
		}
		if lines == 0 && (from > 0 || to > 0) || lines < from {
			return nil, &RangeError{text, "file " + path + " has only " + plural(lines)}
		}
		if to < 1 || to > lines {
			to = lines
		}
		spans = append(spans, span{max(from, 1) - 1, to})
		anchor = to + 1
	}
	slices.SortStableFunc(spans, func(x, y span) int { return x.from - y.from })
	var found []entry
	for _, s := range spans {
		if n := len(found); n > 0 && s.from <= found[n-1].source+found[n-1].count {
			last := &found[n-1]
			last.count = max(last.count, s.to-last.source)
		} else if s.from < s.to {
			found = append(found, entry{final: s.from, source: s.from, count: s.to - s.from})
		}
	}
	return found, nil
}

func plural(lines int) string {
	if lines == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", lines)
}

// parseRange reads "FROM,TO", both of which may be missing; 0 then. Anchor is
// the line after the range before.
func parseRange(text string, anchor int) (from, to int, err error) {
	fail := func() (int, int, error) {
		return 0, 0, &RangeError{text, fmt.Sprintf("'%s' is no range of lines: FROM,TO or FROM,+COUNT is one", text)}
	}
	n, rest, ok := number(text)
	if ok {
		if n <= 0 {
			return 0, 0, invalidLine(text, n)
		}
		from = n
	}
	if rest == "" {
		return from, 0, nil
	}
	if rest[0] != ',' {
		return fail()
	}
	to, rest, err = parseEnd(text, rest[1:], from+1)
	if err != nil {
		return 0, 0, err
	}
	if rest != "" {
		return fail()
	}
	if from > 0 && to > 0 && to < from {
		from, to = to, from
	}
	return from, to, nil
}

// parseEnd reads what follows the comma: a line, or a number of lines from the
// beginning, which is the line before next.
func parseEnd(text, s string, next int) (to int, rest string, err error) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		n, rest, ok := digits(s[1:])
		switch {
		case !ok:
			return 0, s, nil
		case n == 0:
			return 0, "", &RangeError{text, "-L invalid empty range"}
		case s[0] == '+':
			return min(next-2, math.MaxInt32) + n, rest, nil
		}
		return max(next-n, 1), rest, nil
	}
	n, rest, ok := number(s)
	if ok && n <= 0 {
		return 0, "", invalidLine(text, n)
	}
	return n, rest, nil
}

func invalidLine(text string, n int) error {
	return &RangeError{text, fmt.Sprintf("-L invalid line number: %d", n)}
}

// number reads white space, a sign and digits, as C's strtol does.
func number(s string) (n int, rest string, ok bool) {
	trimmed := strings.TrimLeft(s, " \t\n\v\f\r")
	negative := strings.HasPrefix(trimmed, "-")
	if negative || strings.HasPrefix(trimmed, "+") {
		trimmed = trimmed[1:]
	}
	n, rest, ok = digits(trimmed)
	if !ok {
		return 0, s, false
	}
	if negative {
		n = -n
	}
	return n, rest, true
}

// digits reads a number, which ends at a high one.
func digits(s string) (n int, rest string, ok bool) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = min(n*10+int(s[i]-'0'), math.MaxInt32)
	}
	return n, s[i:], i > 0
}
