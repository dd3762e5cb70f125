package reader

import (
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/odb"
)

// complaint is a sentence before which git prints "error: " and not "fatal: ".
type complaint string

// Error returns the sentence.
func (c complaint) Error() string { return string(c) }

// GitLevel is the word that git prints before the sentence.
func (c complaint) GitLevel() string { return "error" }

// UnreadableError is a blob or tree that a comparison needs and the repository
// lacks.
type UnreadableError struct {
	ID    plumbing.Hash
	Tree  bool
	cause error
}

// Error is git's sentence.
func (e *UnreadableError) Error() string {
	if e.Tree {
		return "unable to read tree " + e.ID.String()
	}
	return "unable to read " + e.ID.String()
}

// Unwrap returns the object database's error.
func (e *UnreadableError) Unwrap() error { return e.cause }

// ParentError is a parent that a commit is compared with and the repository
// lacks.
type ParentError struct {
	ID    plumbing.Hash
	cause error
}

// Error is git's sentences.
func (e *ParentError) Error() string {
	return fmt.Sprintf("Could not read %s\nfatal: unable to parse commit %s", e.ID, e.ID)
}

// GitLevel is the word that git prints before the first of them.
func (e *ParentError) GitLevel() string { return "error" }

// Unwrap returns the object database's error.
func (e *ParentError) Unwrap() error { return e.cause }

// blobError gives the error of a missing blob git's words.
func blobError(id plumbing.Hash, err error) error {
	if isLost(err) {
		return &UnreadableError{ID: id, cause: err}
	}
	return err
}

// treeError gives the error of a missing tree git's words.
func treeError(id plumbing.Hash, err error) error {
	if isLost(err) {
		return &UnreadableError{ID: id, Tree: true, cause: err}
	}
	return err
}

// Unusable says whether an object is missing or damaged: not one that a partial
// clone promises, nor one that was not looked up because its store lies outside
// the workspace.
func Unusable(err error) bool {
	var damaged *odb.CorruptError
	return isLost(err) || errors.As(err, &damaged)
}

// isLost says whether an object is missing and nobody promised it or kept it
// from being looked up.
func isLost(err error) bool {
	var lost *odb.NotFoundError
	return errors.As(err, &lost) && lost.Refused == nil && !lost.Promised
}
