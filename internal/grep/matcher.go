package grep

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/ingit-dev/ingit/internal/needle"
	"github.com/ingit-dev/ingit/internal/posixre"
)

// Options say what is looked for. The zero value has no pattern and no hit.
type Options struct {
	Patterns   []string // any of them; each line of a pattern is one of its own
	Fixed      bool     // the patterns are plain texts
	Extended   bool     // they are extended regular expressions instead of basic ones
	IgnoreCase bool
	Word       bool // a match must begin and end at the border of a word
	Column     bool // say where the first match of a line begins

	Before, After int // how many lines of context

	FunctionNames bool // show the line that begins a hit's function, too
	Functions     bool // show the whole function of a hit
	MaxCount      int  // how many hits of a text; 0: all
}

// PatternError is a pattern that cannot be compiled.
type PatternError struct {
	Pattern string
	Err     error // a *posixre.SyntaxError
}

// Error is git's sentence.
func (e *PatternError) Error() string { return fmt.Sprintf("command line, '%s': %v", e.Pattern, e.Err) }

// Unwrap returns the reason.
func (e *PatternError) Unwrap() error { return e.Err }

// Matcher holds compiled patterns. It may be used from many goroutines.
type Matcher struct {
	opts     Options
	patterns []pattern
}

// New compiles the patterns; the error is a *PatternError.
func New(opts Options) (*Matcher, error) {
	m := &Matcher{opts: opts}
	for _, lines := range opts.Patterns {
		for text := range strings.SplitSeq(lines, "\n") {
			p, err := newPattern(text, opts)
			if err != nil {
				return nil, &PatternError{text, err}
			}
			m.patterns = append(m.patterns, p)
		}
	}
	return m, nil
}

// pattern is one alternative: a plain text or an expression.
type pattern struct {
	plain *needle.Needle
	re    *regexp.Regexp // nil for a plain text
	inner *regexp.Regexp // re for a text that begins inside a line
	need  *needle.Needle // of re; nil when nothing is known
}

func newPattern(text string, opts Options) (p pattern, err error) {
	if opts.Fixed || !strings.ContainsAny(text, `$()*+.?[\^{|`) {
		return pattern{plain: needle.New(text, opts.IgnoreCase)}, nil
	}
	syntax := posixre.Options{Extended: opts.Extended, IgnoreCase: opts.IgnoreCase, Lines: true}
	if p.re, err = posixre.Compile(text, syntax); err != nil {
		return p, err
	}
	p.need = needOf(p.re)
	if !opts.Word {
		return p, nil
	}
	syntax.NoLineStart = true
	if p.inner, err = posixre.Compile(text, syntax); err != nil {
		return p, err
	}
	p.re.Longest() // the end of a match counts
	p.inner.Longest()
	return p, nil
}

// candidate returns a place at or before the first match in a text that begins
// with a line, on the same line as it, or -1.
func (p *pattern) candidate(text []byte) int {
	switch {
	case p.plain != nil:
		return p.plain.Index(text)
	case p.need != nil:
		return p.need.Index(text)
	}
	if at := p.re.FindIndex(text); at != nil {
		return at[0]
	}
	return -1
}

// locate finds the first match in what of a line begins at from.
func (p *pattern) locate(line []byte, from int) (start, end int) {
	if p.plain != nil {
		if at := p.plain.Index(line[from:]); at >= 0 {
			return from + at, from + at + p.plain.Len()
		}
		return -1, -1
	}
	re := p.re
	if from > 0 {
		re = p.inner
	}
	if at := re.FindIndex(line[from:]); at != nil {
		return from + at[0], from + at[1]
	}
	return -1, -1
}

// find returns where a line matches, or -1.
func (p *pattern) find(ctx context.Context, line []byte, word bool) int {
	start, end := p.locate(line, 0)
	if !word {
		return start
	}
	for start >= 0 && ctx.Err() == nil {
		before := start == 0 || !isWord(line[start-1])
		if before && start < end && (end == len(line) || !isWord(line[end])) {
			return start
		}
		// Git tries again after the next character that belongs to no word.
		from := start + 1
		for from < len(line) && isWord(line[from-1]) {
			from++
		}
		if from >= len(line) {
			return -1
		}
		start, end = p.locate(line, from)
	}
	return -1
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
