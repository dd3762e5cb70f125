package gitconfig

import (
	"bytes"
	"fmt"
	"strings"
)

// Scope says which layer of configuration an entry comes from, in the order
// in which the layers are read (git-config(1), "SCOPES").
type Scope uint8

// The scopes, weakest first.
const (
	System Scope = iota + 1
	Global
	Local
	Worktree
	Command
)

// Entry is one assignment of a configuration file.
type Entry struct {
	Name       string // the whole normalised name: "remote.Up.url", "remote..url" for an empty subsection
	Section    string // lower case; "" for a key before any section
	Subsection string // as written
	Key        string // lower case
	Value      string // after unquoting; "" when HasValue is false
	HasValue   bool   // false for a key without "=", which means true to a boolean
	Origin     string // the file's name as messages print it
	Line       int    // counts from 1; the line on which the value ends
	Scope      Scope
}

// ParseError is a line that git's parser refuses.
type ParseError struct {
	Line   int
	Origin string
}

// Error is git's sentence, without "fatal: ".
func (e *ParseError) Error() string {
	return fmt.Sprintf("bad config line %d in file %s", e.Line, e.Origin)
}

// Parse reads one file's bytes. origin is the file's name for messages. The
// entries before a bad line are returned with the *ParseError, since git acts
// on them before it meets the line. The syntax is git-config(1), "Syntax".
func Parse(data []byte, origin string) ([]Entry, error) {
	p := parser{data: data, line: 1, origin: origin}
	err := p.parse()
	return p.entries, err
}

type parser struct {
	data    []byte
	pos     int
	line    int
	eof     bool
	origin  string
	name    []byte // the section's name and a dot, then the key
	base    int    // length of the section part of name
	value   []byte
	entries []Entry
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func (p *parser) parse() error {
	if bytes.HasPrefix(p.data, byteOrderMark) {
		p.pos = len(byteOrderMark)
	}
	comment := false
	for {
		c := p.next()
		switch {
		case c == '\n':
			if p.eof {
				return nil
			}
			comment = false
		case comment || isSpace(c):
		case c == '#' || c == ';':
			comment = true
		case c == '[':
			p.name = p.name[:0]
			if !p.section() {
				return p.bad()
			}
			p.name = append(p.name, '.')
			p.base = len(p.name)
		case isAlpha(c):
			p.name = append(p.name[:p.base], lower(c))
			if !p.assignment() {
				return p.bad()
			}
		default:
			return p.bad()
		}
	}
}

func (p *parser) bad() error { return &ParseError{Line: p.line, Origin: p.origin} }

// next returns the next byte, CR LF as LF, and LF once at the end of the file.
func (p *parser) next() byte {
	if p.pos >= len(p.data) {
		p.eof = true
		p.line++
		return '\n'
	}
	c := p.data[p.pos]
	p.pos++
	if c == '\r' && p.pos < len(p.data) && p.data[p.pos] == '\n' {
		p.pos++
		c = '\n'
	}
	if c == '\n' {
		p.line++
	}
	return c
}

// section reads a header after its "[": [name], [name "sub"] or the old
// [name.sub], which is lower case throughout.
func (p *parser) section() bool {
	for {
		c := p.next()
		switch {
		case p.eof:
			return false
		case c == ']':
			return len(p.name) > 0
		case isSpace(c):
			return p.subsection(c)
		case !isKey(c) && c != '.':
			return false
		}
		p.name = append(p.name, lower(c))
	}
}

func (p *parser) subsection(c byte) bool {
	for isSpace(c) {
		if c == '\n' {
			p.line--
			return false
		}
		c = p.next()
	}
	if c != '"' {
		return false
	}
	p.name = append(p.name, '.')
	for {
		c = p.next()
		if c == '"' {
			return p.next() == ']'
		}
		if c == '\\' {
			c = p.next()
		}
		if c == '\n' {
			p.line--
			return false
		}
		p.name = append(p.name, c)
	}
}

// assignment reads the rest of a key and its value.
func (p *parser) assignment() bool {
	c := p.next()
	for ; !p.eof && isKey(c); c = p.next() {
		p.name = append(p.name, lower(c))
	}
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	if c == '\n' {
		p.add("", false)
		return true
	}
	if c != '=' || !p.readValue() {
		return false
	}
	p.add(cutNUL(p.value), true)
	return true
}

func (p *parser) add(value string, has bool) {
	name := cutNUL(p.name)
	e := Entry{Name: name, Value: value, HasValue: has, Origin: p.origin, Line: p.line - 1}
	e.Section, e.Subsection, e.Key = splitName(name)
	p.entries = append(p.entries, e)
}

// readValue fills p.value: unquoted blanks at both ends go, those inside
// become spaces, comments end it, a backslash at the line's end continues it.
func (p *parser) readValue() bool {
	p.value = p.value[:0]
	quoted, comment, spaces := false, false, 0
	for {
		c := p.next()
		switch {
		case c == '\n':
			if quoted {
				p.line--
				return false
			}
			return true
		case comment:
			continue
		case !quoted && isSpace(c):
			if len(p.value) > 0 {
				spaces++
			}
			continue
		case !quoted && (c == ';' || c == '#'):
			comment = true
			continue
		}
		for ; spaces > 0; spaces-- {
			p.value = append(p.value, ' ')
		}
		switch c {
		case '\\':
			if !p.escape() {
				return false
			}
		case '"':
			quoted = !quoted
		default:
			p.value = append(p.value, c)
		}
	}
}

func (p *parser) escape() bool {
	switch c := p.next(); c {
	case '\n':
		// The value goes on in the next line; at the end of the file the next
		// read ends it.
	case 't':
		p.value = append(p.value, '\t')
	case 'b':
		p.value = append(p.value, '\b')
	case 'n':
		p.value = append(p.value, '\n')
	case '\\', '"':
		p.value = append(p.value, c)
	default:
		return false
	}
	return true
}

// splitName cuts a normalised name at its first and last dot.
func splitName(name string) (section, subsection, key string) {
	last := strings.LastIndexByte(name, '.')
	if last < 0 {
		return "", "", name
	}
	key = name[last+1:]
	section, subsection, _ = strings.Cut(name[:last], ".")
	return section, subsection, key
}

// cutNUL ends a text at its first NUL byte, where git's C strings end.
func cutNUL(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isKey(c byte) bool   { return isAlpha(c) || c >= '0' && c <= '9' || c == '-' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
