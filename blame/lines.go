package blame

import (
	"errors"
	"fmt"

	"github.com/ingit-dev/ingit/internal/linerange"
)

// RangeError is a range of lines that makes no sense for a file.
type RangeError struct {
	Range string // as it was given
	text  string
}

// Error is git's sentence where git has one, without "fatal: ".
func (e *RangeError) Error() string { return e.text }

// selected returns the lines of the file that the ranges select, sorted and
// without overlaps; all lines without ranges.
func selected(content []byte, ranges []string, path string, function func(string) (func([]byte) bool, error)) ([]entry, error) {
	file := linerange.File{Content: content}
	if len(ranges) == 0 {
		if n := file.Lines(); n > 0 {
			return []entry{{count: n}}, nil
		}
		return nil, nil
	}
	var err error
	if function != nil {
		if file.Function, err = function(path); err != nil {
			return nil, err
		}
	}
	var spans []linerange.Span
	anchor := 1
	for _, text := range ranges {
		from, to, err := file.Parse(text, anchor)
		if err != nil {
			return nil, rangeError(text, err)
		}
		span, ok := file.Within(from, to)
		if !ok {
			return nil, &RangeError{text, "file " + path + " has only " + plural(file.Lines())}
		}
		spans = append(spans, span)
		anchor = span.To + 1
	}
	var found []entry
	for _, s := range linerange.Merge(spans) {
		found = append(found, entry{final: s.From, source: s.From, count: s.To - s.From})
	}
	return found, nil
}

func rangeError(text string, err error) error {
	var malformed *linerange.MalformedError
	if errors.As(err, &malformed) {
		return &RangeError{text, fmt.Sprintf("'%s' is no range of lines: FROM,TO or FROM,+COUNT is one, /EXPRESSION/ may stand for a line, :FUNCTION for all", text)}
	}
	return &RangeError{text, err.Error()}
}

func plural(lines int) string {
	if lines == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", lines)
}
