package reader

import (
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/odb"
)

// complaint is a sentence before which git prints "error: " and not "fatal: ".
type complaint string

// Error returns the sentence.
func (c complaint) Error() string { return string(c) }

// GitLevel is the word that git prints before the sentence.
func (c complaint) GitLevel() string { return "error" }

// UnreadableError is a blob that a comparison needs and the repository lacks.
type UnreadableError struct {
	ID    plumbing.Hash
	cause error
}

// Error is git's sentence.
func (e *UnreadableError) Error() string { return "unable to read " + e.ID.String() }

// Unwrap returns the object database's error.
func (e *UnreadableError) Unwrap() error { return e.cause }

// blobError gives the error of a missing blob git's words.
func blobError(id plumbing.Hash, err error) error {
	var lost *odb.NotFoundError
	if errors.As(err, &lost) && lost.Refused == nil && !lost.Promised {
		return &UnreadableError{ID: id, cause: err}
	}
	return err
}
