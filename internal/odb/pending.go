package odb

import (
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// This file holds the shape of Database for callers to compile against, until
// its owner lands the real one and deletes it.

var errPending = errors.New("the object database is not built yet")

// Options of Open.
type Options struct {
	BaseCache int64
	Limits    sandbox.Limits
	NoMap     bool
}

// Database reads objects.
type Database struct{}

// Reader is one goroutine's handle.
type Reader struct{}

// Open returns the database of an objects directory.
func Open(objects *sandbox.Dir, opts Options) (*Database, error) { return &Database{}, nil }

// Close releases the database.
func (db *Database) Close() error { return nil }

// Refresh looks for new packs.
func (db *Database) Refresh() error { return nil }

// SetReplacements sets refs/replace.
func (db *Database) SetReplacements(m map[plumbing.Hash]plumbing.Hash) {}

// Has reports whether there is an object.
func (db *Database) Has(id plumbing.Hash) bool { return false }

// Header returns type and size.
func (db *Database) Header(id plumbing.Hash) (plumbing.ObjectType, int64, error) {
	return 0, 0, errPending
}

// Read returns a whole object.
func (db *Database) Read(id plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	return 0, nil, errPending
}

// Expand returns the ids with a prefix.
func (db *Database) Expand(hexPrefix string) ([]plumbing.Hash, error) { return nil, errPending }

// AbbrevLen returns the shortest unambiguous length.
func (db *Database) AbbrevLen(id plumbing.Hash, min int) int { return min }

// PackedObjects counts the objects in packs.
func (db *Database) PackedObjects() int { return 0 }

// NewReader returns a handle.
func (db *Database) NewReader() *Reader { return &Reader{} }

// Read returns a whole object, valid until the next call.
func (r *Reader) Read(id plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	return 0, nil, errPending
}

// Prefix returns at least the first n bytes.
func (r *Reader) Prefix(id plumbing.Hash, n int) (plumbing.ObjectType, []byte, error) {
	return 0, nil, errPending
}
