package reader

import (
	"context"
	"iter"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/internal/pathspec"
)

// diffFilter leaves out the commits whose own change is not of interest, for
// Follow, Pickaxe and PickaxeRegex.
type diffFilter struct {
	repo    *Repository
	ctx     context.Context
	walk    *walk
	follow  string // the path that is followed now; "" for none
	filters *filters
	ends    *signatures
	roots   map[plumbing.Hash]leaf // what stands at the followed path, by root tree
	pickaxe *pickaxe
	changes ChangeOptions
	shown   []Change // of the last commit, where LogOptions.Changes asks for them
}

// filterByDiff yields those commits of a walk whose change to their parent is
// of interest. Limit counts what is yielded; Skip counts before.
func (r *Repository) filterByDiff(w *walk, yield func(*Commit, error) bool) {
	f, err := r.newDiffFilter(w)
	if err != nil {
		yield(nil, err)
		return
	}
	left := w.opts.Limit
	w.bare = true
	source := iter.Seq2[*Commit, error](w.run)
	if w.opts.Reverse {
		source = w.backwards
	} else {
		w.opts.Limit = 0
	}
	for commit, err := range source {
		shown := false
		if err == nil {
			shown, err = f.shows(commit.node)
		}
		if shown && err == nil {
			err = w.fill(commit.node)
			commit.Data, commit.Changes = commit.node.data, f.shown
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if !shown {
			continue
		}
		if !yield(commit, nil) {
			return
		}
		if left--; left == 0 {
			return
		}
	}
}

func (r *Repository) newDiffFilter(w *walk) (*diffFilter, error) {
	f := &diffFilter{repo: r, ctx: w.ctx, walk: w}
	if w.opts.Follow != "" {
		f.watch(w.opts.Follow)
	}
	var err error
	if f.changes, err = r.configuredRenames(); err != nil {
		return nil, err
	}
	f.changes.Paths = w.opts.Paths
	f.pickaxe, err = r.newPickaxe(&w.opts)
	return f, err
}

// configuredRenames returns what log looks for unless it is told otherwise
// (git-config(1), diff.renames and diff.renameLimit).
func (r *Repository) configuredRenames() (opts ChangeOptions, err error) {
	opts.Renames = true
	if value, ok := r.Config().Entry("diff.renames"); ok {
		if on, err := value.Bool(); err == nil {
			opts.Renames = on
		} else if opts.Copies = value.Value == "copies" || value.Value == "copy"; !opts.Copies {
			return opts, err
		}
	}
	limit, err := r.Config().Int("diff.renamelimit", 0)
	opts.RenameLimit = int(limit)
	return opts, err
}

// watch goes on with the changes of a path.
func (f *diffFilter) watch(path string) {
	f.follow, f.ends, f.filters = path, nil, nil
	if table := f.walk.graph.table; table != nil && table.HasFilters() {
		f.filters = &filters{table: table, keys: []commitgraph.Key{commitgraph.NewKey(path)}}
	}
}

// shows decides about one commit. Merges have no change of their own, unless
// only first parents count.
func (f *diffFilter) shows(n *node) (bool, error) {
	f.shown = nil
	if len(n.parents) > 1 && !f.walk.opts.FirstParent {
		return false, nil
	}
	var parent plumbing.Hash
	if len(n.parents) > 0 {
		if err := f.walk.graph.load(n.parents[0]); err != nil {
			return false, childError(err, n.id)
		}
		parent = n.parents[0].tree
	}
	if f.follow != "" {
		if f.filters.unchanged(n) {
			return false, nil
		}
		return f.follows(parent, n.tree)
	}
	return f.contains(parent, n.tree)
}

// follows says whether the followed path changed, and goes on with the path
// that it was renamed or copied from.
func (f *diffFilter) follows(parent, tree plumbing.Hash) (bool, error) {
	if parent == tree {
		return false, nil
	}
	old, err := f.followed(parent)
	if err != nil {
		return false, err
	}
	now, err := f.followed(tree)
	if err != nil || old == now {
		return false, err
	}
	if hidden, err := f.hidden(old, now); err != nil || hidden {
		return false, err
	}
	if f.needsChanges() {
		if err = f.collect(parent, tree, old, now); err != nil {
			return false, err
		}
	}
	if old == (leaf{}) && !parent.IsZero() {
		if err = f.findSource(parent, tree); err != nil {
			return false, err
		}
	}
	if f.pickaxe != nil {
		f.shown, err = f.pickaxe.kept(f.shown)
		return len(f.shown) > 0, err
	}
	return true, nil
}

// needsChanges says whether a followed path's changes are shown or searched.
func (f *diffFilter) needsChanges() bool { return f.walk.opts.Changes || f.pickaxe != nil }

// collect notes the change of the followed path; of what is or was a folder,
// with the changes below.
func (f *diffFilter) collect(parent, tree plumbing.Hash, old, now leaf) error {
	if old.mode != modeDir && now.mode != modeDir {
		f.shown = []Change{changeOf(f.follow, old.mode, old.id, now.mode, now.id)}
		return nil
	}
	opts := f.changes
	var err error
	if opts.Paths, err = pathspec.Parse([]string{":(top,literal)" + f.follow}, "", pathspec.Options{}); err != nil {
		return err
	}
	for c, err := range f.repo.Changes(f.ctx, sideOf(parent), Tree(tree), opts) {
		if err != nil {
			return err
		}
		f.shown = append(f.shown, c)
	}
	return nil
}

// sideOf is the side of a tree; the zero id stands for no tree.
func sideOf(tree plumbing.Hash) Side {
	if tree.IsZero() {
		return Empty
	}
	return Tree(tree)
}

// hidden reports that the followed path is a submodule whose changes are not
// shown (diff.ignoreSubmodules in git-config(1)).
func (f *diffFilter) hidden(old, now leaf) (bool, error) {
	c := Change{Old: Entry{Mode: old.mode}, New: Entry{Mode: now.mode}}
	if !c.betweenGitlinks() || f.repo.Bare() {
		return false, nil
	}
	ix, err := f.repo.Index()
	if err != nil {
		return false, err
	}
	ignore, err := newSubmodules(f.ctx, f.repo, ix, ChangeOptions{}).ignore(f.follow)
	return ignore == IgnoreAll, err
}

// followed returns what stands at the followed path in a tree; the zero id
// stands for no tree.
func (f *diffFilter) followed(tree plumbing.Hash) (leaf, error) {
	if f.ends == nil {
		path := plainPath{names: strings.Split(f.follow, "/")}
		f.ends = &signatures{reader: f.repo.objects.NewReader(), paths: []plainPath{path}, memo: map[memoKey]leaf{}}
		f.roots = map[plumbing.Hash]leaf{}
	}
	if end, ok := f.roots[tree]; ok {
		return end, nil
	}
	end, err := f.ends.end(tree, 0, 0)
	if err == nil {
		f.roots[tree] = end
	}
	return end, err
}

// findSource looks for the file that the followed path, new in tree, came
// from: any file of the parent counts.
func (f *diffFilter) findSource(parent, tree plumbing.Hash) error {
	var changes []Change
	for c, err := range f.repo.Changes(f.ctx, Tree(parent), Tree(tree), ChangeOptions{}) {
		if err != nil {
			return err
		}
		if c.Kind != Added || c.New.Path == f.follow {
			changes = append(changes, c)
		}
	}
	opts := ChangeOptions{Renames: true, Copies: true, CopyHarder: true, RenameLimit: f.changes.RenameLimit}
	paired, err := f.repo.pair(f.ctx, changes, Tree(parent), Tree(tree), opts)
	if err != nil {
		return err
	}
	for _, c := range paired {
		if c.New.Path == f.follow && (c.Kind == Renamed || c.Kind == Copied) {
			f.watch(c.Old.Path)
			if f.needsChanges() {
				f.shown = []Change{c}
			}
			return nil
		}
	}
	return nil
}

// contains says whether some file's change is what the pickaxe looks for.
func (f *diffFilter) contains(parent, tree plumbing.Hash) (bool, error) {
	for c, err := range f.repo.Changes(f.ctx, sideOf(parent), Tree(tree), f.changes) {
		if err != nil {
			return false, err
		}
		found, err := f.pickaxe.picks(c)
		if err != nil {
			return false, err
		}
		if found && !f.walk.opts.Changes {
			return true, nil
		}
		if found {
			f.shown = append(f.shown, c)
		}
	}
	return len(f.shown) > 0, nil
}
