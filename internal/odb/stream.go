package odb

import (
	"bytes"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// Stream returns an object's type, size and a reader of its content, which
// the caller closes.
func (db *Database) Stream(id plumbing.Hash) (plumbing.ObjectType, int64, io.ReadCloser, error) {
	kind, data, err := db.Read(id)
	if err != nil {
		return 0, 0, nil, err
	}
	return kind, int64(len(data)), io.NopCloser(bytes.NewReader(data)), nil
}
