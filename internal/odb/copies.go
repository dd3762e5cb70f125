package odb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// Copy is one stored copy of an object, or what is wrong with a file.
type Copy struct {
	ID     plumbing.Hash // zero when Problem is about a whole file
	Kind   plumbing.ObjectType
	Data   []byte // the content, not of a blob; valid until the next copy
	Packed bool
	// Problem is git's sentence about what is wrong with the copy; "" for one
	// that is whole. A copy that cannot be read has no Kind.
	Problem string
}

// Copies reads every stored copy of every object and compares it with its
// name, in git's order: loose objects as their directories list them, store by
// store, then the packs, the newest first, from beginning to end. It works on
// all processors. An error ends it: the context's, a *sandbox.LimitError, or
// one about a store that could not be opened.
func (db *Database) Copies(ctx context.Context) iter.Seq2[Copy, error] {
	return func(yield func(Copy, error) bool) {
		set, err := db.packs()
		if err == nil {
			err = set.refused
		}
		if err != nil {
			yield(Copy{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		a := &audit{db: db, ctx: ctx, work: make(chan *batch), ordered: make(chan *batch, 2*runtime.GOMAXPROCS(0))}
		defer a.workers.Wait()
		defer cancel()
		a.start(set)
		for b := range a.ordered {
			<-b.done
			for _, c := range b.copies {
				if !yield(c, nil) {
					return
				}
			}
			if b.err != nil {
				yield(Copy{}, b.err)
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Copy{}, err)
		}
	}
}

// Packed reports whether a pack has the object.
func (db *Database) Packed(id plumbing.Hash) bool {
	set, err := db.packs()
	if err != nil {
		return false
	}
	_, ok := set.find(id)
	return ok
}

// StoredIDs returns the id of every stored copy of every object, unread, in
// git's order: loose ones as their directories list them, store by store, then
// each pack's by name. Errors are those of Copies.
func (db *Database) StoredIDs(ctx context.Context) iter.Seq2[plumbing.Hash, error] {
	return func(yield func(plumbing.Hash, error) bool) {
		set, err := db.packs()
		if err == nil {
			err = set.refused
		}
		if err != nil {
			yield(plumbing.Hash{}, err)
			return
		}
		for _, s := range set.stores {
			for first := range 256 {
				files, err := s.looseFiles(byte(first))
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					yield(plumbing.Hash{}, err)
					return
				}
				for _, f := range files {
					if !yield(f.id, nil) {
						return
					}
				}
			}
		}
		for _, p := range set.inGitsOrder() {
			index, err := p.openIndex()
			if err != nil {
				continue // its objects are missing
			}
			for i := range index.Len() {
				var id plumbing.Hash
				err := sandbox.GuardFault(func() error { id = index.ID(i); return nil })
				if err != nil {
					yield(id, err)
					return
				}
				if !yield(id, nil) {
					return
				}
			}
		}
	}
}

// audit is a run of Copies: one goroutine lists what there is in batches, as
// many as there are processors read them.
type audit struct {
	db      *Database
	ctx     context.Context
	work    chan *batch
	ordered chan *batch // the same, in order
	workers sync.WaitGroup
}

// batch is some copies that lie beside each other.
type batch struct {
	loose  []looseFile
	packed []packedCopy
	sums   *pack // its checksums are compared

	copies []Copy
	err    error
	done   chan struct{}
}

type looseFile struct {
	store *store
	id    plumbing.Hash
}

// packedCopy is an object in a pack. Its entry ends where the next begins.
type packedCopy struct {
	place
	end int64
	pos int // in the index
}

// batchSize is how many objects a batch has: enough to share bases of deltas.
const batchSize = 512

func (a *audit) start(set *packSet) {
	for range runtime.GOMAXPROCS(0) {
		a.workers.Go(func() {
			r := a.db.NewReader()
			defer r.Close()
			for b := range a.work {
				b.read(r)
				close(b.done)
			}
		})
	}
	a.workers.Go(func() {
		defer close(a.ordered)
		defer close(a.work)
		a.list(set)
	})
}

// send gives a batch to the readers; false when nobody wants it any more.
func (a *audit) send(b *batch) bool {
	b.done = make(chan struct{})
	if b.err != nil {
		close(b.done)
	}
	select {
	case a.ordered <- b:
	case <-a.ctx.Done():
		return false
	}
	if b.err != nil {
		return false
	}
	select {
	case a.work <- b:
		return true
	case <-a.ctx.Done():
		b.err = a.ctx.Err()
		close(b.done)
		return false
	}
}

func (a *audit) list(set *packSet) {
	for _, s := range set.stores {
		for first := range 256 {
			files, err := s.looseFiles(byte(first))
			if len(files) == 0 && err == nil {
				continue
			}
			if !a.send(&batch{loose: files, err: err}) {
				return
			}
		}
	}
	for _, p := range set.inGitsOrder() {
		if !a.pack(p) {
			return
		}
	}
}

// inGitsOrder returns the packs as git lists them when it needs all: those of
// a multi-pack-index are opened last, and each is put before those that it
// knows.
func (set *packSet) inGitsOrder() []*pack {
	var packs []*pack
	for _, m := range set.midxs {
		for _, p := range slices.Backward(m.packs) {
			if p != nil {
				packs = append(packs, p)
			}
		}
	}
	for _, p := range set.packs {
		if p.covered.Load() == nil {
			packs = append(packs, p)
		}
	}
	return packs
}

// looseFiles lists the loose objects whose ids begin with a byte, in the order
// of the directory.
func (s *store) looseFiles(first byte) ([]looseFile, error) {
	name := hexByte(first)
	dir, err := s.dir.OpenDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir()
	if err != nil {
		return nil, err
	}
	var files []looseFile
	for _, e := range entries {
		if id, ok := parseID(name + e.Name); ok {
			files = append(files, looseFile{s, id})
		}
	}
	return files, nil
}

// pack sends the objects of a pack by their place in it.
func (a *audit) pack(p *pack) bool {
	index, err := p.openIndex()
	if err != nil {
		return a.problem("packfile %s index not opened", p)
	}
	src, err := p.open()
	if err != nil {
		return a.problem("packfile %s cannot be accessed", p)
	}
	if !a.send(&batch{sums: p}) {
		return false
	}
	all := make([]packedCopy, index.Len())
	err = sandbox.GuardFault(func() (err error) {
		for i := range all {
			all[i].pack, all[i].pos = p, i
			if all[i].off, err = index.offset(i); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return a.problem("packfile %s index not opened", p)
	}
	slices.SortFunc(all, func(x, y packedCopy) int { return int(x.off - y.off) })
	for i := range all {
		all[i].end = src.Size() - int64(idSize)
		if i+1 < len(all) {
			all[i].end = all[i+1].off
		}
	}
	for part := range slices.Chunk(all, batchSize) {
		if !a.send(&batch{packed: part}) {
			return false
		}
	}
	return true
}

// problem sends a sentence about a pack.
func (a *audit) problem(format string, p *pack) bool {
	b := &batch{copies: []Copy{{Packed: true, Problem: fmt.Sprintf(format, p.path())}}, done: make(chan struct{})}
	close(b.done)
	select {
	case a.ordered <- b:
		return true
	case <-a.ctx.Done():
		return false
	}
}
