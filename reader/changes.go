package reader

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
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
		emit = r.withoutIgnored(ctx, opts, emit)
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

// withoutIgnored keeps back the changes of submodules that are to be ignored
// altogether; what is in them is left to the walk of the work tree.
func (r *Repository) withoutIgnored(ctx context.Context, opts ChangeOptions, emit func(Change) error) func(Change) error {
	modules := sync.OnceValues(func() (*submodules, error) {
		ix, err := r.Index()
		return newSubmodules(ctx, r, ix, opts), err
	})
	return func(c Change) error {
		if c.Kind == Unmerged || !c.betweenGitlinks() || r.Bare() {
			return emit(c)
		}
		m, err := modules()
		if err != nil {
			return err
		}
		if ignored, err := m.ignore(c.New.Path); err != nil || ignored == IgnoreAll {
			return err
		}
		return emit(c)
	}
}

// betweenGitlinks reports that there is a submodule on each side that has the path.
func (c *Change) betweenGitlinks() bool {
	return (c.Old.Mode == modeGitlink || !c.Old.Present()) && (c.New.Mode == modeGitlink || !c.New.Present())
}

// compareSides emits the changes without looking for renames.
func (r *Repository) compareSides(ctx context.Context, old, new Side, opts ChangeOptions, emit func(Change) error) error {
	if below, all := opts.Below, emit; below != "" {
		opts.Below = ""
		emit = func(c Change) error {
			if !strings.HasPrefix(c.New.Path, below) {
				return nil
			}
			return all(c)
		}
	}
	oldTree, oldIsTree := treeOf(old)
	newTree, newIsTree := treeOf(new)
	switch {
	case oldIsTree && newIsTree:
		w := treeWalk{ctx: ctx, repo: r, paths: opts.Paths, emit: emit}
		return w.run(oldTree, newTree)
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
	w := indexWalk{treeWalk{ctx: ctx, repo: r, paths: opts.Paths, emit: emit}, ix}
	return w.run(tree)
}

func (r *Repository) indexToWorkTree(ctx context.Context, opts ChangeOptions, emit func(Change) error) error {
	s, files, err := r.scanTracked(ctx, opts)
	if err != nil {
		return err
	}
	for _, file := range files {
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

// scanTracked returns the tracked files that differ from the index.
func (r *Repository) scanTracked(ctx context.Context, opts ChangeOptions) (*scan, []fileChange, error) {
	ix, err := r.workIndex(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := r.newScan(ctx, ix, scanOptions{paths: opts.Paths, tracked: true, untracked: UntrackedNo, changes: opts})
	if err != nil {
		return nil, nil, err
	}
	found, err := s.run()
	return s, found.changed, err
}

// change describes a changed work tree file.
func (s *scan) change(file fileChange) (Change, error) {
	e := &s.ix.Entries[file.at]
	if file.kind == Unmerged {
		next := file.at + 1
		for next < len(s.ix.Entries) && s.ix.Entries[next].Name == e.Name {
			next++
		}
		c := unmergedChange(s.ix, file.at, next, Entry{Path: e.Name}, file.mode)
		c.New.ID, c.New.IDKnown = file.id, !file.id.IsZero() // of a submodule's HEAD
		c.Submodule = file.module
		return c, nil
	}
	c := Change{
		Kind:      file.kind,
		Old:       Entry{Path: e.Name, Mode: object.CanonMode(e.Mode), ID: e.ID, IDKnown: true},
		New:       Entry{Path: e.Name, Mode: file.mode, ID: file.id, IDKnown: file.idKnown, content: file.content},
		Submodule: file.module,
	}
	switch file.kind {
	case Deleted:
		c.New.IDKnown = true
	case Added: // intended to be added: nothing in the index yet
		c.Old = Entry{Path: e.Name, IDKnown: true}
		if s.opts.changes.KeepSameContent {
			return c, nil
		}
		if err := s.identify(&c.New); err != nil && !undecided(err) {
			return c, err
		}
	case Modified, TypeChanged:
		if !c.New.IDKnown && file.mode == modeGitlink {
			c.New.ID, c.New.IDKnown = e.ID, true
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
		return vanished(e.Path, err)
	}
	e.ID, err = s.content.hash(top, e.Path, e.Path, &st)
	e.IDKnown = err == nil
	return err
}

// treeToWorkTree joins what changed from the tree to the index and from there
// to the work tree, as git diff REV does: only tracked paths count.
func (r *Repository) treeToWorkTree(ctx context.Context, tree plumbing.Hash, opts ChangeOptions, emit func(Change) error) error {
	var staged []Change
	err := r.treeToIndex(ctx, tree, opts, func(c Change) error { staged = append(staged, c); return nil })
	if err != nil {
		return err
	}
	s, files, err := r.scanTracked(ctx, opts)
	if err != nil {
		return err
	}
	for len(staged) > 0 || len(files) > 0 {
		order := -1
		if len(staged) == 0 {
			order = 1
		} else if len(files) > 0 {
			order = strings.Compare(staged[0].New.Path, s.ix.Entries[files[0].at].Name)
		}
		var old *Change
		if order <= 0 {
			old, staged = &staged[0], staged[1:]
		}
		var file *fileChange
		if order >= 0 {
			file = &files[0]
			for files = files[1:]; len(files) > 0 && s.ix.Entries[files[0].at].Name == s.ix.Entries[file.at].Name; {
				file.module = files[0].module // found with our side of an unmerged submodule
				files = files[1:]
			}
		}
		c, different, err := s.joined(old, file)
		if err == nil && different {
			err = emit(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// joined is the change from the old side of staged to a work tree file, when
// either is nil from or to the index; false when there is none.
func (s *scan) joined(staged *Change, file *fileChange) (Change, bool, error) {
	if file == nil {
		return *staged, staged.Kind != Unmerged, nil
	}
	unstaged, err := s.change(*file)
	if err != nil {
		return Change{}, false, err
	}
	old, new := unstaged.Old, unstaged.New
	if staged != nil {
		old = staged.Old
	} else if s.ix.Entries[file.at].IntentToAdd {
		old = Entry{Path: new.Path, IDKnown: true}
	}
	if e := &s.ix.Entries[file.at]; unstaged.Kind == Unmerged && new.Mode == modeGitlink && new.ID.IsZero() && e.Mode == modeGitlink {
		new.ID, new.IDKnown = e.ID, true // nothing is checked out there
	}
	if unstaged.Kind == Unmerged && new.Present() && new.Mode != modeGitlink {
		if err := s.identify(&new); err != nil && !undecided(err) {
			return Change{}, false, err
		}
	}
	if !old.Present() && !new.Present() {
		return Change{}, false, nil
	}
	// Of an unmerged submodule git compares the first stage, and does not know
	// the commit that is checked out when it is another one.
	unknown := unstaged.Kind == Unmerged && new.Mode == modeGitlink && s.ix.Entries[file.at].ID != new.ID
	if old.Mode == new.Mode && new.IDKnown && old.ID == new.ID && !unstaged.Submodule.dirty() && !unknown {
		return Change{}, false, nil
	}
	c := changeOf(new.Path, old.Mode, old.ID, new.Mode, new.ID)
	c.New.IDKnown, c.Submodule = new.IDKnown, unstaged.Submodule
	return c, true, nil
}
