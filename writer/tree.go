package writer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/odb"
)

// UnmergedError says that a tree cannot be made of an index in conflict.
type UnmergedError struct {
	Paths []string // with their ids, as git lists them: "PATH: unmerged (ID)"
}

// Error is git's text.
func (e *UnmergedError) Error() string {
	return strings.Join(e.Paths, "\n") + "\nerror: Error building trees"
}

// GitLevel makes the first line an error, as git prints it.
func (e *UnmergedError) GitLevel() string { return "error" }

// writeTree plans the trees of an index, and returns the top one's id. The index's cache tree says afterwards what is stored,
// so that the next call needs only what has changed since. Entries that are only intended to be added are left out.
func writeTree(x *index.Index, objects *pendingObjects) (plumbing.Hash, error) {
	if err := checkMerged(x); err != nil {
		return plumbing.ZeroHash, err
	}
	if x.CacheTree == nil {
		x.CacheTree = &index.CacheTree{Entries: -1}
	}
	b := treeBuilder{entries: x.Entries, objects: objects}
	if err := b.build(x.CacheTree, 0, len(x.Entries), ""); err != nil {
		return plumbing.ZeroHash, err
	}
	if !x.CacheTree.Valid() {
		return b.id, nil
	}
	return x.CacheTree.ID, nil
}

// repairTree brings the cache tree of an index up to date as far as its trees are stored already; it plans none.
func repairTree(x *index.Index, db *odb.Database) error {
	if checkMerged(x) != nil {
		return nil
	}
	if x.CacheTree == nil {
		x.CacheTree = &index.CacheTree{Entries: -1}
	}
	b := treeBuilder{entries: x.Entries, objects: newPendingObjects(db), repair: true}
	return b.build(x.CacheTree, 0, len(x.Entries), "")
}

func checkMerged(x *index.Index) error {
	var paths []string
	for i := range x.Entries {
		if e := &x.Entries[i]; e.Stage != 0 {
			paths = append(paths, fmt.Sprintf("%s: unmerged (%s)", e.Name, e.ID))
		}
	}
	if paths != nil {
		return &UnmergedError{paths}
	}
	return nil
}

type treeBuilder struct {
	entries []index.Entry
	objects *pendingObjects
	repair  bool          // only trees that are stored already count
	id      plumbing.Hash // of the tree built last
}

// build stores the tree of the entries from..to, all below prefix, and brings its node up to date.
func (b *treeBuilder) build(node *index.CacheTree, from, to int, prefix string) error {
	if node.Valid() && node.Entries == to-from && b.objects.has(node.ID) {
		b.id = node.ID
		return nil
	}
	var (
		data     []byte
		children []index.CacheTree
		whole    = true // nothing was left out
	)
	for i := from; i < to; {
		e := &b.entries[i]
		name, _, isDir := strings.Cut(e.Name[len(prefix):], "/")
		if !isDir || e.IsSparseDir() {
			i++
			if e.IntentToAdd {
				whole = false
				continue
			}
			if err := b.checkEntry(e); err != nil {
				return err
			}
			if e.IsSparseDir() {
				children = append(children, index.CacheTree{Name: name, Entries: 1, ID: e.ID})
			}
			data = appendTreeEntry(data, e.Mode, name, e.ID)
			continue
		}
		end := i + b.below(i, to, e.Name[:len(prefix)+len(name)+1])
		child := oldChild(node, name)
		if err := b.build(&child, i, end, e.Name[:len(prefix)+len(name)+1]); err != nil {
			return err
		}
		whole = whole && child.Valid()
		i = end
		children = append(children, child)
		if b.id == emptyTree {
			continue
		}
		data = appendTreeEntry(data, index.ModeDir, name, b.id)
	}
	slices.SortFunc(children, byCacheTreeOrder)
	id, stored, err := b.store(data)
	if err != nil {
		return err
	}
	whole = whole && stored
	b.id, node.ID, node.Entries, node.Children = id, id, to-from, children
	if !whole {
		node.Entries = -1
	}
	return nil
}

// store plans a tree, or in repair only looks whether it is there.
func (b *treeBuilder) store(data []byte) (id plumbing.Hash, stored bool, err error) {
	if !b.repair {
		id, err = b.objects.add(plumbing.TreeObject, data)
		return id, err == nil, err
	}
	id, err = b.objects.hasher.id(plumbing.TreeObject, data)
	return id, err == nil && b.objects.has(id), err
}

// byCacheTreeOrder is the order of gitformat-index(5)'s writers: shorter names first.
func byCacheTreeOrder(x, y index.CacheTree) int {
	return cmp.Or(cmp.Compare(len(x.Name), len(y.Name)), strings.Compare(x.Name, y.Name))
}

// emptyTree is what is left of a directory whose entries are all left out; git does not store it in its parent.
var emptyTree = plumbing.NewHash("4b825dc642cb6eb9a060e54bf8d69288fbee4904")

// checkEntry refuses an entry whose object is missing, as git does; a submodule's commit is elsewhere.
func (b *treeBuilder) checkEntry(e *index.Entry) error {
	if b.repair || e.IsGitlink() || e.SkipWorktree || b.objects.has(e.ID) {
		return nil
	}
	return &MissingEntryError{Mode: e.Mode, ID: e.ID, Path: e.Name}
}

// MissingEntryError says that the index names an object that is not there.
type MissingEntryError struct {
	Mode uint32
	ID   plumbing.Hash
	Path string
}

// Error is git's text.
func (e *MissingEntryError) Error() string {
	return fmt.Sprintf("invalid object %06o %s for '%s'\nerror: Error building trees", e.Mode, e.ID, e.Path)
}

// GitLevel makes it an error, as git prints it.
func (e *MissingEntryError) GitLevel() string { return "error" }

// below counts the entries from i on whose names begin with dir.
func (b *treeBuilder) below(i, to int, dir string) int {
	n := 1
	for i+n < to && strings.HasPrefix(b.entries[i+n].Name, dir) {
		n++
	}
	return n
}

func oldChild(node *index.CacheTree, name string) index.CacheTree {
	if old := node.Child(name); old != nil {
		return *old
	}
	return index.CacheTree{Name: name, Entries: -1}
}

// appendTreeEntry appends one entry in a tree's format (git-mktree(1) tells of it in text form).
func appendTreeEntry(data []byte, mode uint32, name string, id plumbing.Hash) []byte {
	data = append(strconv.AppendUint(data, uint64(mode), 8), ' ')
	data = append(append(data, name...), 0)
	return append(data, id[:]...)
}
