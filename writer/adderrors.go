package writer

import (
	"fmt"
	"strings"
)

// AddError is a reason for which git add stops before it has changed anything.
type AddError struct{ text string }

// Error is git's text.
func (e *AddError) Error() string { return e.text }

func addError(format string, args ...any) error { return &AddError{fmt.Sprintf(format, args...)} }

// NoCommitError says that a repository inside the work tree has no commit that could be added.
type NoCommitError struct{ Path string }

// Error is git's text.
func (e *NoCommitError) Error() string {
	return fmt.Sprintf("'%s' does not have a commit checked out\nfatal: adding files failed", e.Path)
}

// GitLevel makes the first line an error, as git prints it.
func (e *NoCommitError) GitLevel() string { return "error" }

// IgnoredError says that ignored paths were named. All others have been added.
type IgnoredError struct{ Paths []string }

// Error is git's text.
func (e *IgnoredError) Error() string {
	return "The following paths are ignored by one of your .gitignore files:\n" + strings.Join(e.Paths, "\n")
}

// GitLevel says that the text stands as it is.
func (e *IgnoredError) GitLevel() string { return "" }

// SparseError says that paths outside the sparse checkout were named. All others have been added.
type SparseError struct{ Paths []string }

// Error is git's text.
func (e *SparseError) Error() string {
	return "The following paths and/or pathspecs matched paths that exist\n" +
		"outside of your sparse-checkout definition, so will not be\n" +
		"updated in the index:\n" + strings.Join(e.Paths, "\n")
}

// GitLevel says that the text stands as it is.
func (e *SparseError) GitLevel() string { return "" }
