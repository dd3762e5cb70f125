package blame

import (
	"fmt"
	"io/fs"
)

// PathError is a file that is not there. It is fs.ErrNotExist.
type PathError struct {
	Path string
	Rev  string // "" for the work tree

	gone bool // known, but not in the work tree
}

// Error is git's sentence, without "fatal: ".
func (e *PathError) Error() string {
	if e.gone {
		return fmt.Sprintf("Cannot lstat '%s': No such file or directory", e.Path)
	}
	if e.Rev == "" {
		return fmt.Sprintf("no such path '%s' in HEAD", e.Path)
	}
	return fmt.Sprintf("no such path %s in %s", e.Path, e.Rev)
}

// Is makes the error fs.ErrNotExist.
func (e *PathError) Is(target error) bool { return target == fs.ErrNotExist }

// sentence is one of git's.
type sentence string

// Error returns the sentence.
func (e sentence) Error() string { return string(e) }
