package reader

import (
	"hash/maphash"
	"strings"
	"sync"

	"github.com/ingit-dev/ingit/sandbox"
)

// nameTable finds the names of one folder among its index entries. Tables are
// used again for folder after folder, so that big trees leave no garbage.
type nameTable struct {
	seed    maphash.Seed
	slots   []nameSlot // a power of two; a slot without a kind is free
	listing []sandbox.Entry
	others  []otherName
}

type nameSlot struct {
	name string
	kind knownKind
}

// knownKind is how the index knows a name of a listing.
type knownKind uint8

const (
	knownNot knownKind = iota
	knownFile
	knownDir
	knownModule
)

var nameTables = sync.Pool{New: func() any { return &nameTable{seed: maphash.MakeSeed()} }}

// reset empties the table and makes room for n names.
func (t *nameTable) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if size > cap(t.slots) {
		t.slots = make([]nameSlot, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// slot returns the place of a name, which is free if the table lacks it.
func (t *nameTable) slot(name string) *nameSlot {
	mask := uint64(len(t.slots) - 1)
	for at := maphash.String(t.seed, name); ; at++ {
		slot := &t.slots[at&mask]
		if slot.kind == knownNot || slot.name == name {
			return slot
		}
	}
}

// fill takes in the names that the entries [from, to) of a folder have there.
func (t *nameTable) fill(f *folder, from, to, size int) {
	entries, child := f.scan.ix.Entries, f.first
	t.reset(max(size, to-from))
	for i := from; i < to; {
		name, next, kind := entries[i].Name[len(f.path):], i+1, knownFile
		if slash := strings.IndexByte(name, '/'); slash >= 0 {
			if child == 0 { // a walk that begins below the top knows no places
				next = endOfFolder(entries, i, to, len(f.path)+slash+1)
			} else {
				next, child = f.scan.folders.behind(child)
			}
			name, kind = name[:slash], knownDir
		} else if entries[i].Mode == modeGitlink {
			kind = knownModule
		}
		if name != "" {
			name = f.fold(name)
			slot := t.slot(name)
			slot.name, slot.kind = name, max(kind, slot.kind)
		}
		i = next
	}
}
