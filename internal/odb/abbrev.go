package odb

import (
	"encoding/hex"
	"iter"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/idtable"
	"github.com/ingit-dev/ingit/sandbox"
)

const hexSize = 2 * idSize

// tables calls visit for the id table of each multi-pack-index and of each
// pack that none covers.
func (set *packSet) tables(visit func(*idtable.Table)) {
	for _, m := range set.midxs {
		if !m.bad.Load() {
			visitTable(m.Table, visit)
		}
	}
	for _, p := range set.packs {
		if m := p.covered.Load(); m != nil && !m.bad.Load() {
			continue
		}
		if index, err := p.openIndex(); err == nil {
			visitTable(index.Table, visit)
		}
	}
}

// visitTable shields visit from a file that shrinks beneath its mapping.
func visitTable(t *idtable.Table, visit func(*idtable.Table)) {
	_ = sandbox.GuardFault(func() error { visit(t); return nil })
}

// PackedObjects returns how many objects the packs have, counting one that is
// in several packs several times: git's estimate, from which the default
// length of abbreviations follows.
func (db *Database) PackedObjects() int {
	set, err := db.packs()
	if err != nil {
		return 0
	}
	n := 0
	set.tables(func(t *idtable.Table) { n += t.Len() })
	return n
}

// Expand returns the ids of all objects that begin with the given hexadecimal
// digits, of either case, in ascending order without duplicates. Text that is
// no such prefix matches none.
func (db *Database) Expand(prefix string) ([]plumbing.Hash, error) {
	if len(prefix) > hexSize {
		return nil, nil
	}
	want, ok := parsePrefix(prefix)
	if !ok {
		return nil, nil
	}
	set, err := db.packs()
	if err != nil {
		return nil, err
	}
	var ids []plumbing.Hash
	add := func(id plumbing.Hash) bool { ids = append(ids, id); return true }
	set.tables(func(t *idtable.Table) { t.WithPrefix(want, len(prefix), add) })
	if err := set.looseWithPrefix(want, len(prefix), add); err != nil {
		return nil, err
	}
	slices.SortFunc(ids, compareIDs)
	return slices.Compact(ids), nil
}

func parsePrefix(digits string) (id plumbing.Hash, ok bool) {
	padded := digits
	if len(digits)%2 == 1 {
		padded += "0"
	}
	_, err := hex.Decode(id[:], []byte(padded))
	return id, err == nil
}

func (set *packSet) looseWithPrefix(want plumbing.Hash, digits int, add func(plumbing.Hash) bool) error {
	first, last := want[0], want[0]
	switch digits {
	case 0:
		first, last = 0, 0xff
	case 1:
		last = first | 0x0f
	}
	for _, s := range set.stores {
		for b := int(first); b <= int(last); b++ {
			ids, err := s.looseIDs(byte(b))
			if err != nil {
				return err
			}
			for _, id := range ids {
				if idtable.CommonDigits(id, want) >= digits {
					add(id)
				}
			}
		}
	}
	return nil
}

// AbbrevLen returns how many digits, at least least, tell id from every other
// object, packed or loose.
func (db *Database) AbbrevLen(id plumbing.Hash, least int) int {
	set, err := db.packs()
	if err != nil {
		return hexSize
	}
	common := 0
	set.tables(func(t *idtable.Table) { common = max(common, t.Common(id)) })
	for _, s := range set.stores {
		ids, err := s.looseIDs(id[0])
		if err != nil {
			return hexSize
		}
		pos, found := slices.BinarySearchFunc(ids, id, compareIDs)
		if pos > 0 {
			common = max(common, idtable.CommonDigits(id, ids[pos-1]))
		}
		if found {
			pos++
		}
		if pos < len(ids) {
			common = max(common, idtable.CommonDigits(id, ids[pos]))
		}
	}
	return min(max(least, common+1), hexSize)
}

// Objects returns the ids of all objects in ascending order, each once.
func (db *Database) Objects() iter.Seq2[plumbing.Hash, error] {
	return func(yield func(plumbing.Hash, error) bool) {
		ids, err := db.Expand("")
		if err != nil {
			yield(plumbing.ZeroHash, err)
			return
		}
		for _, id := range ids {
			if !yield(id, nil) {
				return
			}
		}
	}
}
