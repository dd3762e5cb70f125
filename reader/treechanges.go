package reader

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/sandbox"
)

// maxTreeDepth is how deep trees may nest (git-config(1), core.maxTreeDepth).
const maxTreeDepth = 2048

// DepthError refuses trees that nest deeper than git allows.
type DepthError struct{ Path string }

// Error is git's sentence.
func (e *DepthError) Error() string { return "exceeded maximum allowed tree depth" }

// treeWalk compares trees, and trees with the index, entry by entry on their
// raw bytes. Equal subtrees are never read.
type treeWalk struct {
	ctx   context.Context
	repo  *Repository
	paths *pathspec.Spec
	emit  func(Change) error
	flat  bool  // a folder is an entry like others, and not looked into
	count int   // changes so far
	held  shelf // the trees that are being compared
}

// found passes on a change, up to the limit: a few small trees that hold each
// other many times have more files than any memory.
func (w *treeWalk) found(c Change) error {
	w.count++
	if most := w.repo.Workspace().Policy().Limits.Changes; w.count > most {
		return &sandbox.LimitError{Limit: "Changes", Max: int64(most)}
	}
	return w.emit(c)
}

// load returns the raw bytes of a tree, which stay on the walk's shelf; the zero
// id is the empty tree.
func (w *treeWalk) load(id plumbing.Hash) ([]byte, error) {
	if id.IsZero() || id == emptyTree() {
		return nil, nil
	}
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	objects := w.repo.objects.NewReader()
	defer objects.Close()
	kind, data, err := objects.Read(id)
	if err != nil {
		return nil, treeError(id, err)
	}
	if kind != plumbing.TreeObject {
		return w.repo.replacedTree(id)
	}
	return w.held.put(data), nil
}

// replacedTree follows what is no tree to one and returns its raw bytes: a
// replacement may put a commit or a tag in a tree's place.
func (r *Repository) replacedTree(id plumbing.Hash) ([]byte, error) {
	top, err := r.TreeOf(id)
	var kind plumbing.ObjectType
	var data []byte
	if err == nil {
		kind, data, err = r.Objects().Read(top)
	}
	if err == ErrNotTree || err == nil && kind != plumbing.TreeObject {
		err = fmt.Errorf("unable to read tree %s", id)
	}
	return data, err
}

// emptyTree is the id of a tree without entries.
func emptyTree() plumbing.Hash {
	return plumbing.Hash{0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60, 0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88, 0xfb, 0xee, 0x49, 0x04}
}

// wanted reports whether a path is selected or leads to one that is.
func (w *treeWalk) wanted(path string, mode uint32) bool {
	if w.paths.Empty() || w.paths.Match(path, mode == modeDir || mode == modeGitlink) {
		return true
	}
	return mode == modeDir && w.paths.MatchesDir(path)
}

// run compares two trees.
func (w *treeWalk) run(old, new plumbing.Hash) error {
	held, ok := w.repo.shelves.Get().(*shelf)
	if !ok {
		held = &shelf{}
	}
	w.held = *held
	err := w.trees(old, new, "", 0)
	w.held.clear(*held)
	*held = w.held
	w.repo.shelves.Put(held)
	return err
}

// trees compares two trees that both have the path prefix ("" or "a/b/").
func (w *treeWalk) trees(oldID, newID plumbing.Hash, prefix string, depth int) error {
	if oldID == newID {
		return nil
	}
	if depth > maxTreeDepth {
		return &DepthError{prefix}
	}
	held := w.held
	oldData, err := w.load(oldID)
	if err != nil {
		return err
	}
	newData, err := w.load(newID)
	if err != nil {
		return err
	}
	left, right := newTreeCursors(oldData, newData)
	for left.more || right.more {
		if err := firstError(left.err, right.err); err != nil {
			return err
		}
		if err := w.pair(&left, &right, prefix, depth); err != nil {
			return err
		}
	}
	w.held.clear(held)
	return firstError(left.err, right.err)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// pair compares the entries that the cursors stand at and advances those used.
func (w *treeWalk) pair(left, right *treeCursor, prefix string, depth int) error {
	switch order := left.compare(right); {
	case order < 0:
		old := left.take()
		return w.oneSide(old, prefix, Deleted, depth)
	case order > 0:
		added := right.take()
		return w.oneSide(added, prefix, Added, depth)
	}
	old, added := left.at, right.at
	advanceBoth(left, right)
	if old.ID == added.ID && old.Mode == added.Mode {
		return nil
	}
	path := prefix + string(added.Name)
	if !w.wanted(path, added.Mode) {
		return nil
	}
	if added.Mode == modeDir && !w.flat {
		return w.trees(old.ID, added.ID, path+"/", depth+1)
	}
	return w.found(changeOf(path, old.Mode, old.ID, added.Mode, added.ID))
}

// oneSide reports an entry that only one side has, with all below it.
func (w *treeWalk) oneSide(e object.TreeEntry, prefix string, kind Kind, depth int) error {
	path := prefix + string(e.Name)
	if !w.wanted(path, e.Mode) {
		return nil
	}
	if e.Mode == modeDir && !w.flat {
		if kind == Added {
			return w.trees(plumbing.ZeroHash, e.ID, path+"/", depth+1)
		}
		return w.trees(e.ID, plumbing.ZeroHash, path+"/", depth+1)
	}
	if kind == Added {
		return w.found(changeOf(path, 0, plumbing.ZeroHash, e.Mode, e.ID))
	}
	return w.found(changeOf(path, e.Mode, e.ID, 0, plumbing.ZeroHash))
}

// changeOf builds the change of one path; a mode of 0 means absent.
func changeOf(path string, oldMode uint32, oldID plumbing.Hash, newMode uint32, newID plumbing.Hash) Change {
	c := Change{
		Old:  Entry{Path: path, Mode: oldMode, ID: oldID, IDKnown: true},
		New:  Entry{Path: path, Mode: newMode, ID: newID, IDKnown: true},
		Kind: Modified,
	}
	switch {
	case oldMode == 0:
		c.Kind = Added
	case newMode == 0:
		c.Kind = Deleted
	case oldMode&modeTypeMask != newMode&modeTypeMask:
		c.Kind = TypeChanged
	}
	return c
}

// treeCursor stands at one entry of a tree.
type treeCursor struct {
	iter object.TreeIter
	at   object.TreeEntry
	more bool
	err  error
}

func newTreeCursor(data []byte) treeCursor {
	c := treeCursor{iter: object.NewTreeIter(data)}
	c.advance()
	return c
}

// newTreeCursors returns cursors that stand at the first entries which differ.
func newTreeCursors(oldData, newData []byte) (left, right treeCursor) {
	left.iter, right.iter = object.NewTreeIter(oldData), object.NewTreeIter(newData)
	advanceBoth(&left, &right)
	return left, right
}

// advanceBoth moves two cursors on, beyond what is equal in both trees.
func advanceBoth(left, right *treeCursor) {
	object.SkipEqual(&left.iter, &right.iter)
	left.advance()
	right.advance()
}

func (c *treeCursor) advance() { c.at, c.more, c.err = c.iter.Next() }

// take returns the entry and moves on.
func (c *treeCursor) take() object.TreeEntry {
	e := c.at
	c.advance()
	return e
}

// compare orders the cursors' entries; an exhausted one comes last.
func (c *treeCursor) compare(other *treeCursor) int {
	switch {
	case !c.more:
		return 1
	case !other.more:
		return -1
	}
	return object.CompareNames(c.at.Name, c.at.Mode == modeDir, other.at.Name, other.at.Mode == modeDir)
}
