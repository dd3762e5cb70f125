package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/refs"
)

// Status compares HEAD, the index and the work tree as git status
// (git-status(1)) does. Nothing is written, not even the index's stat data.
// Without a work tree the error is ErrNoWorkTree. When HEAD or the index is
// replaced meanwhile it looks again, at most twice, so that it does not compare
// an old one with a new one.
func (r *Repository) Status(ctx context.Context, opts StatusOptions) (*Status, error) {
	const attempts = 3
	for range attempts - 1 {
		head, _ := r.Head()
		ix, _ := r.Index()
		status, err := r.statusOnce(ctx, opts)
		if r.still(head, ix) {
			return status, err
		}
	}
	return r.statusOnce(ctx, opts)
}

// still reports that HEAD and the index are the given ones.
func (r *Repository) still(head Head, ix *index.Index) bool {
	nowHead, _ := r.Head()
	now, _ := r.Index()
	none := ix != nil && now != nil && len(ix.Entries)+len(now.Entries) == 0
	return nowHead == head && (now == ix || none)
}

func (r *Repository) statusOnce(ctx context.Context, opts StatusOptions) (*Status, error) {
	if _, err := r.WorkTree(); err != nil {
		return nil, err
	}
	mode, err := r.untrackedMode(opts.Untracked)
	if err != nil {
		return nil, err
	}
	if opts.Ignored == IgnoredMatching && mode == UntrackedNo {
		return nil, errors.New("Unsupported combination of ignored and untracked-files arguments")
	}
	changes, err := statusChangeOptions(r.Config(), opts, mode)
	if err != nil {
		return nil, err
	}
	head, err := r.Head()
	if broken := (*refs.BrokenError)(nil); errors.As(err, &broken) {
		head, opts.NoBranch = Head{Branch: "(unknown)", Unborn: true}, true // what git makes of it
	} else if err != nil {
		return nil, err
	}
	c := statusCollector{ctx: ctx, repo: r, opts: changes, entries: map[string]*StatusEntry{}}
	status := &Status{Prefix: r.Prefix(), Mode: mode}
	status.Branch = StatusBranch{ID: head.ID, Name: head.Branch, Detached: head.Detached, Unborn: head.Unborn}
	if status.Untracked, status.Ignored, err = c.collect(head, opts, mode); err != nil {
		return nil, err
	}
	status.Entries = c.sorted()
	if opts.Operation {
		if err := r.describe(ctx, status, c.ix); err != nil {
			return nil, err
		}
	}
	if status.Stashes, err = r.shownStashes(); err != nil {
		return nil, err
	}
	if !opts.NoBranch {
		err = r.track(ctx, &status.Branch, opts.QuickBranch)
	}
	return status, err
}

// Dirty reports whether Status would have an entry or, unless opts.Untracked is
// UntrackedNo, an untracked path. It stops at the first one.
func (r *Repository) Dirty(ctx context.Context, opts StatusOptions) (bool, error) {
	mode, err := r.untrackedMode(opts.Untracked)
	if err != nil {
		return false, err
	}
	changes, err := statusChangeOptions(r.Config(), opts, mode)
	if err != nil {
		return false, err
	}
	head, err := r.Head()
	if err != nil {
		return false, err
	}
	changes.Renames, changes.Copies = false, false
	c := statusCollector{ctx: ctx, repo: r, opts: changes, entries: map[string]*StatusEntry{}}
	if c.ix, err = r.workIndex(ctx); err != nil {
		return false, err
	}
	if err := c.staged(head); err != nil || len(c.entries) > 0 {
		return len(c.entries) > 0, err
	}
	s, err := r.newScan(ctx, c.ix, scanOptions{paths: opts.Paths, tracked: true, untracked: mode, changes: changes, anyWill: true, cached: true})
	if err != nil {
		return false, err
	}
	found, err := s.run()
	return len(found.changed)+len(found.untracked) > 0, err
}

// untrackedMode is the mode in force: the asked for, or the configured.
func (r *Repository) untrackedMode(asked UntrackedMode) (UntrackedMode, error) {
	if asked == "" {
		asked = UntrackedNormal
		if entry, ok := r.Config().Entry("status.showuntrackedfiles"); ok {
			return UntrackedMode(entry.Value), checkUntrackedMode(entry)
		}
	}
	if !asked.valid() {
		return "", fmt.Errorf("Invalid untracked files mode '%s'", asked)
	}
	return asked, nil
}

