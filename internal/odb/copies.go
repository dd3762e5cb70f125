package odb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
		if err == nil {
			err = set.eachStored(ctx, func(id plumbing.Hash) bool { return yield(id, nil) })
		}
		if err != nil && err != errEnough {
			yield(plumbing.Hash{}, err)
		}
	}
}

// errEnough ends a listing whose caller wants no more.
var errEnough = errors.New("odb: enough")

func (set *packSet) eachStored(ctx context.Context, visit func(plumbing.Hash) bool) error {
	for _, s := range set.stores {
		for first := range 256 {
			ids, err := s.readLooseDir(byte(first))
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			if slices.ContainsFunc(ids, func(id plumbing.Hash) bool { return !visit(id) }) {
				return errEnough
			}
		}
	}
	for _, p := range set.inGitsOrder() {
		if err := p.eachID(visit); err != nil {
			return err
		}
	}
	return nil
}

// eachID visits the ids of a pack by name. Of one that cannot be opened all
// objects are missing.
func (p *pack) eachID(visit func(plumbing.Hash) bool) error {
	index, err := p.openIndex()
	if err != nil {
		return nil
	}
	defer runtime.KeepAlive(index)
	for i := range index.Len() {
		var id plumbing.Hash
		if err := sandbox.GuardFault(func() error { id = index.ID(i); return nil }); err != nil {
			return err
		}
		if !visit(id) {
			return errEnough
		}
	}
	return nil
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
	store  *store // of loose
	loose  []plumbing.Hash
	packed []packedCopy
	sums   *pack // its checksums are compared

	copies []Copy // what was found, unless there is an error
	err    error
	done   chan struct{}
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

// send gives a batch to the readers, unless it is known what they would find;
// false when nobody wants more.
func (a *audit) send(b *batch) bool {
	b.done = make(chan struct{})
	known := b.err != nil || b.copies != nil
	if known {
		close(b.done)
	}
	if !a.give(a.ordered, b) {
		return false
	}
	if known {
		return b.err == nil
	}
	if a.give(a.work, b) {
		return true
	}
	b.err = a.ctx.Err()
	close(b.done)
	return false
}

func (a *audit) give(to chan<- *batch, b *batch) bool {
	select {
	case to <- b:
		return true
	case <-a.ctx.Done():
		return false
	}
}

func (a *audit) list(set *packSet) {
	for _, s := range set.stores {
		for first := range 256 {
			ids, err := s.readLooseDir(byte(first))
			if len(ids) == 0 && err == nil {
				continue
			}
			if !a.send(&batch{store: s, loose: ids, err: err}) {
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
	return a.send(&batch{copies: []Copy{{Packed: true, Problem: fmt.Sprintf(format, p.path())}}})
}
