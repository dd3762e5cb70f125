package grep

import (
	"bytes"
	"context"
)

// Line is a line of a text that is worth showing.
type Line struct {
	Number int    // from 1
	Column int    // with Options.Column: where the first match begins, from 1; 0 in context
	Hit    bool   // it matches; else it is context
	Text   []byte // without the newline; part of the text that was searched

	Function bool // no hit, but the line that begins the function of one
}

// Any says whether a line matches.
func (m *Matcher) Any(ctx context.Context, text []byte) bool {
	s := m.scan(ctx, text)
	return s.next()
}

// Count counts the hits, up to MaxCount.
func (m *Matcher) Count(ctx context.Context, text []byte) int {
	n := 0
	for s := m.scan(ctx, text); (m.opts.MaxCount == 0 || n < m.opts.MaxCount) && s.next(); {
		n++
	}
	return n
}

// Lines returns the hits with their context, in order, each line once. When
// the context ends the search, lines are missing and ctx.Err says so. begins
// tells the lines that begin a function, for the options that ask for them.
func (m *Matcher) Lines(ctx context.Context, text []byte, begins func(line []byte) bool) []Line {
	if m.opts.FunctionNames || m.opts.Functions {
		return m.functionLines(ctx, text, begins)
	}
	var c collector
	c.text, c.number = text, 1
	n := 0
	for s := m.scan(ctx, text); (m.opts.MaxCount == 0 || n < m.opts.MaxCount) && s.next(); n++ {
		c.take(m.opts.After*min(n, 1), s.begin)
		c.skip(m.opts.Before, s.begin, s.number)
		c.take(m.opts.Before, s.begin)
		c.lines = append(c.lines, Line{Number: s.number, Column: s.column, Hit: true, Text: text[s.begin:s.end]})
		c.pos, c.number = s.pos, s.number+1
		s.shown = s.number + m.opts.After
	}
	c.take(m.opts.After*min(n, 1), len(text))
	return c.lines
}

// collector gathers the lines to show.
type collector struct {
	text   []byte
	lines  []Line
	pos    int // where the first line begins that was not looked at
	number int // the number of that line
}

// take adds up to n lines of context that lie before end.
func (c *collector) take(n, end int) {
	for ; n > 0 && c.pos < end; n-- {
		stop := lineEnd(c.text, c.pos)
		c.lines = append(c.lines, Line{Number: c.number, Text: c.text[c.pos:stop]})
		c.pos, c.number = stop+1, c.number+1
	}
}

// skip leaves out lines, so that at most n are left before the line that
// begins at begin.
func (c *collector) skip(n, begin, number int) {
	if number-c.number <= n {
		return
	}
	c.pos, c.number = begin, number
	for ; n > 0; n-- {
		c.pos = bytes.LastIndexByte(c.text[:c.pos-1], '\n') + 1
		c.number--
	}
}

func lineEnd(text []byte, from int) int {
	if at := bytes.IndexByte(text[from:], '\n'); at >= 0 {
		return from + at
	}
	return len(text)
}

// scanner goes from hit to hit.
type scanner struct {
	*Matcher
	ctx   context.Context
	text  []byte
	ahead []int // for each pattern its next candidate

	pos        int // where the line after the last one begins
	lines      int // how many lines lie before pos
	begin, end int // of the hit
	number     int
	column     int
	shown      int // the last line that is context of the hit
}

func (m *Matcher) scan(ctx context.Context, text []byte) scanner {
	s := scanner{Matcher: m, ctx: ctx, text: text, ahead: make([]int, len(m.patterns))}
	for i := range s.ahead {
		s.ahead[i] = -1
	}
	return s
}

// next goes to the next hit; it reports false when there is none, or when the
// context ended.
func (s *scanner) next() bool {
	for s.pos < len(s.text) && s.ctx.Err() == nil {
		at := s.candidate()
		if at > len(s.text) || at == len(s.text) && s.text[at-1] == '\n' && !s.jumpsBehind() {
			return false
		}
		s.begin = s.pos + bytes.LastIndexByte(s.text[s.pos:at], '\n') + 1
		s.end = lineEnd(s.text, s.begin)
		s.lines += bytes.Count(s.text[s.pos:s.begin], []byte{'\n'}) + 1
		s.pos = s.end + 1
		if column, ok := s.match(s.text[s.begin:s.end], at-s.begin); ok {
			s.number = s.lines
			s.column = column + 1
			return true
		}
	}
	return false
}

// jumpsBehind says whether git takes what follows the last newline for one more
// line, in which only an expression like "^$" has a hit: its search gets there
// from any line but those that it shows after a hit.
func (s *scanner) jumpsBehind() bool {
	return s.shown < s.lines+bytes.Count(s.text[s.pos:], []byte{'\n'})
}

// candidate returns the first place at which a pattern may match, beyond the
// text when there is none.
func (s *scanner) candidate() int {
	first := len(s.text) + 1
	for i := range s.patterns {
		if s.ahead[i] < s.pos {
			s.ahead[i] = len(s.text) + 1
			if at := s.patterns[i].candidate(s.text[s.pos:]); at >= 0 {
				s.ahead[i] = s.pos + at
			}
		}
		first = min(first, s.ahead[i])
	}
	return first
}

// match says whether the line with a candidate matches, and where first.
func (s *scanner) match(line []byte, candidate int) (column int, ok bool) {
	if len(s.patterns) == 1 && s.patterns[0].plain != nil && !s.opts.Word {
		return candidate, true
	}
	column = -1
	for i := range s.patterns {
		at := s.patterns[i].find(s.ctx, line, s.opts.Word)
		if at < 0 {
			continue
		}
		if !s.opts.Column {
			return at, true
		}
		if column < 0 || at < column {
			column = at
		}
	}
	return column, column >= 0
}
