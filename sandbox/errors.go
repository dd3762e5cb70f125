package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
)

var (
	// ErrSymlink says that a symbolic link stands where a directory or file was to be opened.
	ErrSymlink = errors.New("is a symbolic link")

	// ErrNotRegular says that something other than a regular file (a directory, FIFO, socket or
	// device) stands where a file was to be opened.
	ErrNotRegular = errors.New("is not a regular file")

	// ErrNotDir says that something other than a directory stands where one was to be opened. In
	// the middle of a name the error is fs.ErrNotExist as well: nothing can lie below a file.
	ErrNotDir = errors.New("is not a directory")

	// ErrTooManyLinks says that more links than a path may hold were met while resolving it.
	ErrTooManyLinks = errors.New("too many levels of symbolic links")

	// ErrReadOnly refuses a write: the policy or the file system is read-only. It is
	// fs.ErrPermission under errors.Is.
	ErrReadOnly error = readOnlyError{}

	// ErrRelativeCwd refuses a cwd that is not absolute, in the reference's words.
	ErrRelativeCwd = errors.New("cwd must be an absolute path")
)

type readOnlyError struct{}

func (readOnlyError) Error() string        { return "is read-only" }
func (readOnlyError) Is(target error) bool { return target == fs.ErrPermission }

// missingBelowError is ErrNotDir in the middle of a name.
type missingBelowError struct{}

func (missingBelowError) Error() string { return "not a directory" }
func (missingBelowError) Is(target error) bool {
	return target == ErrNotDir || target == fs.ErrNotExist
}

// OutsideError refuses a path that leads out of the workspace and its allowed paths. It is
// fs.ErrPermission under errors.Is.
type OutsideError struct {
	What string // what named the path, for example "core.worktree"; may be empty
	Path string // the path as it was named
}

// Error names the path and what named it. For a cwd it is the reference's sentence.
func (e *OutsideError) Error() string {
	switch e.What {
	case "cwd":
		return "cwd is outside allowed areas"
	case "":
		return fmt.Sprintf("'%s' is outside the workspace", e.Path)
	}
	return fmt.Sprintf("%s '%s' is outside the workspace", e.What, e.Path)
}

// Is makes the error a refusal.
func (e *OutsideError) Is(target error) bool { return target == fs.ErrPermission }

// NameError refuses a name that could not be a path below a directory. It is fs.ErrInvalid under
// errors.Is.
type NameError struct {
	Name string
	Why  string
}

// Error quotes the name, which may hold any byte.
func (e *NameError) Error() string { return fmt.Sprintf("invalid path %q: %s", e.Name, e.Why) }

// Is makes the error fs.ErrInvalid.
func (e *NameError) Is(target error) bool { return target == fs.ErrInvalid }

func pathError(op string, d *Dir, name string, err error) error {
	return &fs.PathError{Op: op, Path: join(d.path, name), Err: err}
}
