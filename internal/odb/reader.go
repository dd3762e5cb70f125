package odb

import (
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/inflate"
	"github.com/ingit-dev/ingit/sandbox"
)

// emptyTree is the tree without entries, which git knows in every repository.
var emptyTree = plumbing.NewHash("4b825dc642cb6eb9a060e54bf8d69288fbee4904")

// Reader reads objects for one goroutine: it reuses its inflater, its buffers
// and its cache of delta bases from call to call.
type Reader struct {
	db      *Database
	inflate inflate.Decoder
	cache   baseCache

	last   *pack  // where the last object was
	chain  []link // of the entry being read, the object's own first
	deltas []byte // their deltas, inflated
	window []byte // of a file without a mapping
	out    []byte // result that no cache keeps
	file   []byte // a loose object as it is on disk
	most   int64  // what is larger is not wanted; 0: everything is
	again  result // of the last Read, as long as nothing else was read since

	scattered bool // see Scattered
}

// result is an object that was read.
type result struct {
	id   plumbing.Hash
	kind plumbing.ObjectType
	data []byte // nil: none is kept
}

// link is a delta on the way from an object to its base.
type link struct {
	place    place
	from, to int   // the instructions in Reader.deltas
	base     int64 // stated size of the base
	size     int64 // stated size of the result
}

// NewReader returns a Reader, one that was closed before if there is any. It
// holds up to a cache and a quarter of memory (Options.BaseCache).
func (db *Database) NewReader() *Reader {
	if r := db.idleReader(); r != nil {
		return r
	}
	r := &Reader{db: db}
	r.cache.init(db.opts.BaseCache)
	return r
}

// Scattered tells r that the objects that it reads from now on have few bases in
// common, as those of one revision: of their chains it keeps nothing but the
// trees that were asked for. Memory that is touched for the first time costs
// more than it can save.
func (r *Reader) Scattered() { r.scattered = true }

// Close gives the Reader with its memory to the next who wants one. It is no
// duty. Neither r nor what it has returned may be used afterwards.
func (r *Reader) Close() {
	r.again, r.scattered = result{}, false
	r.db.release(r)
}

// Read returns an object's type and content, valid until the next call on r.
// Errors are those of Database.Read.
func (r *Reader) Read(id plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	if r.again.data != nil && r.again.id == id { // a tree made of the same tree many times asks for it many times
		return r.again.kind, r.again.data, nil
	}
	kind, data, err := r.read(id, false)
	if err == nil {
		r.again = result{id, kind, data}
	}
	return kind, data, err
}

// unwanted is the Limit of the error that ends a read beyond Reader.most.
const unwanted = "ReadUpTo"

// ReadUpTo is Read for an object of at most max bytes. Of a larger one it
// returns the size alone, with no content.
func (r *Reader) ReadUpTo(id plumbing.Hash, max int64) (kind plumbing.ObjectType, data []byte, size int64, err error) {
	r.most = max
	kind, data, err = r.Read(id)
	r.most = 0
	if over := (*sandbox.LimitError)(nil); errors.As(err, &over) && over.Limit == unwanted {
		if kind, size, err = r.Header(id); err != nil || size > max {
			return kind, nil, size, err
		}
		kind, data, err = r.Read(id) // only what it is a delta of is larger
	}
	if size = int64(len(data)); size > max {
		data = nil
	}
	return kind, data, size, err
}

// Header is Database.Header.
func (r *Reader) Header(id plumbing.Hash) (kind plumbing.ObjectType, size int64, err error) {
	r.again = result{}
	if id == emptyTree {
		return plumbing.TreeObject, 0, nil
	}
	if id, err = r.db.Replacement(id); err != nil {
		return 0, 0, err
	}
	err = r.resolve(id, func(at place) error {
		kind, size, err = r.packedHeader(at)
		return err
	}, func(s *store) error {
		kind, size, err = r.looseHeader(s, id)
		return err
	})
	return kind, size, err
}

// Prefix returns an object's type and at least its first n bytes, all when it
// has fewer; they are valid until the next call on r. A damage further on may
// go unnoticed.
func (r *Reader) Prefix(id plumbing.Hash, n int) (plumbing.ObjectType, []byte, error) {
	return r.object(id, n, false)
}

// Has is Database.Has.
func (r *Reader) Has(id plumbing.Hash) bool { return id == emptyTree || r.Stored(id) }

// Stored is Database.Stored.
func (r *Reader) Stored(id plumbing.Hash) bool {
	r.again = result{}
	found := func(place) error { return nil }
	return r.resolve(id, found, func(s *store) error { return s.hasLoose(id) }) == nil
}

func (r *Reader) read(id plumbing.Hash, keep bool) (plumbing.ObjectType, []byte, error) {
	return r.object(id, wholeObject, keep)
}

// object returns an object's type and content, or at least its first want
// bytes. The content is the caller's to keep if keep is set.
func (r *Reader) object(id plumbing.Hash, want int, keep bool) (kind plumbing.ObjectType, data []byte, err error) {
	r.again = result{}
	if id == emptyTree {
		return plumbing.TreeObject, []byte{}, nil
	}
	if id, err = r.db.Replacement(id); err != nil {
		return 0, nil, err
	}
	err = r.resolve(id, func(at place) error {
		kind, data, err = r.packed(at, want, keep)
		return err
	}, func(s *store) error {
		kind, data, err = r.looseObject(s, id, keep)
		return err
	})
	return kind, data, err
}
