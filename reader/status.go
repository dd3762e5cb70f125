package reader

import (
	"context"
	"errors"
	"fmt"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
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
