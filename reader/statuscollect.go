package reader

import (
	"context"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
)

// statusCollector joins by path what the comparisons find.
type statusCollector struct {
	ctx     context.Context
	repo    *Repository
	opts    ChangeOptions
	ix      *index.Index
	entries map[string]*StatusEntry
}

// collect runs both comparisons and returns the untracked and ignored paths.
func (c *statusCollector) collect(head Head, opts StatusOptions, mode UntrackedMode) (untracked, ignored []string, err error) {
	if c.ix, err = c.repo.workIndex(c.ctx); err != nil {
		return nil, nil, err
	}
	s, err := c.repo.newScan(c.ctx, c.ix, scanOptions{
		paths: opts.Paths, tracked: true, untracked: mode, ignored: opts.Ignored, changes: c.opts, cached: true,
	})
	if err != nil {
		return nil, nil, err
	}
	found, err := s.run()
	if err != nil {
		return nil, nil, err
	}
	if err := c.unstaged(s, found.changed); err != nil {
		return nil, nil, err
	}
	return found.untracked, found.ignored, c.staged(head)
}

// entry returns the entry of a path, a new one if need be.
func (c *statusCollector) entry(path string) *StatusEntry {
	e := c.entries[path]
	if e == nil {
		e = &StatusEntry{Path: path}
		c.entries[path] = e
	}
	return e
}

// unstaged takes in the changes from the index to the work tree.
func (c *statusCollector) unstaged(s *scan, files []fileChange) error {
	var changes []Change
	needID := c.opts.Renames && anyAdded(files)
	for _, file := range files {
		change, err := s.change(file)
		if err == nil && needID && change.Kind == Added {
			err = s.identify(&change.New)
		}
		if err != nil {
			return err
		}
		changes = append(changes, change)
	}
	changes, err := c.repo.pairIf(c.ctx, changes, IndexSide, WorkTreeSide, c.opts)
	if err != nil {
		return err
	}
	for i := range changes {
		c.addUnstaged(&changes[i])
	}
	return nil
}

func anyAdded(files []fileChange) bool {
	return slices.ContainsFunc(files, func(f fileChange) bool { return f.kind == Added })
}

func (c *statusCollector) addUnstaged(change *Change) {
	e := c.entry(change.New.Path)
	if e.WorkTree == 0 {
		e.WorkTree = change.Kind
	}
	if change.New.Mode == modeGitlink {
		e.Submodule = change.Submodule
		e.Submodule.Commits = change.Kind != Unmerged && change.Old.ID != change.New.ID
	}
	switch change.Kind {
	case Added:
		e.WorkTreeMode = change.New.Mode
	case Deleted:
		e.IndexMode, e.IndexID = change.Old.Mode, change.Old.ID
	default:
		e.rename(change)
		e.IndexMode, e.IndexID, e.WorkTreeMode = change.Old.Mode, change.Old.ID, change.New.Mode
		if change.Kind == Unmerged {
			e.IndexMode, e.IndexID = 0, plumbing.ZeroHash
			e.conflict(change)
		}
	}
}

// rename notes where a renamed or copied path came from.
func (e *StatusEntry) rename(change *Change) {
	if change.Kind == Renamed || change.Kind == Copied {
		e.OldPath, e.RenameKind, e.Score = change.Old.Path, change.Kind, change.Score*100/60000
	}
}

// conflict notes the stages of an unmerged path.
func (e *StatusEntry) conflict(change *Change) {
	e.Stages = change.Stages
	for i, stage := range change.Stages {
		if stage.Present() {
			e.Conflict |= 1 << i
		}
	}
}

// staged takes in the changes from HEAD to the index.
func (c *statusCollector) staged(head Head) error {
	var tree plumbing.Hash
	if !head.Unborn {
		var err error
		if tree, err = c.repo.treeOfHead(head.ID); err != nil {
			return err
		}
	}
	opts := c.opts
	opts.KeepSameContent = false
	changes, err := c.fromTree(tree)
	if err != nil {
		return err
	}
	if !head.Unborn {
		if changes, err = c.repo.pairIf(c.ctx, changes, Tree(tree), IndexSide, opts); err != nil {
			return err
		}
	}
	for i := range changes {
		c.addStaged(&changes[i])
	}
	return nil
}

// fromTree returns the changes from a tree to the index.
func (c *statusCollector) fromTree(tree plumbing.Hash) ([]Change, error) {
	whole := c.opts.Paths.Empty()
	if changes, known := c.repo.knownStaged(c.ix, tree); known && whole {
		return changes, nil
	}
	var changes []Change
	w := indexWalk{treeWalk{ctx: c.ctx, repo: c.repo, paths: c.opts.Paths, emit: func(change Change) error {
		changes = append(changes, change)
		return nil
	}}, c.ix}
	err := w.run(tree)
	if err == nil && whole {
		c.repo.keepStaged(c.ix, tree, changes)
	}
	return changes, err
}

func (c *statusCollector) addStaged(change *Change) {
	if c.opts.IgnoreSubmodules == IgnoreAll && (change.Old.Mode == modeGitlink || change.New.Mode == modeGitlink) {
		return
	}
	e := c.entry(change.New.Path)
	e.Index = change.Kind
	if change.Kind == Unmerged {
		e.conflict(change)
		return
	}
	e.rename(change)
	e.HeadMode, e.IndexMode = change.Old.Mode, change.New.Mode
	e.HeadID, e.IndexID = change.Old.ID, change.New.ID
}

// sorted returns the entries by path, with the columns filled that no
// comparison had a reason to: those of the side that did not change.
func (c *statusCollector) sorted() []StatusEntry {
	entries := make([]StatusEntry, 0, len(c.entries))
	for _, e := range c.entries {
		if e.Conflict == 0 && e.Index == 0 {
			e.HeadMode, e.HeadID = e.IndexMode, e.IndexID
		}
		if e.Conflict == 0 && e.WorkTree == 0 {
			e.WorkTreeMode = e.IndexMode
		}
		entries = append(entries, *e)
	}
	slices.SortFunc(entries, func(x, y StatusEntry) int { return strings.Compare(x.Path, y.Path) })
	return entries
}

// pairIf pairs renames if the options ask for it.
func (r *Repository) pairIf(ctx context.Context, changes []Change, old, new Side, opts ChangeOptions) ([]Change, error) {
	if !opts.Renames && !opts.Copies {
		return changes, nil
	}
	return r.pair(ctx, changes, old, new, opts)
}
