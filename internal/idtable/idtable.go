// Package idtable looks ids up in the sorted tables of git's files: pack
// indexes, multi-pack indexes and commit-graphs.
//
// Terms: a table is a list of ids in ascending order; its fan-out tells for
// each first byte how many ids begin with it or a smaller one.
//
// Formats: gitformat-pack(5), gitformat-commit-graph(5).
package idtable

import (
	"bytes"
	"encoding/binary"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// FanoutSize is the length of a fan-out in bytes.
	FanoutSize = 256 * 4
	idSize     = len(plumbing.Hash{})
)

// Table is a sorted list of ids, looked up in place.
type Table struct {
	fan    [256]uint32 // a copy: the file may change beneath its mapping
	ids    []byte
	stride int
}

// New returns the table whose ids lie in ids, one every stride bytes; false
// when the fan-out falls somewhere or counts more ids than there are.
func New(fanout, ids []byte, stride int) (*Table, bool) {
	if len(fanout) < FanoutSize {
		return nil, false
	}
	t := &Table{ids: ids, stride: stride}
	last := uint32(0)
	for i := range t.fan {
		n := binary.BigEndian.Uint32(fanout[4*i:])
		if n < last {
			return nil, false
		}
		t.fan[i], last = n, n
	}
	if need := (int64(last)-1)*int64(stride) + int64(idSize); last > 0 && need > int64(len(ids)) {
		return nil, false
	}
	return t, true
}

// Len returns how many ids there are.
func (t *Table) Len() int { return int(t.fan[255]) }

// At returns the bytes of the id at pos.
func (t *Table) At(pos int) []byte { return t.ids[pos*t.stride:][:idSize:idSize] }

// ID returns the id at pos.
func (t *Table) ID(pos int) plumbing.Hash { return plumbing.Hash(t.At(pos)) }

// bucket returns the positions of the ids that begin with b.
func (t *Table) bucket(b byte) (lo, hi int) {
	if b > 0 {
		lo = int(t.fan[b-1])
	}
	return lo, int(t.fan[b])
}

// key is the part of an id that its place in a bucket is guessed from.
func (t *Table) key(pos int) int64 {
	return int64(binary.BigEndian.Uint32(t.ids[pos*t.stride+1:]))
}

// maxSteps bounds the linear search after the guesses.
const maxSteps = 8

// Find returns the position of id.
func (t *Table) Find(id plumbing.Hash) (pos int, ok bool) { return t.search(&id) }

// search returns the position of the first id that is not less than id, and
// whether it is equal.
func (t *Table) search(id *plumbing.Hash) (pos int, ok bool) {
	lo, hi := t.bucket(id[0])
	if lo == hi {
		return lo, false
	}
	// Ids are evenly spread: guess twice by proportion, then step.
	n := int64(hi - lo)
	want := int64(binary.BigEndian.Uint32(id[1:]))
	pos = lo + int(want*n>>32)
	pos = min(max(pos+int((want-t.key(pos))*n>>32), lo), hi-1)
	for range maxSteps {
		switch c := t.compare(pos, want, id); {
		case c == 0:
			return pos, true
		case c < 0:
			if lo = pos + 1; lo == hi {
				return lo, false
			}
			pos = lo
		default:
			if hi = pos; lo == hi {
				return lo, false
			}
			pos = hi - 1
		}
	}
	pos = lo + sort.Search(hi-lo, func(i int) bool { return bytes.Compare(t.At(lo+i), id[:]) >= 0 })
	return pos, pos < hi && bytes.Equal(t.At(pos), id[:])
}

// compare compares the id at pos with id, whose key is want.
func (t *Table) compare(pos int, want int64, id *plumbing.Hash) int {
	if k := t.key(pos); k != want {
		if k < want {
			return -1
		}
		return 1
	}
	return bytes.Compare(t.At(pos), id[:])
}

// Search returns the position of the first id that is not less than id.
func (t *Table) Search(id plumbing.Hash) int {
	pos, _ := t.search(&id)
	return pos
}

// WithPrefix calls yield for every id whose first digits hexadecimal digits
// are those of prefix, in ascending order, until it returns false.
func (t *Table) WithPrefix(prefix plumbing.Hash, digits int, yield func(plumbing.Hash) bool) {
	for pos := t.Search(Truncate(prefix, digits)); pos < t.Len(); pos++ {
		id := t.ID(pos)
		if CommonDigits(id, prefix) < digits || !yield(id) {
			return
		}
	}
}

// Common returns the most leading hexadecimal digits that id has in common
// with another id of the table.
func (t *Table) Common(id plumbing.Hash) int {
	pos, found := t.search(&id)
	after := pos
	if found {
		after++
	}
	common := 0
	if pos > 0 {
		common = CommonDigits(id, t.ID(pos-1))
	}
	if after < t.Len() {
		common = max(common, CommonDigits(id, t.ID(after)))
	}
	return common
}

// CommonDigits returns how many leading hexadecimal digits two ids share.
func CommonDigits(x, y plumbing.Hash) int {
	for i := range x {
		if d := x[i] ^ y[i]; d != 0 {
			if d>>4 == 0 {
				return 2*i + 1
			}
			return 2 * i
		}
	}
	return 2 * len(x)
}

// Truncate returns id with all but its first digits set to zero.
func Truncate(id plumbing.Hash, digits int) plumbing.Hash {
	if digits&1 == 1 {
		id[digits/2] &= 0xf0
	}
	clear(id[(digits+1)/2:])
	return id
}
