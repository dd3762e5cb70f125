package odb

import (
	"cmp"
	"errors"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// maxAttempts bounds how often one call searches: again when packs vanished
// under it, else once more when packs may have been added.
const maxAttempts = 4

// resolve hands the places where id may be to packed and the stores that may
// have it loose to loose, until one of them succeeds. When none does, it lists
// the packs anew if they may have changed, and tries again.
func (r *Reader) resolve(id plumbing.Hash, packed func(place) error, loose func(*store) error) error {
	var failed error
	listed := false // the packs, since the last search failed
	for range maxAttempts {
		set, err := r.db.packs()
		if err != nil {
			return err
		}
		s := search{r: r, set: set, id: id}
		if s.run(packed, loose) {
			return s.limit
		}
		if failed == nil || s.corrupt != nil {
			failed = s.failure()
		}
		if listed && !s.vanished {
			break
		}
		again, own, err := r.db.rescan(set, s.vanished)
		if err != nil || !again {
			return cmp.Or(err, failed)
		}
		listed = own
	}
	return failed
}

// search is one attempt to find an object in a set of packs.
type search struct {
	r        *Reader
	set      *packSet
	id       plumbing.Hash
	corrupt  error // of the first copy that was damaged
	vanished bool  // a pack was gone
	limit    error // ends the search: no copy of the object is within the limits
}

// run reports whether the search is over: with success, or with s.limit.
func (s *search) run(packed func(place) error, loose func(*store) error) bool {
	if last := s.r.last; last != nil && last.usable() {
		if at, ok := last.find(s.id); ok && s.try(at, packed) {
			return true
		}
	}
	for _, m := range s.set.midxs {
		if s.tryMidx(m, packed) {
			return true
		}
	}
	if s.tryPacks(packed) {
		return true
	}
	for _, store := range s.set.stores {
		if s.done(loose(store), nil) {
			return true
		}
	}
	return s.distrust() && s.tryPacks(packed)
}

// try reads the object at a place.
func (s *search) try(at place, packed func(place) error) bool {
	err := packed(at)
	if err == nil && at.pack.index.Load() != nil {
		s.r.last = at.pack
	}
	return s.done(err, at.pack)
}

// done notes the outcome of an attempt and reports whether the search is over.
func (s *search) done(err error, p *pack) bool {
	var limit *sandbox.LimitError
	switch {
	case err == nil:
		return true
	case errors.As(err, &limit):
		s.limit = err
		return true
	case p != nil && p.vanished():
		s.vanished = true
	case p != nil && s.corrupt == nil:
		s.corrupt = &CorruptError{ID: s.id, Where: p.path(), Why: err}
	case s.corrupt == nil && !errors.Is(err, fs.ErrNotExist):
		s.corrupt = err
	}
	return false
}

// tryMidx looks the object up in a multi-pack-index, which is not consulted
// again when what it says is wrong.
func (s *search) tryMidx(m *midx, packed func(place) error) bool {
	if m.bad.Load() {
		return false
	}
	var at place
	found := false
	err := sandbox.GuardFault(func() (err error) {
		var pos int
		if pos, found = m.Find(s.id); found {
			at, err = m.place(pos)
		}
		return err
	})
	if err == nil && !found {
		return false
	}
	if err == nil && s.try(at, packed) {
		return true
	}
	m.bad.Store(true)
	return false
}

// tryPacks looks the object up in the packs that no multi-pack-index answers
// for.
func (s *search) tryPacks(packed func(place) error) bool {
	for _, p := range s.set.packs {
		if m := p.covered.Load(); m != nil && !m.bad.Load() {
			continue
		}
		if at, ok := p.find(s.id); ok && s.try(at, packed) {
			return true
		}
	}
	return false
}

// distrust checks the multi-pack-indexes before the object counts as missing,
// and reports whether one of them is damaged.
func (s *search) distrust() bool {
	found := false
	for _, m := range s.set.midxs {
		if m.bad.Load() {
			continue
		}
		if err := sandbox.GuardFault(func() error { m.verify(); return nil }); err != nil {
			m.bad.Store(true)
		}
		found = found || m.bad.Load()
	}
	return found
}

// failure is the error of a search that found nothing.
func (s *search) failure() error {
	if s.corrupt != nil {
		return s.corrupt
	}
	return &NotFoundError{
		ID:       s.id,
		Promised: s.r.db.opts.PartialClone,
		Refused:  s.set.refused,
		Damaged:  s.set.damaged(),
	}
}

// damaged returns why a pack is unusable; nil when all that were needed are
// usable.
func (set *packSet) damaged() error {
	for _, p := range set.packs {
		if failed := p.failed.Load(); failed != nil {
			return failed
		}
	}
	return nil
}
