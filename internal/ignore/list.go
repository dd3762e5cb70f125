package ignore

import (
	"bytes"
	"strings"

	"github.com/ingit-dev/ingit/internal/wildmatch"
)

// MaxFileSize is the size in bytes from which on an ignore file is not read at all, as git has it since 2.47.
const MaxFileSize = 100 << 20

// Pattern is one line of an ignore file.
type Pattern struct {
	Source  string // the file's name as check-ignore prints it
	Line    int    // counts from 1
	Negated bool   // "!": what matches is not ignored
	path    wildmatch.Path
}

// Text returns the pattern as check-ignore prints it: the line without trailing spaces.
func (p *Pattern) Text() string { return p.path.String() }

// List is the patterns of one source, in the file's order. The nil List is empty.
type List struct {
	patterns []Pattern
	base     int // length of the governed directory's path with its slash
	literals literals
}

// Parse reads an ignore file. source is the name to report; dir is the directory that it governs, relative to the top ("" is the
// top). It never fails: every line is a pattern, a comment or blank.
func Parse(data []byte, source, dir string) *List {
	l := &List{}
	if dir != "" {
		l.base = len(dir) + 1
	}
	if len(data) >= MaxFileSize {
		return l
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for number := 1; len(data) > 0; number++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		text, _, _ := strings.Cut(string(bytes.TrimSuffix(line, []byte{'\r'})), "\x00")
		path := wildmatch.ParsePath(trimSpaces(text))
		l.patterns = append(l.patterns, Pattern{Source: source, Line: number, Negated: path.Negated, path: path})
	}
	l.literals.build(l.patterns)
	return l
}

// trimSpaces removes the trailing spaces that no backslash protects.
func trimSpaces(line string) string {
	end := 0 // after the last byte that counts
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

// last returns the last pattern that matches path, whose final component starts at name; nil when none does.
func (l *List) last(path string, name int, isDir, fold bool) *Pattern {
	if l == nil {
		return nil
	}
	if l.literals.names != nil && !fold {
		return l.lookUp(path, name, isDir)
	}
	for i := len(l.patterns) - 1; i >= 0; i-- {
		if p := &l.patterns[i]; p.path.Match(l.base, path, name, isDir, fold) {
			return p
		}
	}
	return nil
}

// Len returns the number of patterns.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return len(l.patterns)
}
