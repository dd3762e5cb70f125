package odb

import (
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/sandbox"
)

// Options say how a Database works. The zero value is for a local directory.
type Options struct {
	// BaseCache is how many bytes of blobs a Reader keeps as bases of deltas;
	// of trees and commits it keeps a quarter. 0 means 16 MiB.
	BaseCache int64
	// Limits bound objects and chains; zero fields mean the workspace's
	// policy.
	Limits sandbox.Limits
	// NoMap reads files by position although they could be mapped.
	NoMap bool
	// PartialClone makes missing objects promised ones.
	PartialClone bool
}

// Database reads objects. It may be used from many goroutines at once.
type Database struct {
	opts   Options
	limits sandbox.Limits

	mu     sync.Mutex // held while packs are listed
	stores []*store   // ever opened; the first is the repository's own
	set    atomic.Pointer[packSet]
	closed bool

	replace atomic.Pointer[map[plumbing.Hash]plumbing.Hash]

	graphMu    sync.Mutex
	graph      *commitgraph.Graph
	graphFiles []sandbox.Stat // as they were when it was opened
	graphKnown bool           // it is as its files are

	idleMu sync.Mutex
	idle   []*Reader // for calls on the Database itself
}

// Open returns the database of a repository's objects directory. Nothing is
// read before the first object is asked for. The directory must stay open
// until Close.
func Open(objects *sandbox.Dir, opts Options) (*Database, error) {
	if objects == nil {
		return nil, errors.New("odb: no objects directory")
	}
	if opts.Limits == (sandbox.Limits{}) {
		opts.Limits = objects.Workspace().Policy().Limits
	}
	db := &Database{opts: opts, limits: opts.Limits.WithDefaults()}
	db.stores = []*store{{dir: objects, opts: &db.opts}}
	return db, nil
}

// Close closes files and the directories that Open's did not cover. Mappings
// go when the last Reader that used them is unreachable, so that a call in
// progress ends with an error at worst.
func (db *Database) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.closed = true
	if set := db.set.Swap(&packSet{}); set != nil {
		for _, p := range set.packs {
			p.close()
		}
	}
	for i, s := range db.stores {
		s.close()
		if i > 0 {
			s.dir.Close()
		}
	}
	db.idleMu.Lock()
	db.idle = nil
	db.idleMu.Unlock()
	return nil
}

// packs returns the packs as they were last listed, listing them first when
// nobody has.
func (db *Database) packs() (*packSet, error) {
	if set := db.set.Load(); set != nil {
		return set, nil
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if set := db.set.Load(); set != nil {
		return set, nil
	}
	return db.scan()
}

var errClosed = errors.New("odb: database is closed")

// scan lists all packs. db.mu is held.
func (db *Database) scan() (*packSet, error) {
	if db.closed {
		return nil, errClosed
	}
	known := map[packKey]*pack{}
	if old := db.set.Load(); old != nil {
		for _, p := range old.packs {
			known[packKey{p.store, p.name}] = p
		}
	}
	set := &packSet{}
	if err := db.openStores(set); err != nil {
		return nil, err
	}
	for _, s := range set.stores {
		if err := s.scan(set, known); err != nil {
			return nil, err
		}
	}
	db.set.Store(set)
	return set, nil
}

// Refresh lists packs and alternates anew and forgets listings of loose
// objects. Objects that appear are found without it; call it when something
// may have been removed, or when abbreviations must know of new objects.
func (db *Database) Refresh() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, s := range db.stores {
		s.forgetLoose()
	}
	db.graphMu.Lock()
	db.graphKnown = false
	db.graphMu.Unlock()
	_, err := db.scan()
	return err
}

// Graph returns the commit-graph of the stores, nil when there is none or when
// replacements forbid its use. With grafts or in a shallow clone the caller
// must not use it either.
func (db *Database) Graph() *commitgraph.Graph {
	if db.Replaced() {
		return nil
	}
	set, err := db.packs()
	if err != nil {
		return nil
	}
	db.graphMu.Lock()
	defer db.graphMu.Unlock()
	if !db.graphKnown {
		db.openGraph(set)
	}
	return db.graph
}

// openGraph opens the commit-graph, or keeps the open one when its files are
// the same. db.graphMu is held.
func (db *Database) openGraph(set *packSet) {
	dirs := make([]*sandbox.Dir, len(set.stores))
	files := make([]sandbox.Stat, 0, 2*len(dirs))
	for i, s := range set.stores {
		dirs[i] = s.dir
		for _, name := range []string{"info/commit-graph", "info/commit-graphs/commit-graph-chain"} {
			stat, _ := s.dir.Lstat(name)
			files = append(files, stat)
		}
	}
	if db.graphFiles == nil || !slices.Equal(files, db.graphFiles) {
		db.graph, db.graphFiles = commitgraph.Open(dirs, db.opts.NoMap), files
	}
	db.graphKnown = true
}

