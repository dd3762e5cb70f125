package diffrender

import (
	"regexp"
)

// Tristate is the answer of a driver to whether a file is binary.
type Tristate uint8

// The answers; Auto leaves it to the content.
const (
	Auto Tristate = iota
	Yes
	No
)

// Driver is a set of rules for a kind of file. Its expressions are compiled
// when they are first needed, so that one that isn't valid does no harm before;
// a Driver serves one goroutine at a time.
type Driver struct {
	Name   string
	Binary Tristate

	own      language // what git itself has under this name
	source   driverSource
	function *Function
	word     *regexp.Regexp
}

// Function returns what tells function lines; nil stands for the default rule.
// The error is git's sentence about an expression of the configuration.
func (d *Driver) Function() (*Function, error) {
	if d == nil || d.function != nil {
		return d.compiled(), nil
	}
	var err error
	if d.source.function != "" {
		d.function, err = ParseFunction(d.source.function, !d.source.basic)
	} else {
		d.function = d.own.function()
	}
	return d.function, err
}

func (d *Driver) compiled() *Function {
	if d == nil {
		return nil
	}
	return d.function
}

// Word returns what a word is, or nil. The error is git's sentence about an
// expression of the configuration.
func (d *Driver) Word() (*regexp.Regexp, error) {
	if d == nil {
		return nil, nil
	}
	var err error
	if d.word == nil && d.source.word != "" {
		d.word, err = ParseWord(d.source.word)
	} else if d.word == nil {
		d.word = d.own.word()
	}
	return d.word, err
}

// maxFunction is the length to which a function line is cut.
const maxFunction = 80

// Function recognises the lines that begin a function.
type Function struct{ rules []functionRule }

// functionRule is one expression of the list; the first that matches decides.
type functionRule struct {
	pattern *regexp.Regexp
	negated bool
}

// Begins reports whether a line begins a function; its newline may be there or
// not. A nil f is the default rule.
func (f *Function) Begins(line []byte) bool {
	_, ok := f.find(line)
	return ok
}

// find returns the part of line that is shown after a hunk's line numbers, and
// false if the line begins no function. A nil f is the default rule.
func (f *Function) find(line []byte) ([]byte, bool) {
	if f == nil {
		return defaultFunction(line)
	}
	line = trimLineEnd(line)
	for _, rule := range f.rules {
		at := rule.pattern.FindSubmatchIndex(line)
		if at == nil {
			continue
		}
		if rule.negated {
			return nil, false
		}
		if len(at) > 2 && at[2] >= 0 {
			at = at[2:]
		}
		return cutFunction(line[at[0]:at[1]]), true
	}
	return nil, false
}

// defaultFunction takes a line that starts with a letter, '_' or '$'.
func defaultFunction(line []byte) ([]byte, bool) {
	if len(line) == 0 {
		return nil, false
	}
	if c := line[0]; c|0x20 < 'a' || c|0x20 > 'z' {
		if c != '_' && c != '$' {
			return nil, false
		}
	}
	return cutFunction(line), true
}

// cutFunction shortens the text of a function line.
func cutFunction(text []byte) []byte {
	text = text[:min(len(text), maxFunction)]
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// trimLineEnd cuts "\n" or "\r\n" off.
func trimLineEnd(line []byte) []byte {
	n := len(line)
	if n == 0 || line[n-1] != '\n' {
		return line
	}
	if n > 1 && line[n-2] == '\r' {
		return line[:n-2]
	}
	return line[:n-1]
}

// isSpace tells whether c is white space to git.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
