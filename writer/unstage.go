package writer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// ErrBareReset is git's refusal to reset the index of a repository that has no work tree.
var ErrBareReset = errors.New("mixed reset is not allowed in a bare repository")

// PlanReset plans to bring the index back to HEAD: the paths that the pathspecs select, as git reset -- PATHSPECS does, or
// all of it, as git reset does, which also ends a merge under way (git-reset(1)). The work tree stays. Output lists the
// tracked files that differ from the index then.
func (w *Writer) PlanReset(ctx context.Context, specs []string) (*Plan, error) {
	if _, err := w.repo.WorkTree(); err != nil {
		return nil, ErrBareReset
	}
	if err := w.checkHooks(); err != nil {
		return nil, err
	}
	plan, err := w.newPlan()
	if err != nil {
		return nil, err
	}
	u := &unstaging{plan: plan, ctx: ctx}
	if u.old, err = w.repo.FullIndex(ctx); err != nil {
		return nil, err
	}
	if u.sparse, err = w.repo.SparsePatterns(); err != nil {
		return nil, err
	}
	if err := u.collect(specs); err != nil {
		return nil, err
	}
	if len(specs) == 0 {
		if err := plan.noteReset(); err != nil {
			return nil, err
		}
	}
	return plan, u.finish()
}

// unstaging is the planning of a reset of the index.
type unstaging struct {
	plan    *Plan
	ctx     context.Context
	old     *index.Index // as it is
	sparse  *reader.SparsePatterns
	changes []index.PathChange
	undo    []index.ResolveUndo
}

// collect notes what becomes of the paths that differ from HEAD.
func (u *unstaging) collect(specs []string) error {
	repo, head := u.plan.w.repo, plumbing.ZeroHash
	if !u.plan.expect.head.Unborn {
		var err error
		if head, err = u.plan.w.treeOf(u.plan.expect.head.ID); err != nil {
			return err
		}
	}
	opts := reader.ChangeOptions{IgnoreSubmodules: reader.IgnoreNone}
	if len(specs) > 0 {
		paths, err := repo.Paths(specs)
		if err != nil {
			return err
		}
		opts.Paths = paths
	}
	for c, err := range repo.Changes(u.ctx, treeSide(head), reader.IndexSide, opts) {
		if err != nil {
			return err
		}
		u.path(&c)
	}
	u.dropIntended(opts)
	sortChanges(u.changes)
	return nil
}

// path takes a path back to what HEAD has.
func (u *unstaging) path(c *reader.Change) {
	path := c.New.Path
	if path == "" {
		path = c.Old.Path
	}
	change := index.PathChange{Name: path}
	if undo, unmerged := stagesOf(u.old, path); unmerged {
		u.undo = append(u.undo, undo)
	}
	if c.Old.Present() {
		e := index.Entry{Name: path, Mode: c.Old.Mode, ID: c.Old.ID}
		if at, ok := u.old.FindAny(path); ok {
			e.SkipWorktree = u.old.Entries[at].SkipWorktree
		} else {
			e.SkipWorktree = u.sparse != nil && !u.sparse.Includes(path)
		}
		change.Entries = []index.Entry{e}
	}
	u.changes = append(u.changes, change)
}

// dropIntended takes files out that are only intended to be added, which no comparison with the index shows.
func (u *unstaging) dropIntended(opts reader.ChangeOptions) {
	changed := make(map[string]bool, len(u.changes))
	for i := range u.changes {
		changed[u.changes[i].Name] = true
	}
	for i := range u.old.Entries {
		e := &u.old.Entries[i]
		if e.IntentToAdd && !changed[e.Name] && (opts.Paths == nil || opts.Paths.Match(e.Name, false)) {
			u.changes = append(u.changes, index.PathChange{Name: e.Name})
		}
	}
}

// finish plans the index, compared with the work tree.
func (u *unstaging) finish() error {
	x := u.old.Clone()
	x.Apply(u.changes)
	keepStages(x, u.undo)
	if x.Version == 0 {
		x.Version = newIndexVersion(u.plan.w.repo.Config())
	}
	survey, err := u.plan.w.repo.Survey(u.ctx, reader.SurveyOptions{Index: x})
	if err != nil {
		return err
	}
	resized := refresh(x, survey.Touched)
	u.plan.index = x
	if err := repairTree(x, u.plan.w.repo.Objects()); err != nil {
		return err
	}
	u.plan.Output, err = u.report(x, survey.Changes, resized)
	return err
}

// report is what git prints of files that differ from the index.
func (u *unstaging) report(x *index.Index, changes []reader.Change, resized []string) (string, error) {
	letters := map[string]byte{}
	for i := range changes {
		c := &changes[i]
		path := c.New.Path
		if path == "" {
			path = c.Old.Path
		}
		var err error
		if letters[path], err = u.letter(x, path, c.Kind); err != nil {
			return "", err
		}
	}
	for _, path := range resized {
		letters[path] = 'M'
	}
	if len(letters) == 0 {
		return "", nil
	}
	var out strings.Builder
	out.WriteString("Unstaged changes after reset:\n")
	for _, path := range slices.Sorted(maps.Keys(letters)) {
		fmt.Fprintf(&out, "%c\t%s\n", letters[path], path)
	}
	return out.String(), nil
}

// letter is git's for a file's difference from the index. One below what is no directory any more counts as modified.
func (u *unstaging) letter(x *index.Index, path string, kind reader.Kind) (byte, error) {
	if at, ok := x.FindAny(path); ok && x.Entries[at].Stage != 0 {
		return 'U', nil
	}
	if kind != reader.Deleted {
		return byte(kind), nil
	}
	top, err := u.plan.w.repo.WorkTree()
	if err != nil {
		return 0, err
	}
	_, err = top.Lstat(path)
	switch {
	case err == nil: // a directory
		return 'T', nil
	case errors.Is(err, sandbox.ErrNotDir):
		return 'M', nil
	}
	return 'D', nil
}
