// Package posixre compiles POSIX regular expressions, basic and extended with
// GNU's additions, to Go's engine, which takes linear time whatever the
// pattern.
//
// What Go's engine cannot do is an error: back references, and repetitions
// above 1,000. Who asks where a match is, and not only whether there is one,
// calls Longest on the result, since POSIX wants the longest of the leftmost.
package posixre

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Options say how a pattern is read. The zero value is a basic expression.
type Options struct {
	Extended   bool // extended syntax (regex(7))
	IgnoreCase bool
	Lines      bool // "^" and "$" match at line ends, "." matches no newline
	Groups     bool // keep groups: the caller asks where they match

	// NoLineStart says that the text begins inside a line, so that "^" doesn't
	// match there (regexec's REG_NOTBOL).
	NoLineStart bool
}

// SyntaxError is a pattern that cannot be compiled. Its text is the sentence
// of the C library's regcomp where that has one.
type SyntaxError struct{ Pattern, Why string }

// Error names the reason.
func (e *SyntaxError) Error() string { return e.Why }

// Compile translates and compiles a pattern; the error is a *SyntaxError.
func Compile(pattern string, opts Options) (*regexp.Regexp, error) {
	t := translator{in: pattern, Options: opts}
	t.out.WriteString("(?s")
	if opts.IgnoreCase {
		t.out.WriteByte('i')
	}
	if opts.Lines {
		t.out.WriteByte('m')
	}
	t.out.WriteByte(')')
	if opts.Lines {
		// Go's flags tie "." and the line ends together the other way.
		s := t.out.String()
		t.out.Reset()
		t.out.WriteString(strings.Replace(s, "s", "", 1))
	}
	if err := t.translate(); err != nil {
		return nil, &SyntaxError{Pattern: pattern, Why: err.Error()}
	}
	re, err := regexp.Compile(t.out.String())
	if err != nil {
		return nil, &SyntaxError{Pattern: pattern, Why: fmt.Sprintf("pattern '%s' is not supported: %v", pattern, err)}
	}
	return re, nil
}

type translator struct {
	Options
	in  string
	pos int
	out strings.Builder

	groups   []int // where each open group begins in out
	atom     bool  // something stands before the position that a repetition can repeat
	start    int   // where that begins in out
	repeated bool  // and it is repeated already
}

func (t *translator) translate() error {
	for t.pos < len(t.in) {
		c := t.in[t.pos]
		t.pos++
		var err error
		switch {
		case c == '\\':
			err = t.escape()
		case c == '[':
			err = t.bracket()
		case c == '.':
			t.emit(".")
		case c == '*':
			err = t.repeat("*")
		case c == '^' || c == '$':
			t.anchor(c)
		case t.Extended && strings.IndexByte("()|+?{", c) >= 0:
			err = t.operator(c)
		default:
			t.literal(c)
		}
		if err != nil {
			return err
		}
	}
	if len(t.groups) > 0 {
		return fmt.Errorf("Unmatched ( or \\(")
	}
	return nil
}

// emit writes an atom.
func (t *translator) emit(s string) {
	t.start, t.atom, t.repeated = t.out.Len(), true, false
	t.out.WriteString(s)
}

func (t *translator) literal(c byte) {
	// A byte of a longer character goes as it is; repetitions then apply to
	// the character, as the library does in a UTF-8 locale.
	if c >= 0x80 {
		start := t.start
		t.emit(string([]byte{c}))
		if !utf8.RuneStart(c) {
			t.start = start
		}
		return
	}
	t.emit(regexp.QuoteMeta(string(rune(c))))
}

func (t *translator) anchor(c byte) {
	if !t.Extended {
		rest := t.in[t.pos:]
		before := t.in[:t.pos-1]
		if c == '^' && before != "" && !strings.HasSuffix(before, `\(`) && !strings.HasSuffix(before, `\|`) ||
			c == '$' && rest != "" && !strings.HasPrefix(rest, `\)`) && !strings.HasPrefix(rest, `\|`) {
			t.literal(c)
			return
		}
	}
	if c == '^' && t.NoLineStart {
		t.out.WriteString(`[^\x00-\x{10FFFF}]`) // nothing
		t.atom = false
		return
	}
	t.out.WriteByte(c)
	if c == '$' && !t.Lines {
		s := strings.TrimSuffix(t.out.String(), "$")
		t.out.Reset()
		t.out.WriteString(s + `\z`)
	}
	t.atom = false
}

