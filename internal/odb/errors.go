package odb

import (
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"
)

// NotFoundError says that an object is in no store. It is fs.ErrNotExist and
// plumbing.ErrObjectNotFound under errors.Is.
type NotFoundError struct {
	ID plumbing.Hash
	// Promised is set in a partial clone: the object is not here because it
	// was never fetched.
	Promised bool
	// Refused is why a store that might have the object was not opened, or
	// nil. It is wrapped.
	Refused error
	// Damaged is why a pack that might have the object is unusable, or nil.
	Damaged error
}

// Error names the object, or the store that was not opened.
func (e *NotFoundError) Error() string {
	switch {
	case e.Refused != nil:
		return e.Refused.Error()
	case e.Promised:
		return fmt.Sprintf("object %s is missing (this is a partial clone; nothing is fetched)", e.ID)
	case e.Damaged != nil:
		return fmt.Sprintf("object %s not found (%v)", e.ID, e.Damaged)
	}
	return fmt.Sprintf("object %s not found", e.ID)
}

// Is makes the error fs.ErrNotExist and plumbing.ErrObjectNotFound.
func (e *NotFoundError) Is(target error) bool {
	return target == fs.ErrNotExist || target == plumbing.ErrObjectNotFound
}

// Unwrap returns Refused.
func (e *NotFoundError) Unwrap() error { return e.Refused }

// CorruptError says that an object's data is damaged. The sentence is git's.
type CorruptError struct {
	ID    plumbing.Hash
	Where string // path of the pack or the loose file
	Loose bool
	Why   error // wrapped
}

// Error names the object and the file.
func (e *CorruptError) Error() string {
	kind := "packed"
	if e.Loose {
		kind = "loose"
	}
	return fmt.Sprintf("%s object %s (stored in %s) is corrupt", kind, e.ID, e.Where)
}

// Unwrap returns what is wrong with the data.
func (e *CorruptError) Unwrap() error { return e.Why }
