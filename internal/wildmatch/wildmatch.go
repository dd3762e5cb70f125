package wildmatch

import "strings"

// Flags change how Match reads a pattern.
type Flags uint8

const (
	// PathName keeps "*", "?" and classes from matching a slash; only "**" as a whole component crosses it.
	PathName Flags = 1 << iota
	// CaseFold compares ASCII letters without regard to case, with git's exceptions: an escaped letter and a single letter in a
	// class must be lower case to match.
	CaseFold
)

// LiteralPrefix returns how many bytes pattern starts with before the first that is special.
func LiteralPrefix(pattern string) int {
	if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
		return i
	}
	return len(pattern)
}

// Match reports whether text as a whole matches pattern. A pattern with a malformed class matches nothing.
//
// It needs no recursion: where a star could have taken more, only the last star is tried again, and when that is exhausted the
// last star that crosses slashes. Earlier ones need not be: whatever they could reach, the later one reaches too.
func Match(pattern, text string, flags Flags) bool {
	m := matcher{pattern: pattern, text: text, flags: flags}
	for {
		switch m.step() {
		case advanced:
		case matched:
			return true
		case malformed:
			return false
		case mismatched:
			if !m.retry() {
				return false
			}
		}
	}
}

// matcher is at pattern[p:] and text[t:].
type matcher struct {
	pattern, text string
	flags         Flags
	p, t          int
	near, deep    star // the last star within a component, and the last that crosses slashes
}

// star is a place to go back to: what follows the star in the pattern, and how far in the text it has reached.
type star struct {
	set  bool
	dirs bool // "**/": takes whole components only
	p, t int
}

type outcome int

const (
	advanced outcome = iota
	matched
	mismatched
	malformed
)

// step consumes one element of the pattern.
func (m *matcher) step() outcome {
	if m.p == len(m.pattern) {
		if m.t == len(m.text) {
			return matched
		}
		return mismatched
	}
	if m.pattern[m.p] == '*' {
		return m.star()
	}
	if m.t == len(m.text) {
		return mismatched
	}
	c := m.fold(m.text[m.t])
	ok := false
	switch p := m.pattern[m.p]; p {
	case '?':
		ok = !m.separates(c)
		m.p++
	case '[':
		var next int
		if ok, next = matchClass(m.pattern, m.p+1, c, m.flags); next < 0 {
			return malformed
		}
		ok = ok && !m.separates(c)
		m.p = next
	case '\\':
		ok = m.p+1 < len(m.pattern) && m.pattern[m.p+1] == c
		m.p += 2
	default:
		ok = m.fold(p) == c
		m.p++
	}
	if !ok {
		return mismatched
	}
	m.t++
	return advanced
}

// separates reports whether c is a slash that ordinary wildcards must not match.
func (m *matcher) separates(c byte) bool { return c == '/' && m.flags&PathName != 0 }

func (m *matcher) fold(c byte) byte {
	if m.flags&CaseFold != 0 && 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// star notes a star as a place to go back to, having taken nothing yet.
func (m *matcher) star() outcome {
	start := m.p
	for m.p < len(m.pattern) && m.pattern[m.p] == '*' {
		m.p++
	}
	rest := m.pattern[m.p:]
	crosses := m.flags&PathName == 0
	if !crosses && m.p-start > 1 && (start == 0 || m.pattern[start-1] == '/') {
		crosses = rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)
	}
	if !crosses {
		m.near = star{set: true, p: m.p, t: m.t}
		return advanced
	}
	if rest == "" {
		return matched
	}
	dirs := m.flags&PathName != 0 && rest[0] == '/'
	if dirs {
		m.p++
	}
	m.deep, m.near = star{set: true, dirs: dirs, p: m.p, t: m.t}, star{}
	return advanced
}

// retry lets the last star that can do so take more, and reports whether there was one.
func (m *matcher) retry() bool {
	if m.near.set && m.near.t < len(m.text) && m.text[m.near.t] != '/' {
		m.near.t++
		m.p, m.t = m.near.p, m.near.t
		return true
	}
	m.near.set = false
	if !m.deep.set || m.deep.t == len(m.text) {
		return false
	}
	if !m.deep.dirs {
		m.deep.t++
	} else if slash := strings.IndexByte(m.text[m.deep.t:], '/'); slash >= 0 {
		m.deep.t += slash + 1
	} else {
		return false
	}
	m.p, m.t = m.deep.p, m.deep.t
	return true
}
