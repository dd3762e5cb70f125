package wildmatch

import "strings"

// Path is a pattern for paths as ignore files and attributes write it: without a slash (but at its end) it is for the last
// component at any depth, else for the whole path below the file that holds it.
type Path struct {
	text    string // without "!" and the final slash
	literal int    // bytes before the first special one
	Negated bool   // began with "!"
	DirOnly bool   // ended in a slash
	base    bool   // matches the last component only
	suffix  bool   // "*" and nothing special after it
}

// ParsePath reads one pattern.
func ParsePath(line string) Path {
	var p Path
	line, p.Negated = strings.CutPrefix(line, "!")
	p.suffix = len(line) > 0 && line[0] == '*' && LiteralPrefix(line[1:]) == len(line)-1
	p.text, p.DirOnly = strings.CutSuffix(line, "/")
	p.base = strings.IndexByte(p.text, '/') < 0
	p.literal = LiteralPrefix(p.text)
	return p
}

// String returns the pattern as it was written.
func (p *Path) String() string {
	text := p.text
	if p.Negated {
		text = "!" + text
	}
	if p.DirOnly {
		text += "/"
	}
	return text
}

// Literal returns what the path, or with name set its last component, must be equal to; ok is false for a pattern with wildcards.
func (p *Path) Literal() (text string, name, ok bool) {
	if p.literal < len(p.text) {
		return "", false, false
	}
	return strings.TrimPrefix(p.text, "/"), p.base, true
}

// Match decides for path, whose last component starts at name. The path must lie below the directory of the file that holds the
// pattern; base is the length of that directory's path with its slash. fold ignores the case of ASCII letters.
func (p *Path) Match(base int, path string, name int, isDir, fold bool) bool {
	if p.DirOnly && !isDir {
		return false
	}
	if p.base {
		return p.matchName(path[name:], fold)
	}
	return path != "" && p.matchBelow(path[base:], fold) // "" is the top itself
}

func (p *Path) matchName(name string, fold bool) bool {
	switch {
	case p.literal == len(p.text):
		return len(name) == len(p.text) && equal(p.text, name, fold)
	case p.suffix:
		at := len(name) - len(p.text) + 1
		return at >= 0 && equal(p.text[1:], name[at:], fold)
	case len(name) < p.literal || !equal(p.text[:p.literal], name[:p.literal], fold):
		return false
	}
	return Match(p.text, name, flags(fold, 0))
}

// matchBelow compares what is literal first and matches the rest by itself, as git does: a "**" right after the literal part
// therefore counts as the beginning of a component.
func (p *Path) matchBelow(path string, fold bool) bool {
	text, literal := p.text, p.literal
	if text != "" && text[0] == '/' {
		text, literal = text[1:], literal-1
	}
	if literal > len(path) || !equal(text[:literal], path[:literal], fold) {
		return false
	}
	if literal == len(text) {
		return literal == len(path)
	}
	return Match(text[literal:], path[literal:], flags(fold, PathName))
}

func flags(fold bool, with Flags) Flags {
	if fold {
		with |= CaseFold
	}
	return with
}

// equal compares strings of the same length.
func equal(old, new string, fold bool) bool {
	return old == new || fold && EqualFold(old, new)
}

// EqualFold reports whether two strings are the same but for the case of ASCII letters.
func EqualFold(old, new string) bool {
	if len(old) != len(new) {
		return false
	}
	for i := range len(old) {
		if lower(old[i]) != lower(new[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
