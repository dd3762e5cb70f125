package reader

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/object"
)

// indexWalk compares a tree with the index. Where the index's cache tree knows
// the tree of a directory, equal ones are skipped without a look at either.
type indexWalk struct {
	treeWalk
	ix *index.Index
}

// folderRange is a directory of the index: its entries and what the cache tree
// says of it.
type folderRange struct {
	prefix   string // "" or "a/b/"
	from, to int
	cache    *index.CacheTree // nil when unknown
}

// run compares the tree with the whole index.
func (w *indexWalk) run(tree plumbing.Hash) error {
	return w.folder(tree, folderRange{to: len(w.ix.Entries), cache: w.ix.CacheTree}, 0)
}

// folder compares a tree with a directory of the index.
func (w *indexWalk) folder(tree plumbing.Hash, dir folderRange, depth int) error {
	if dir.cache != nil && dir.cache.Valid() && dir.cache.ID == tree && dir.cache.Entries == dir.to-dir.from {
		return nil
	}
	if depth > maxTreeDepth {
		return &DepthError{dir.prefix}
	}
	data, err := w.load(tree)
	if err != nil {
		return err
	}
	cursor := newTreeCursor(data)
	at := dir.from
	for cursor.err == nil && (cursor.more || at < dir.to) {
		if at, err = w.step(&cursor, dir, at, depth); err != nil {
			return err
		}
	}
	return cursor.err
}

// step handles what comes next in the tree, the index or both, and returns the
// next position in the index.
func (w *indexWalk) step(cursor *treeCursor, dir folderRange, at, depth int) (int, error) {
	if at == dir.to {
		return at, w.oneSide(cursor.take(), dir.prefix, Deleted, depth)
	}
	entries := w.ix.Entries
	name, isDir, next := entries[at].Name[len(dir.prefix):], false, at+1
	if slash := strings.IndexByte(name, '/'); slash >= 0 {
		name, isDir = name[:slash], true
		next = endOfFolder(entries, at, dir.to, len(dir.prefix)+slash+1)
	}
	for !isDir && next < dir.to && entries[next].Name == entries[at].Name {
		next++
	}
	order := -1
	if cursor.more {
		order = compareNames(name, isDir, cursor.at.Name, cursor.at.Mode == modeDir)
	}
	if order > 0 {
		return at, w.oneSide(cursor.take(), dir.prefix, Deleted, depth)
	}
	oldMode, oldID := uint32(0), plumbing.ZeroHash
	if order == 0 {
		e := cursor.take()
		oldMode, oldID = e.Mode, e.ID
	}
	if isDir {
		return next, w.subfolder(dir, name, at, next, oldID, depth)
	}
	return next, w.entry(at, next, oldMode, oldID)
}

// subfolder compares a tree, zero when there is none, with the entries of a
// sub-directory.
func (w *indexWalk) subfolder(dir folderRange, name string, from, to int, tree plumbing.Hash, depth int) error {
	path := dir.prefix + name
	if !w.wanted(path, modeDir) {
		return nil
	}
	if e := &w.ix.Entries[from]; e.IsSparseDir() && len(e.Name) == len(path)+1 {
		return w.trees(tree, e.ID, path+"/", depth+1)
	}
	sub := folderRange{prefix: path + "/", from: from, to: to}
	if dir.cache != nil {
		sub.cache = dir.cache.Child(name)
	}
	return w.folder(tree, sub, depth+1)
}

// entry compares what the tree has at a path, mode 0 for nothing, with the
// entries [at, next) of that path.
func (w *indexWalk) entry(at, next int, oldMode uint32, oldID plumbing.Hash) error {
	e := &w.ix.Entries[at]
	if !w.wanted(e.Name, e.Mode) {
		return nil
	}
	switch {
	case e.Stage != 0:
		return w.emit(unmergedChange(w.ix, at, next, Entry{Path: e.Name, Mode: oldMode, ID: oldID, IDKnown: true}, 0))
	case e.IntentToAdd && oldMode == 0, !e.IntentToAdd && e.ID == oldID && object.CanonMode(e.Mode) == oldMode:
		return nil
	case e.IntentToAdd:
		return w.emit(changeOf(e.Name, oldMode, oldID, 0, plumbing.ZeroHash))
	}
	return w.emit(changeOf(e.Name, oldMode, oldID, object.CanonMode(e.Mode), e.ID))
}

// unmergedChange is the change of a path with the entries [at, next) in
// several stages; mode is that of its work tree file, 0 for none.
func unmergedChange(ix *index.Index, at, next int, old Entry, mode uint32) Change {
	name := ix.Entries[at].Name
	c := Change{Kind: Unmerged, Old: old, New: Entry{Path: name, Mode: mode}}
	for _, e := range ix.Entries[at:next] {
		if e.Stage > 0 {
			c.Stages[e.Stage-1] = Entry{Path: name, Mode: e.Mode, ID: e.ID, IDKnown: true}
		}
	}
	return c
}

// compareNames orders two names of a directory as git sorts trees, without
// copying them.
func compareNames(old string, oldDir bool, new []byte, newDir bool) int {
	n := min(len(old), len(new))
	switch { // a conversion that is only compared does not copy
	case old[:n] < string(new[:n]):
		return -1
	case old[:n] > string(new[:n]):
		return 1
	}
	return int(byteAt(old, n, oldDir)) - int(byteAt(new, n, newDir))
}

func byteAt[T string | []byte](name T, n int, dir bool) byte {
	switch {
	case n < len(name):
		return name[n]
	case dir:
		return '/'
	}
	return 0
}
