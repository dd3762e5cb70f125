// Package linerange reads the ranges of lines that git log and git blame take
// with -L: FROM,TO with numbers, counts and regular expressions, and :FUNCTION
// (git-blame(1), "SPECIFYING RANGES").
package linerange

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/posixre"
)

// Span is a run of lines, from From on and before To; lines count from 0.
type Span struct{ From, To int }

// Error is a range that makes no sense for a file, with git's sentence where git
// has one.
type Error struct {
	Range string // as it was given
	Text  string // the sentence, without "fatal: "
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Text }

// MalformedError is what cannot be read as a range at all.
type MalformedError struct{ Range string }

// Error names the range.
func (e *MalformedError) Error() string { return "malformed -L argument '" + e.Range + "'" }

// File is what ranges are looked up in.
type File struct {
	Content []byte
	// Function tells the lines that begin a function, their newline included.
	// Nil stands for git's default rule.
	Function func(line []byte) bool

	starts []int // of the lines, and the end of the last one
}

// index finds where lines begin.
func (f *File) index() {
	if f.starts != nil {
		return
	}
	f.starts = []int{0}
	for at := 0; at < len(f.Content); {
		n := bytes.IndexByte(f.Content[at:], '\n') + 1
		if n == 0 {
			n = len(f.Content) - at
		}
		at += n
		f.starts = append(f.starts, at)
	}
}

// Lines counts the lines of the file; the last one may lack its newline.
func (f *File) Lines() int {
	f.index()
	return len(f.starts) - 1
}

// Parse returns the first and the last line that a range selects, which count
// from 1; 0 is none. Expressions look from the line anchor on. Within brings the
// lines into the file. The error is an *Error or a *MalformedError.
func (f *File) Parse(text string, anchor int) (from, to int, err error) {
	lines := f.Lines()
	if anchor = max(anchor, 1); anchor > lines {
		anchor = lines + 1
	}
	p := parser{file: f, text: text, rest: text}
	if strings.HasPrefix(text, ":") || strings.HasPrefix(text, "^:") {
		from, to, err = p.function(anchor)
	} else {
		from, to, err = p.bounds(anchor)
	}
	if err == nil && p.rest != "" {
		err = &MalformedError{text}
	}
	return from, to, err
}

// Within returns the span of the lines that Parse found, as far as the file has
// them. It reports false when the first lies behind the file's end.
func (f *File) Within(from, to int) (Span, bool) {
	lines := f.Lines()
	if lines == 0 && (from > 0 || to > 0) || lines < from {
		return Span{}, false
	}
	if to < 1 || to > lines {
		to = lines
	}
	return Span{max(from, 1) - 1, to}, true
}

// Merge sorts spans and joins those that touch each other; empty ones go.
func Merge(spans []Span) []Span {
	slices.SortStableFunc(spans, func(x, y Span) int { return x.From - y.From })
	var found []Span
	for _, s := range spans {
		switch n := len(found); {
		case s.From == s.To:
		case n > 0 && s.From <= found[n-1].To:
			found[n-1].To = max(found[n-1].To, s.To)
		default:
			found = append(found, s)
		}
	}
	return found
}

// Cut parts RANGE:NAME at the colon. It reports false without one, or without a
// name behind it.
func Cut(text string) (rng, name string, ok bool) {
	p := parser{text: text, rest: text}
	if strings.HasPrefix(text, ":") || strings.HasPrefix(text, "^:") {
		if _, ok := p.pattern(); !ok {
			return "", "", false
		}
	} else {
		p.skipBound(true)
		if strings.HasPrefix(p.rest, ",") {
			p.rest = p.rest[1:]
			p.skipBound(false)
		}
	}
	if len(p.rest) < 2 || p.rest[0] != ':' {
		return "", "", false
	}
	return text[:len(text)-len(p.rest)], p.rest[1:], true
}

// parser reads one range.
type parser struct {
	file       *File
	text, rest string
}

func (p *parser) fail(format string, args ...any) error {
	return &Error{p.text, fmt.Sprintf(format, args...)}
}

// bounds reads "FROM,TO", both of which may be missing: 0 then.
func (p *parser) bounds(anchor int) (from, to int, err error) {
	if from, err = p.bound(anchor, true); err != nil {
		return 0, 0, err
	}
	if strings.HasPrefix(p.rest, ",") {
		p.rest = p.rest[1:]
		if to, err = p.bound(from+1, false); err != nil {
			return 0, 0, err
		}
	}
	if from > 0 && to > 0 && to < from {
		from, to = to, from
	}
	return from, to, nil
}

