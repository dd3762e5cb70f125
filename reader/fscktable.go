package reader

import (
	"encoding/binary"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// fsckObject is an object that a check has met.
type fsckObject struct {
	id    plumbing.Hash
	kind  plumbing.ObjectType // plumbing.InvalidObject while it is not known
	flags fsckFlags
	links []*fsckObject // of a parsed commit its tree and parents, of a tag its target
}

type fsckFlags uint8

const (
	fsckStored    fsckFlags = 1 << iota // in the repository, and whole
	fsckParsed                          // its links are known
	fsckUsed                            // something points to it
	fsckReachable                       // from a ref, a reflog or the index
)

// fsckTable holds the objects of a check, each once. Git lists what it found in
// the order of its table of objects: open addressing by the first four bytes of
// the id, doubled when half full, where an object that was asked for changes
// places with the first of its run. For the same order this is such a table,
// and it is asked for the same objects in the same order.
type fsckTable struct {
	slots []*fsckObject
	count int
	slab  []fsckObject
}

func (t *fsckTable) slot(id *plumbing.Hash) int {
	return int(binary.LittleEndian.Uint32(id[:])) & (len(t.slots) - 1)
}

// find returns the object; nil where it was not met yet.
func (t *fsckTable) find(id plumbing.Hash) *fsckObject {
	if len(t.slots) == 0 {
		return nil
	}
	first := t.slot(&id)
	for i := first; t.slots[i] != nil; i = (i + 1) & (len(t.slots) - 1) {
		if o := t.slots[i]; o.id == id {
			t.slots[i], t.slots[first] = t.slots[first], o
			return o
		}
	}
	return nil
}

// add returns a new object.
func (t *fsckTable) add(id plumbing.Hash) *fsckObject {
	if len(t.slots)-1 <= 2*t.count {
		old := t.slots
		t.slots = make([]*fsckObject, max(32, 2*len(old)))
		for _, o := range old {
			if o != nil {
				t.insert(o)
			}
		}
	}
	if len(t.slab) == 0 {
		t.slab = make([]fsckObject, 512)
	}
	o := &t.slab[0]
	t.slab = t.slab[1:]
	o.id = id
	t.insert(o)
	t.count++
	return o
}

func (t *fsckTable) insert(o *fsckObject) {
	i := t.slot(&o.id)
	for t.slots[i] != nil {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = o
}

// any returns the object, whatever its type.
func (t *fsckTable) any(id plumbing.Hash) *fsckObject {
	if o := t.find(id); o != nil {
		return o
	}
	return t.add(id)
}

// as returns the object as one of a type; an error when it is of another.
func (t *fsckTable) as(id plumbing.Hash, kind plumbing.ObjectType) (*fsckObject, error) {
	o := t.any(id)
	switch o.kind {
	case kind:
	case plumbing.InvalidObject:
		o.kind = kind
	default:
		return nil, fmt.Errorf("object %s is a %s, not a %s", id, o.kind, kind)
	}
	return o, nil
}
