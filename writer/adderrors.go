package writer

import (
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/internal/index"
)

// AddError is a reason for which git add stops before it has changed anything.
type AddError struct{ text string }

// Error is git's text.
func (e *AddError) Error() string { return e.text }

func addError(format string, args ...any) error { return &AddError{fmt.Sprintf(format, args...)} }

// addingFailed ends the text of an error of one path, which passedOver is without.
const addingFailed = "\nfatal: adding files failed"

// PassedOverError says what could not be added under add.ignoreErrors. All else has been.
type PassedOverError struct{ Texts []string }

// Error is git's text.
func (e *PassedOverError) Error() string { return strings.Join(e.Texts, "\nerror: ") }

// GitLevel makes each an error, as git prints it.
func (e *PassedOverError) GitLevel() string { return "error" }

// NoCommitError says that a repository inside the work tree has no commit that could be added.
type NoCommitError struct{ Path string }

// Error is git's text.
func (e *NoCommitError) Error() string {
	return e.passedOver() + addingFailed
}

func (e *NoCommitError) passedOver() string {
	return fmt.Sprintf("'%s' does not have a commit checked out", e.Path)
}

// GitLevel makes the first line an error, as git prints it.
func (e *NoCommitError) GitLevel() string { return "error" }

// AddPathError says that a path may not be in the index.
type AddPathError struct{ Path string }

// Error is git's text.
func (e *AddPathError) Error() string {
	return e.passedOver() + addingFailed
}

func (e *AddPathError) passedOver() string {
	return fmt.Sprintf("invalid path '%s'\nerror: unable to add '%s' to index", e.Path, e.Path)
}

// GitLevel makes the first line an error, as git prints it.
func (e *AddPathError) GitLevel() string { return "error" }

// Unwrap returns the index's error.
func (e *AddPathError) Unwrap() error { return &index.InvalidPathError{Name: e.Path} }

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
