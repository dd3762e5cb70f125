package gitconfig

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ValueError is a value that its key cannot take. Its text is git's.
type ValueError struct {
	text string
	line bool // git names the line as well
}

// Error is git's sentence, without "fatal: " or "error: ".
func (e *ValueError) Error() string { return e.text }

// GitLevel is the word that git prints before the sentence.
func (e *ValueError) GitLevel() string {
	if e.line {
		return "error"
	}
	return "fatal"
}

// atLine is a value that ends the reading of its file.
func (e Entry) atLine(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	return &ValueError{text: fmt.Sprintf("%s\nfatal: bad config line %d in file %s", text, e.Line, e.Origin), line: true}
}

// Bool returns the entry as a boolean: a key without "=" is true.
func (e Entry) Bool() (bool, error) {
	v, err := ParseBool(e.Value, e.HasValue)
	if err != nil {
		return false, &ValueError{text: fmt.Sprintf("bad boolean config value '%s' for '%s'", e.Value, e.Name)}
	}
	return v, nil
}

// Int returns the entry as a number, with git's suffixes.
func (e Entry) Int() (int64, error) {
	n, err := ParseInt(e.Value)
	if err != nil || !e.HasValue {
		reason := "invalid unit"
		if errors.Is(err, strconv.ErrRange) {
			reason = "out of range"
		}
		return 0, &ValueError{text: fmt.Sprintf("bad numeric config value '%s' for '%s': %s", e.Value, e.Name, reason)}
	}
	return n, nil
}

// ParseBool reads git's spellings of a boolean: true, yes, on, false, no, off
// in any case, the empty text (false), and numbers (git-config(1), "Values").
func ParseBool(value string, hasValue bool) (bool, error) {
	if !hasValue {
		return true, nil
	}
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true, nil
	case "", "false", "no", "off":
		return false, nil
	}
	n, err := ParseInt(value)
	if err != nil || n > math.MaxInt32 || n < math.MinInt32 {
		return false, &ValueError{text: fmt.Sprintf("bad boolean config value '%s'", value)}
	}
	return n != 0, nil
}

// ParseInt reads a number with an optional suffix k, m or g (times 1024 each),
// in decimal, octal (0…) or hexadecimal (0x…). It fails with strconv.ErrRange
// for a number that does not fit and strconv.ErrSyntax for anything else.
func ParseInt(value string) (int64, error) {
	text := strings.TrimLeft(value, " \t\n\v\f\r")
	shift := 0
	if text != "" {
		switch text[len(text)-1] {
		case 'k', 'K':
			shift = 10
		case 'm', 'M':
			shift = 20
		case 'g', 'G':
			shift = 30
		}
	}
	digits := text
	if shift > 0 {
		digits = text[:len(text)-1]
	}
	if strings.ContainsAny(digits, "_oObB") && !strings.HasPrefix(strings.TrimLeft(strings.ToLower(digits), "+-"), "0x") {
		return 0, strconv.ErrSyntax
	}
	if strings.Contains(digits, "_") {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseInt(digits, 0, 64)
	if err != nil {
		if errors.Is(err, strconv.ErrRange) {
			return 0, strconv.ErrRange
		}
		return 0, strconv.ErrSyntax
	}
	if n > math.MaxInt64>>shift || n < -math.MaxInt64>>shift {
		return 0, strconv.ErrRange
	}
	return n << shift, nil
}
