package attributes

import (
	"bytes"
	"strings"

	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/internal/wildmatch"
)

const (
	// MaxLine is the length in bytes from which on a line is ignored, as git has it since 2.38.1.
	MaxLine = 2048
	// MaxFileSize is the size in bytes from which on a file is ignored.
	MaxFileSize = 100 << 20

	blanks      = " \t\r\n"
	macroPrefix = "[attr]"
)

// attribute is a name met so far, numbered by first appearance.
type attribute struct {
	name   string
	number int
}

// assignment gives an attribute a value. An Unspecified one ("!attr") decides too.
type assignment struct {
	attr  *attribute
	value Value
}

// rule is a line: for paths, or a macro's definition.
type rule struct {
	path    wildmatch.Path
	macro   *attribute // nil for paths
	assigns []assignment
}

// parse reads a file. Lines that git warns of and skips are skipped. Names are entered into the stack's table.
func (s *Stack) parse(data []byte, macros bool) []rule {
	if len(data) >= MaxFileSize {
		return nil
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var rules []rule
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		if r, ok := s.parseLine(line, macros); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func (s *Stack) parseLine(raw []byte, macros bool) (r rule, ok bool) {
	raw = bytes.TrimSuffix(raw, []byte{'\r'})
	if nul := bytes.IndexByte(raw, 0); nul >= 0 {
		raw = raw[:nul]
	}
	if len(raw) >= MaxLine {
		return r, false
	}
	line := strings.TrimLeft(string(raw), blanks)
	if line == "" || line[0] == '#' {
		return r, false
	}
	name, states, quoted := quote.Unquote(line)
	if !quoted {
		name, states = cutBlank(line)
	}
	name, _, _ = strings.Cut(name, "\x00")
	if len(name) > len(macroPrefix) && strings.HasPrefix(name, macroPrefix) {
		name, _ = cutBlank(strings.TrimLeft(name[len(macroPrefix):], blanks))
		if !macros || !ValidName(name) || !validAssigns(states) {
			return r, false
		}
		r.macro = s.attribute(name)
	} else if r.path = wildmatch.ParsePath(name); r.path.Negated || !validAssigns(states) {
		return r, false
	}
	r.assigns = s.parseAssigns(states)
	return r, true
}

// cutBlank returns the text up to the first blank, and the rest.
func cutBlank(text string) (word, rest string) {
	if i := strings.IndexAny(text, blanks); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// splitAssign takes a word apart: "attr", "-attr", "!attr", "attr=text".
func splitAssign(word string) (name string, value Value) {
	name, text, valued := strings.Cut(word, "=")
	switch {
	case strings.HasPrefix(name, "-"):
		return name[1:], Value{State: Unset}
	case strings.HasPrefix(name, "!"):
		return name[1:], Value{}
	case valued:
		return name, Value{Valued, text}
	}
	return name, Value{State: Set}
}

// validAssigns looks at a line's names before any is entered into the table: one bad name spoils the line.
func validAssigns(states string) bool {
	for word := range strings.FieldsFuncSeq(states, isBlank) {
		if name, _ := splitAssign(word); !ValidName(name) {
			return false
		}
	}
	return true
}

func (s *Stack) parseAssigns(states string) []assignment {
	var assigns []assignment
	for word := range strings.FieldsFuncSeq(states, isBlank) {
		name, value := splitAssign(word)
		assigns = append(assigns, assignment{s.attribute(name), value})
	}
	return assigns
}

func isBlank(r rune) bool { return r < 0x80 && strings.IndexByte(blanks, byte(r)) >= 0 }

// ValidName reports whether name is of letters, digits, "-", "_" and ".", and does not begin with "-".
func ValidName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' && i > 0 || c == '_' || c == '.') {
			return false
		}
	}
	return name != ""
}