// rescan lists the packs anew if they may have changed since seen was listed,
// and reports whether there is a different set now. own says that it was listed
// by this call, and so after what the caller saw: a set that somebody else has
// listed may lack a pack that an object was moved to meanwhile. A vanished pack
// is a change for certain.
func (db *Database) rescan(seen *packSet, certain bool) (again, own bool, err error) {
	if db.set.Load() != seen {
		return true, false, nil
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.set.Load() != seen {
		return true, false, nil
	}
	for i, s := range seen.stores {
		certain = certain || s.changed(seen.stamps[i])
	}
	if !certain {
		return false, false, nil
	}
	_, err = db.scan()
	return err == nil, true, err
}

// SetReplacements makes Header, Read, Prefix and Stream answer for the values
// when they are asked for the keys (git-replace(1)). Call it before the
// Database is shared.
func (db *Database) SetReplacements(replacements map[plumbing.Hash]plumbing.Hash) {
	if len(replacements) == 0 {
		db.replace.Store(nil)
		return
	}
	replacements = maps.Clone(replacements)
	db.replace.Store(&replacements)
}

// Replaced reports whether there are replacements.
func (db *Database) Replaced() bool { return db.replace.Load() != nil }

// maxReplace is how many replacements git follows from one to the next.
const maxReplace = 5

// ReplaceDepthError says that a replacement is replaced too many times.
type ReplaceDepthError struct{ ID plumbing.Hash }

// Error is git's sentence.
func (e *ReplaceDepthError) Error() string {
	return "replace depth too high for object " + e.ID.String()
}

// Replacement returns the id whose object stands for id: id itself unless it
// was replaced.
func (db *Database) Replacement(id plumbing.Hash) (plumbing.Hash, error) {
	replace := db.replace.Load()
	if replace == nil {
		return id, nil
	}
	at := id
	for range maxReplace {
		next, ok := (*replace)[at]
		if !ok {
			return at, nil
		}
		at = next
	}
	if _, more := (*replace)[at]; more {
		return plumbing.ZeroHash, &ReplaceDepthError{id}
	}
	return at, nil
}

// Has reports whether the object is here, without reading it. Replacements do
// not matter.
func (db *Database) Has(id plumbing.Hash) bool {
	r := db.NewReader()
	defer db.release(r)
	return r.Has(id)
}

// Stored is Has, except that the empty tree, which git knows in every
// repository, counts only where it lies in a file.
func (db *Database) Stored(id plumbing.Hash) bool {
	r := db.NewReader()
	defer db.release(r)
	return r.Stored(id)
}

// Header returns an object's type and size in bytes. Only headers are read.
func (db *Database) Header(id plumbing.Hash) (plumbing.ObjectType, int64, error) {
	r := db.NewReader()
	defer db.release(r)
	return r.Header(id)
}

// Read returns an object's type and content, which the caller may keep and
// must not change. The error is *NotFoundError, *CorruptError or
// *sandbox.LimitError.
func (db *Database) Read(id plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	r := db.NewReader()
	defer db.release(r)
	return r.read(id, true)
}

// idleReader returns a Reader that is not in use, nil when there is none.
func (db *Database) idleReader() *Reader {
	db.idleMu.Lock()
	defer db.idleMu.Unlock()
	n := len(db.idle)
	if n == 0 {
		return nil
	}
	r := db.idle[n-1]
	db.idle = db.idle[:n-1]
	return r
}

// release keeps a Reader for the next call, as many as may run at once.
func (db *Database) release(r *Reader) {
	db.idleMu.Lock()
	defer db.idleMu.Unlock()
	if len(db.idle) < runtime.GOMAXPROCS(0) {
		db.idle = append(db.idle, r)
	}
}

// Verify reads an object and compares its content with its name. Replacements
// do not matter. The error is that of Read; loose objects are compared by
// every Read.
func (db *Database) Verify(id plumbing.Hash) error {
	r := db.NewReader()
	defer db.release(r)
	return r.resolve(id, func(at place) error {
		kind, data, err := r.packed(at, wholeObject, false)
		if err != nil {
			return err
		}
		if have := plumbing.ComputeHash(kind, data); have != id {
			return mismatchError{have}
		}
		return nil
	}, func(s *store) error {
		_, _, err := r.looseObject(s, id, false)
		return err
	})
}
