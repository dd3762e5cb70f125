package reader

import (
	"context"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
)

// MergeChange is a path in which the result of a merge differs from every
// parent: its change from each of them.
type MergeChange []Change

// MergeChanges compares the result of a merge with its parents, all trees or Empty,
// and returns the paths that differ from each of them, sorted by path: what
// Changes gives for all parents (git-diff-tree(1), "Combined diff format"). A
// subtree that result shares with a parent is not read, unless renames have to
// be looked for. Errors are those of Changes.
func (r *Repository) MergeChanges(ctx context.Context, parents []Side, result Side, opts ChangeOptions) ([]MergeChange, error) {
	w := mergeWalk{treeWalk: treeWalk{ctx: ctx, repo: r, paths: opts.Paths}}
	w.emit = func(Change) error { return nil }
	ids := make([]plumbing.Hash, len(parents))
	for i, parent := range parents {
		ids[i], _ = treeOf(parent)
	}
	id, _ := treeOf(result)
	if err := w.trees(ids, id, "", 0); err != nil {
		return nil, err
	}
	merges := slices.DeleteFunc(w.merges, func(m MergeChange) bool { return !strings.HasPrefix(m[0].New.Path, opts.Below) })
	for i, parent := range parents {
		if !slices.ContainsFunc(merges, func(m MergeChange) bool { return opts.needsOthers(&m[i]) }) {
			continue
		}
		byPath := map[string]Change{}
		for c, err := range r.Changes(ctx, parent, result, opts) {
			if err != nil {
				return nil, err
			}
			byPath[c.New.Path] = c
		}
		merges = slices.DeleteFunc(merges, func(m MergeChange) bool {
			c, differs := byPath[m[0].New.Path]
			m[i] = c
			return !differs
		})
	}
	return merges, nil
}

// needsOthers says that what becomes of the change depends on more than its
// path: on the paths that renames may join it with, or on settings of
// submodules.
func (o *ChangeOptions) needsOthers(c *Change) bool {
	return (o.Renames || o.Copies) && (c.Kind == Added || c.Kind == Deleted) || c.betweenGitlinks()
}

// mergeWalk compares a tree with several others at once.
type mergeWalk struct {
	treeWalk
	merges []MergeChange
}

// trees compares trees that all have the path prefix; the zero id is the empty
// tree.
func (w *mergeWalk) trees(parents []plumbing.Hash, result plumbing.Hash, prefix string, depth int) error {
	if slices.Contains(parents, result) {
		return nil
	}
	if depth > maxTreeDepth {
		return &DepthError{prefix}
	}
	cursors := make([]treeCursor, 0, len(parents)+1) // the result's first
	for _, id := range append([]plumbing.Hash{result}, parents...) {
		data, err := w.load(id)
		if err != nil {
			return err
		}
		cursors = append(cursors, newTreeCursor(data))
	}
	entries := make([]object.TreeEntry, len(cursors))
	for takeLeast(cursors, entries) {
		if err := w.compare(entries, prefix, depth); err != nil {
			return err
		}
	}
	for i := range cursors {
		if err := cursors[i].err; err != nil {
			return err
		}
	}
	return nil
}

// takeLeast takes the entries of the first name among those that the cursors
// stand at; the entry of a cursor without it has no mode. It returns false at
// the end, or where a tree is damaged.
func takeLeast(cursors []treeCursor, entries []object.TreeEntry) bool {
	least := &cursors[0]
	for i := range cursors {
		if cursors[i].err != nil {
			return false
		}
		if cursors[i].compare(least) < 0 {
			least = &cursors[i]
		}
	}
	if !least.more {
		return false
	}
	first := *least
	for i := range cursors {
		if entries[i] = (object.TreeEntry{}); cursors[i].more && cursors[i].compare(&first) == 0 {
			entries[i] = cursors[i].take()
		}
	}
	return true
}

// compare looks at the entries of one name, the result's first.
func (w *mergeWalk) compare(entries []object.TreeEntry, prefix string, depth int) error {
	result, parents := entries[0], entries[1:]
	for _, old := range parents {
		if old.Mode == result.Mode && old.ID == result.ID {
			return nil
		}
	}
	named := result
	if named.Mode == 0 {
		named = parents[0]
	}
	path := prefix + string(named.Name)
	if !w.wanted(path, named.Mode) {
		return nil
	}
	if named.Mode == modeDir {
		ids := make([]plumbing.Hash, len(parents))
		for i, old := range parents {
			ids[i] = old.ID
		}
		return w.trees(ids, result.ID, path+"/", depth+1)
	}
	m := make(MergeChange, len(parents))
	for i, old := range parents {
		m[i] = changeOf(path, old.Mode, old.ID, result.Mode, result.ID)
	}
	w.merges = append(w.merges, m)
	return w.found(m[0])
}
