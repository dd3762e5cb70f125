// Package wildmatch matches paths against git's shell patterns (gitignore(5), gitglossary(7) "pathspec").
package wildmatch

// Flags change how Match reads a pattern.
type Flags uint8

const (
	// PathName keeps "*", "?" and classes from matching a slash; only "**" as a whole component crosses it.
	PathName Flags = 1 << iota
	// CaseFold compares ASCII letters without regard to case.
	CaseFold
)

// Match reports whether text as a whole matches pattern.
func Match(pattern, text string, flags Flags) bool { return false }
