package reader

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// errStop ends a walk whose consumer wants no more.
var errStop = errors.New("stop")

// Changes compares two sides and yields the paths that differ, sorted by path,
// as git diff (git-diff(1)) finds them; a rename stands where its new path
// does. An error ends the sequence: what an object database, the index or a
// work tree file gave as the reason.
//
// Equal subtrees are not read, nor is a work tree file whose stat data still
// fits its index entry.
func (r *Repository) Changes(ctx context.Context, old, new Side, opts ChangeOptions) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		emit := func(c Change) error {
			if !yield(c, nil) {
				return errStop
			}
			return nil
		}
		var err error
		if opts.Renames || opts.Copies {
			err = r.pairedChanges(ctx, old, new, opts, emit)
		} else {
			err = r.compareSides(ctx, old, new, opts, emit)
		}
		if err != nil && err != errStop {
			yield(Change{}, err)
		}
	}
}

// compareSides emits the changes without looking for renames.
func (r *Repository) compareSides(ctx context.Context, old, new Side, opts ChangeOptions, emit func(Change) error) error {
	oldTree, oldIsTree := treeOf(old)
	newTree, newIsTree := treeOf(new)
	switch {
	case oldIsTree && newIsTree:
		w := treeWalk{ctx, r, opts.Paths, emit}
		return w.trees(oldTree, newTree, "", 0)
	case oldIsTree && new == IndexSide:
		return r.treeToIndex(ctx, oldTree, opts, emit)
	case oldIsTree && new == WorkTreeSide:
		return r.treeToWorkTree(ctx, oldTree, opts, emit)
	case old == IndexSide && new == WorkTreeSide:
		return r.indexToWorkTree(ctx, opts, emit)
	case old == new:
		return nil
	case newIsTree, old == WorkTreeSide && new == IndexSide:
		return r.compareSides(ctx, new, old, opts, func(c Change) error { return emit(c.reversed()) })
	}
	return fmt.Errorf("cannot compare %v with %v", old, new)
}

// treeOf returns the tree of a side; Empty is the zero id.
func treeOf(s Side) (plumbing.Hash, bool) {
	if t, ok := s.(Tree); ok {
		return plumbing.Hash(t), true
	}
	return plumbing.ZeroHash, s == Empty
}

// reversed returns the change as seen from the other side.
func (c Change) reversed() Change {
	c.Old, c.New = c.New, c.Old
	switch c.Kind {
	case Added:
		c.Kind = Deleted
	case Deleted:
		c.Kind = Added
	}
	return c
}

func (r *Repository) treeToIndex(ctx context.Context, tree plumbing.Hash, opts ChangeOptions, emit func(Change) error) error {
	ix, err := r.Index()
	if err != nil {
		return err
	}
	w := indexWalk{treeWalk{ctx, r, opts.Paths, emit}, ix}
	return w.run(tree)
}

func (r *Repository) indexToWorkTree(ctx context.Context, opts ChangeOptions, emit func(Change) error) error {
	ix, err := r.workIndex(ctx)
	if err != nil {
		return err
	}
	s, err := r.newScan(ctx, ix, scanOptions{paths: opts.Paths, tracked: true, untracked: UntrackedNo, changes: opts})
	if err != nil {
		return err
	}
	found, err := s.run()
	if err != nil {
		return err
	}
	for _, file := range found.changed {
		c, err := s.change(file)
		if err != nil {
			return err
		}
		if err := emit(c); err != nil {
			return err
		}
	}
	return nil
}

// change describes a changed work tree file.
func (s *scan) change(file fileChange) (Change, error) {
	e := &s.ix.Entries[file.at]
	if file.kind == Unmerged {
		next := file.at + 1
		for next < len(s.ix.Entries) && s.ix.Entries[next].Name == e.Name {
			next++
		}
		return unmergedChange(s.ix, file.at, next, Entry{Path: e.Name}, file.mode), nil
	}
	c := Change{
		Kind:      file.kind,
		Old:       Entry{Path: e.Name, Mode: e.Mode, ID: e.ID, IDKnown: true},
		New:       Entry{Path: e.Name, Mode: file.mode, ID: file.id, IDKnown: file.idKnown},
		Submodule: file.module,
	}
	switch file.kind {
	case Deleted:
		c.New.IDKnown = true
	case Added: // intended to be added: nothing in the index yet
		c.Old = Entry{Path: e.Name, IDKnown: true}
		if !s.opts.changes.KeepSameContent {
			return c, s.identify(&c.New)
		}
	case Modified, TypeChanged:
		if !c.New.IDKnown && file.mode == modeGitlink {
			c.New.ID, c.New.IDKnown = e.ID, e.Mode == modeGitlink
		}
	}
	return c, nil
}

// identify fills in the id of a work tree file's content.
func (s *scan) identify(e *Entry) error {
	top, err := s.repo.WorkTree()
	if err != nil {
		return err
	}
	st, err := top.Lstat(e.Path)
	if err != nil {
		return err
	}
	e.ID, err = s.content.hash(top, e.Path, e.Path, &st)
	e.IDKnown = err == nil
	return err
}

// treeToWorkTree joins what changed from the tree to the index and from there
// to the work tree, as git diff REV does: only tracked paths count.
func (r *Repository) treeToWorkTree(ctx context.Context, tree plumbing.Hash, opts ChangeOptions, emit func(Change) error) error {
	var staged, unstaged []Change
	collect := func(into *[]Change) func(Change) error {
		return func(c Change) error { *into = append(*into, c); return nil }
	}
	if err := r.treeToIndex(ctx, tree, opts, collect(&staged)); err != nil {
		return err
	}
	if err := r.indexToWorkTree(ctx, opts, collect(&unstaged)); err != nil {
		return err
	}
	for len(staged) > 0 || len(unstaged) > 0 {
		order := 0
		switch {
		case len(staged) == 0:
			order = 1
		case len(unstaged) == 0:
			order = -1
		default:
			order = strings.Compare(staged[0].New.Path, unstaged[0].New.Path)
		}
		var c Change
		different := true
		switch {
		case order < 0:
			c, staged = staged[0], staged[1:]
		case order > 0:
			c, unstaged = unstaged[0], unstaged[1:]
		default:
			c, different = joined(staged[0], unstaged[0])
			staged, unstaged = staged[1:], unstaged[1:]
		}
		if !different {
			continue
		}
		if err := emit(c); err != nil {
			return err
		}
	}
	return nil
}

// joined is the change from staged's old side to unstaged's new side; false
// when they are the same.
func joined(staged, unstaged Change) (Change, bool) {
	if staged.Kind == Unmerged || unstaged.Kind == Unmerged {
		unstaged.Old = staged.Old
		return unstaged, true
	}
	old, new := staged.Old, unstaged.New
	if !old.Present() && !new.Present() {
		return Change{}, false
	}
	if old.Mode == new.Mode && new.IDKnown && old.ID == new.ID && !unstaged.Submodule.dirty() {
		return Change{}, false
	}
	c := changeOf(new.Path, old.Mode, old.ID, new.Mode, new.ID)
	c.New.IDKnown, c.Submodule = new.IDKnown, unstaged.Submodule
	return c, true
}