// operator handles an operator of either syntax, given without backslash.
func (t *translator) operator(c byte) error {
	switch c {
	case '(':
		t.groups = append(t.groups, t.out.Len())
		t.out.WriteString("(?:"[:t.groupLength()])
		t.atom = false
	case ')':
		if len(t.groups) == 0 {
			if !t.Extended {
				return fmt.Errorf("Unmatched ) or \\)")
			}
			t.literal(')')
			return nil
		}
		t.emit(")")
		last := len(t.groups) - 1
		t.start, t.groups = t.groups[last], t.groups[:last]
	case '|':
		t.out.WriteByte('|')
		t.atom = false
	case '{':
		return t.interval()
	default:
		return t.repeat(string(rune(c)))
	}
	return nil
}

// groupLength is the length of what begins a group: "(" or "(?:".
func (t *translator) groupLength() int {
	if t.Groups {
		return 1
	}
	return 3
}

func (t *translator) escape() error {
	if t.pos == len(t.in) {
		return fmt.Errorf("Trailing backslash")
	}
	c := t.in[t.pos]
	t.pos++
	switch {
	case !t.Extended && strings.IndexByte("(){|+?", c) >= 0:
		return t.operator(c)
	case c >= '1' && c <= '9':
		return fmt.Errorf("back reference \\%c is not supported", c)
	case c == 's':
		t.emit("[[:space:]]")
	case c == 'S':
		t.emit("[^[:space:]]")
	case strings.IndexByte("wWbB", c) >= 0:
		t.emit(`\` + string(rune(c)))
		t.atom = c != 'b' && c != 'B'
	case c == '<' || c == '>':
		t.out.WriteString(`\b`)
		t.atom = false
	case c == '`':
		t.out.WriteString(`\A`)
		t.atom = false
	case c == '\'':
		t.out.WriteString(`\z`)
		t.atom = false
	default:
		t.literal(c)
	}
	return nil
}

// bracket reads a bracket expression; a backslash in it is itself.
func (t *translator) bracket() error {
	start := t.out.Len()
	t.out.WriteByte('[')
	if t.pos < len(t.in) && t.in[t.pos] == '^' {
		t.out.WriteByte('^')
		t.pos++
		if t.Lines {
			t.out.WriteString(`\n`)
		}
	}
	if t.pos == len(t.in) {
		return fmt.Errorf("Invalid regular expression")
	}
	for first := true; t.pos < len(t.in); first = false {
		c := t.in[t.pos]
		switch {
		case c == ']' && !first:
			t.pos++
			t.emit("]")
			t.start = start
			return nil
		case c == '[' && t.pos+1 < len(t.in) && strings.IndexByte(":=.", t.in[t.pos+1]) >= 0:
			if err := t.class(t.in[t.pos+1]); err != nil {
				return err
			}
			continue
		case c == '-':
			t.dash(first)
		case strings.IndexByte(`\]^[&~`, c) >= 0:
			t.out.WriteString(`\` + string(rune(c)))
		default:
			t.out.WriteByte(c)
		}
		t.pos++
	}
	return fmt.Errorf("Unmatched [, [^, [:, [., or [=")
}

// dash is a range, or itself at either end.
func (t *translator) dash(first bool) {
	if first || strings.HasPrefix(t.in[t.pos+1:], "]") {
		t.out.WriteString(`\-`)
		return
	}
	t.out.WriteByte('-')
}

// class reads [:name:], [=c=] or [.c.].
func (t *translator) class(kind byte) error {
	text, _, ok := strings.Cut(t.in[t.pos+2:], string(rune(kind))+"]")
	if !ok {
		return fmt.Errorf("Unmatched [, [^, [:, [., or [=")
	}
	t.pos += len(text) + 4
	if kind != ':' {
		if len(text) != 1 {
			return fmt.Errorf("Invalid collation character")
		}
		t.out.WriteString(regexp.QuoteMeta(text))
		return nil
	}
	switch text {
	case "alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct", "print", "graph", "cntrl", "xdigit":
		t.out.WriteString("[:" + text + ":]")
		return nil
	}
	return fmt.Errorf("Invalid character class name")
}