func (m UntrackedMode) valid() bool {
	return m == UntrackedNo || m == UntrackedNormal || m == UntrackedAll
}

func checkUntrackedMode(e gitconfig.Entry) error {
	if !e.HasValue {
		return complaint("missing value for 'status.showuntrackedfiles'")
	}
	if !UntrackedMode(e.Value).valid() {
		return complaint(fmt.Sprintf("Invalid untracked files mode '%s'", e.Value))
	}
	return nil
}

// statusChangeOptions are the rename and submodule settings of git status. Of
// several diff.renames, as of several diff.renameLimit, the first counts.
func statusChangeOptions(cfg *gitconfig.Config, opts StatusOptions, mode UntrackedMode) (ChangeOptions, error) {
	changes := ChangeOptions{
		Paths: opts.Paths, Renames: true, KeepSameContent: true, RefuseLinkedSubmodules: true,
		IgnoreSubmodules: opts.IgnoreSubmodules, submoduleDefault: IgnoreNone,
	}
	if mode == UntrackedNo {
		changes.submoduleDefault = IgnoreUntracked
	}
	key := "status.renames"
	value, ok := cfg.Get(key)
	if !ok {
		key = "diff.renames"
		value, ok = first(cfg.All(key))
	}
	if ok {
		if value == "copies" || value == "copy" {
			changes.Copies = true
		} else {
			on, err := gitconfig.ParseBool(value, true)
			if entry, _ := cfg.Entry(key); !entry.HasValue && value == "" {
				on, err = true, nil
			}
			if err != nil {
				return changes, fmt.Errorf("bad boolean config value '%s' for '%s'", value, key)
			}
			changes.Renames = on
		}
	}
	limit, ok, err := renameLimit(cfg)
	if ok && limit <= 0 {
		limit = -1
	}
	changes.RenameLimit = limit
	return changes, err
}

func renameLimit(cfg *gitconfig.Config) (int, bool, error) {
	if _, ok := cfg.Get("status.renamelimit"); ok {
		limit, err := cfg.Int("status.renamelimit", 0)
		return int(limit), true, err
	}
	entry, ok := cfg.Entry("diff.renamelimit")
	if !ok {
		return 0, false, nil
	}
	if entry.Value, ok = first(cfg.All("diff.renamelimit")); !ok {
		return 0, false, nil
	}
	limit, err := entry.Int()
	return int(limit), true, err
}

func first(values []string) (string, bool) {
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}

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

// HeadSide is HEAD's tree as a side of a comparison: Empty before the first
// commit and, as in git diff, where HEAD leads to no commit that is there.
func (r *Repository) HeadSide() (Side, error) {
	head, err := r.Head()
	if broken := (*refs.BrokenError)(nil); errors.As(err, &broken) || head.Unborn {
		return Empty, nil
	} else if err != nil {
		return nil, err
	}
	tree, err := r.treeOfHead(head.ID)
	var lost *MissingCommitError
	if errors.As(err, &lost) {
		return Empty, nil
	}
	return Tree(tree), err
}

// treeOfHead returns the id of the tree of HEAD's commit. That both are there is
// looked up even where the index knows the tree's content, as git does.
func (r *Repository) treeOfHead(id plumbing.Hash) (plumbing.Hash, error) {
	tree, err := r.treeOfCommit(id)
	if err != nil {
		return plumbing.ZeroHash, badHead(commitError(id, err))
	}
	if !r.Objects().Has(tree) {
		return plumbing.ZeroHash, complaint("bad tree object HEAD")
	}
	return tree, nil
}

// treeOfCommit returns the id of a commit's tree.
func (r *Repository) treeOfCommit(id plumbing.Hash) (plumbing.Hash, error) {
	kind, data, err := r.Objects().Read(id)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if kind != plumbing.CommitObject {
		return plumbing.ZeroHash, fmt.Errorf("object %s is a %s, not a commit", id, kind)
	}
	tree, _, err := object.CommitTree(id, data)
	return tree, err
}
