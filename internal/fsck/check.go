package fsck

import (
	"github.com/go-git/go-git/v5/plumbing"
)

// Checker checks objects by its rules and remembers which blobs remain to be
// looked at.
type Checker struct {
	Rules *Rules
	// Skip are objects whose faults are known (fsck.skipList).
	Skip map[plumbing.Hash]bool
	// Report is called with git's sentence for each error: what kind of
	// object id is, and the message id with what is wrong.
	Report func(id plumbing.Hash, kind plumbing.ObjectType, text string)

	modules, attributes map[plumbing.Hash]bool // blobs of those names

	id     plumbing.Hash // of the object being checked
	kind   plumbing.ObjectType
	failed bool
}

// Object checks the content of an object and returns whether it is as it must
// be. What blobs hold is looked at by Blobs.
func (c *Checker) Object(id plumbing.Hash, kind plumbing.ObjectType, data []byte) bool {
	c.id, c.kind, c.failed = id, kind, false
	switch kind {
	case plumbing.CommitObject:
		c.commit(data)
	case plumbing.TreeObject:
		c.tree(data)
	case plumbing.TagObject:
		c.tag(data)
	}
	return !c.failed
}

// fault tells of a fault and returns whether it is an error.
func (c *Checker) fault(id, text string) bool {
	if !c.Rules.errors[id] || c.Skip[c.id] {
		return false
	}
	c.failed = true
	c.Report(c.id, c.kind, id+": "+text)
	return true
}