// bound reads one bound. The first may be absolute or an expression; the second
// a count of lines, too. Next is where expressions look from; for the second it
// is the line behind the first.
func (p *parser) bound(next int, first bool) (int, error) {
	if !first && p.rest != "" && (p.rest[0] == '+' || p.rest[0] == '-') {
		return p.count(next)
	}
	if n, rest, ok := number(p.rest); ok {
		p.rest = rest
		if n <= 0 {
			return 0, p.fail("-L invalid line number: %d", n)
		}
		return n, nil
	}
	if first && strings.HasPrefix(p.rest, "^") {
		next, p.rest = 1, p.rest[1:]
	}
	pattern, ok := p.expression()
	if !ok {
		return 0, nil
	}
	return p.search(pattern, next)
}

// count reads a number of lines: from the first bound on, or up to it.
func (p *parser) count(next int) (int, error) {
	sign := p.rest[0]
	n, rest, ok := digits(p.rest[1:])
	if !ok {
		return 0, nil
	}
	p.rest = rest
	switch {
	case n == 0:
		return 0, p.fail("-L invalid empty range")
	case sign == '+':
		return min(next-2, math.MaxInt32) + n, nil
	}
	return max(next-n, 1), nil
}

// expression reads "/…/"; a backslash takes the meaning from the next slash.
func (p *parser) expression() (string, bool) {
	if !strings.HasPrefix(p.rest, "/") {
		return "", false
	}
	for i := 1; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '\\':
			i++
		case '/':
			pattern := p.rest[1:i]
			p.rest = p.rest[i+1:]
			return pattern, true
		}
	}
	return "", false
}

// skipBound reads a bound for nothing but its end.
func (p *parser) skipBound(first bool) {
	if _, rest, ok := number(p.rest); ok {
		p.rest = rest
		return
	}
	if first && strings.HasPrefix(p.rest, "^") {
		p.rest = p.rest[1:]
	}
	p.expression()
}

// search finds the line, from 1, in which a basic regular expression first
// matches at the line next or behind it.
func (p *parser) search(pattern string, next int) (int, error) {
	fail := func(why string) (int, error) {
		return 0, p.fail("-L parameter '%s' starting at line %d: %s", pattern, next, why)
	}
	re, err := posixre.Compile(pattern, posixre.Options{Lines: true})
	if err != nil {
		return fail(err.Error())
	}
	if next-1 > p.file.Lines() {
		return fail("No match")
	}
	start := p.file.starts[next-1]
	at := re.FindIndex(untilNul(p.file.Content[start:]))
	if at == nil {
		return fail("No match")
	}
	return p.file.lineAt(start+at[0], next-1) + 1, nil
}

// lineAt returns the line, not before first, that has the position.
func (f *File) lineAt(at, first int) int {
	for first < f.Lines() && f.starts[first+1] <= at {
		first++
	}
	return first
}

// untilNul returns what C takes for the text.
func untilNul(data []byte) []byte {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return data[:i]
	}
	return data
}

// pattern reads what stands between ":" and the next one that has no backslash
// before it.
func (p *parser) pattern() (string, bool) {
	p.rest = strings.TrimPrefix(p.rest, "^")[1:]
	i := 0
	for ; i < len(p.rest) && p.rest[i] != ':'; i++ {
		if p.rest[i] == '\\' && i+1 < len(p.rest) {
			i++
		}
	}
	pattern := p.rest[:i]
	p.rest = p.rest[i:]
	return pattern, i > 0
}

// function reads ":NAME": the lines from the first function line that the
// expression matches to the one before the next function line.
func (p *parser) function(anchor int) (from, to int, err error) {
	if strings.HasPrefix(p.text, "^") {
		anchor = 1
	}
	pattern, ok := p.pattern()
	if !ok {
		return 0, 0, &MalformedError{p.text}
	}
	re, err := posixre.Compile(pattern, posixre.Options{Lines: true})
	if err != nil {
		return 0, 0, p.fail("-L parameter '%s': %s", pattern, err)
	}
	re.Longest()
	f := p.file
	first := anchor - 1
	for line := f.starts[first]; ; {
		at := re.FindIndex(untilNul(f.Content[line:]))
		if at == nil || line == len(f.Content) {
			return 0, 0, p.fail("-L parameter '%s' starting at line %d: no match", pattern, anchor)
		}
		first = f.lineAt(line+at[0], first)
		end := f.lineEnd(line + at[1])
		if first < f.Lines() && f.begins(f.Content[f.starts[first]:end]) {
			break
		}
		line = end
	}
	last := first + 1
	for last < f.Lines() && !f.begins(f.Content[f.starts[last]:f.starts[last+1]]) {
		last++
	}
	return first + 1, last, nil
}

// lineEnd returns where the line that has the position ends, its newline
// included.
func (f *File) lineEnd(at int) int {
	if i := bytes.IndexByte(f.Content[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(f.Content)
}

func (f *File) begins(line []byte) bool {
	if f.Function != nil {
		return f.Function(line)
	}
	if len(line) == 0 {
		return false
	}
	c := line[0]
	return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z'
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
