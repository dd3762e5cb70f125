package writer

import (
	"fmt"
	"hash"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/pjbgf/sha1cd"
)

// CollisionError says that content was made to collide with another under SHA-1; it is not stored.
type CollisionError struct{ ID plumbing.Hash }

// Error is git's text.
func (e *CollisionError) Error() string {
	return fmt.Sprintf("SHA-1 appears to be part of a collision attack: %s", e.ID)
}

// collisionHash is SHA-1 that notices collision attacks.
type collisionHash interface {
	hash.Hash
	CollisionResistantSum([]byte) ([]byte, bool)
}

// hasher computes object ids, one after the other.
type hasher struct{ sum collisionHash }

func newHasher() hasher { return hasher{sha1cd.New().(collisionHash)} }

// begin starts the id of an object of that type and size.
func (h hasher) begin(kind plumbing.ObjectType, size int64) {
	h.sum.Reset()
	h.sum.Write(objectHeader(kind, size))
}

// end returns the id of what was written since begin.
func (h hasher) end() (id plumbing.Hash, err error) {
	sum, collision := h.sum.CollisionResistantSum(nil)
	copy(id[:], sum)
	if collision {
		return id, &CollisionError{id}
	}
	return id, nil
}

// id returns the id that content has as an object of that type.
func (h hasher) id(kind plumbing.ObjectType, data []byte) (plumbing.Hash, error) {
	h.begin(kind, int64(len(data)))
	h.sum.Write(data)
	return h.end()
}

// objectHeader is what precedes an object's content under its id and in its file.
func objectHeader(kind plumbing.ObjectType, size int64) []byte {
	header := append([]byte(kind.String()), ' ')
	return append(strconv.AppendInt(header, size, 10), 0)
}
