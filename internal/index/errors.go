package index

import "fmt"

// CorruptError says what is wrong with an index file. Its text is git's where git has one.
type CorruptError struct {
	Why   string
	level string // "" for fatal
}

// Error returns the reason.
func (e *CorruptError) Error() string { return e.Why }

// GitLevel is the word that git prints before the sentence.
func (e *CorruptError) GitLevel() string {
	if e.level == "" {
		return "fatal"
	}
	return e.level
}

func corrupt(format string, args ...any) error {
	return &CorruptError{Why: fmt.Sprintf(format, args...)}
}

// corruptError is corrupt for what git calls an error and not fatal.
func corruptError(format string, args ...any) error {
	return &CorruptError{Why: fmt.Sprintf(format, args...), level: "error"}
}

// InvalidPathError is an entry whose name leads out of the work tree or into the repository itself.
// Git reads such an index; we refuse it, since nothing good can come of opening those paths.
type InvalidPathError struct{ Name string }

// Error returns git's text for a path that may not be added.
func (e *InvalidPathError) Error() string { return fmt.Sprintf("invalid path '%s'", e.Name) }

// SharedIndexError is a split index whose shared index is missing or not the expected one.
type SharedIndexError struct {
	Want string // the id in the index's link extension
	Why  string
	Err  error
}

// Error names the shared index.
func (e *SharedIndexError) Error() string { return fmt.Sprintf("sharedindex.%s: %s", e.Want, e.Why) }

// Unwrap returns the cause.
func (e *SharedIndexError) Unwrap() error { return e.Err }
