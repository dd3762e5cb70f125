package writer

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/reader"
)

// PlanAdd plans to bring the index up to date with what the pathspecs select of the work tree: changed, new and deleted
// files, as git add -- PATHSPECS does (git-add(1)). Ignored files that are named, and those outside a sparse checkout, give
// the plan an Err beside what it does; a pathspec that selects nothing is an error.
func (w *Writer) PlanAdd(ctx context.Context, specs []string) (*Plan, error) {
	if _, err := w.repo.WorkTree(); err != nil {
		return nil, err
	}
	if len(specs) == 0 {
		return nil, addError("Nothing specified, nothing added.")
	}
	if err := w.checkHooks(); err != nil {
		return nil, err
	}
	plan, err := w.newPlan()
	if err != nil {
		return nil, err
	}
	a, err := w.newAdding(ctx, plan, specs)
	if err != nil {
		return nil, err
	}
	if a.ignoring != nil {
		defer a.ignoring.Close()
	}
	if err := a.run(); err != nil {
		return nil, err
	}
	return plan, nil
}

// adding is the planning of one add.
type adding struct {
	w        *Writer
	ctx      context.Context
	plan     *Plan
	x        *index.Index // as it is
	paths    *pathspec.Spec
	matched  *pathspec.Spec // the same, for what is really there
	cleaner  *reader.Cleaner
	ignoring *reader.Ignoring
	sparse   *reader.SparsePatterns
	rules    pathRules
	fileMode bool

	ignoreErrors bool     // add.ignoreErrors: what cannot be added is passed over
	failures     []string // that were passed over

	changes []index.PathChange
	undo    []index.ResolveUndo
	outside []string // of the sparse checkout
}

func (w *Writer) newAdding(ctx context.Context, plan *Plan, specs []string) (*adding, error) {
	a := &adding{w: w, ctx: ctx, plan: plan}
	var err error
	if a.x, err = w.repo.FullIndex(ctx); err != nil {
		return nil, err
	}
	if a.paths, err = w.repo.Paths(specs); err != nil {
		return nil, err
	}
	if a.matched, err = w.repo.Paths(specs); err != nil {
		return nil, err
	}
	if a.cleaner, err = w.repo.Cleaner(ctx, a.x); err != nil {
		return nil, err
	}
	a.cleaner.ForWriting()
	if a.sparse, err = w.repo.SparsePatterns(); err != nil {
		return nil, err
	}
	return a, a.readConfig()
}

func (a *adding) readConfig() (err error) {
	config := a.w.repo.Config()
	if a.rules, err = newPathRules(config); err != nil {
		return err
	}
	if a.ignoreErrors, err = config.Bool("add.ignoreErrors", false); err != nil {
		return err
	}
	a.fileMode, err = config.Bool("core.fileMode", true)
	return err
}

func (a *adding) run() error {
	for _, item := range a.paths.Items() {
		if err := a.checkPlace(item); err != nil {
			return err
		}
	}
	survey, err := a.w.repo.Survey(a.ctx, reader.SurveyOptions{Paths: a.paths, Untracked: true, ByStat: true})
	if err != nil {
		return err
	}
	ignored, err := a.checkMatched(survey)
	if err != nil {
		return err
	}
	for i := range survey.Changes {
		if err := a.tolerated(a.change(&survey.Changes[i])); err != nil {
			return err
		}
	}
	for _, path := range survey.Untracked {
		if dir, nested := strings.CutSuffix(path, "/"); nested && a.matched.LeadsInto(dir) {
			// git looks for what the wildcards select in there, finds nothing, and passes the repository over.
			continue
		}
		if err := a.tolerated(a.untracked(path)); err != nil {
			return err
		}
	}
	a.finish(survey.Touched)
	switch {
	case len(a.failures) > 0:
		a.plan.Err = &PassedOverError{a.failures}
	case len(ignored) > 0:
		a.plan.Err = &IgnoredError{ignored}
	case len(a.outside) > 0:
		a.plan.Err = &SparseError{a.outside}
	}
	return nil
}

// tolerated notes the error of a path that is passed over under add.ignoreErrors.
func (a *adding) tolerated(err error) error {
	if err == nil || !a.ignoreErrors {
		return err
	}
	var ofPath interface{ passedOver() string }
	if !errors.As(err, &ofPath) {
		return err
	}
	a.failures = append(a.failures, ofPath.passedOver())
	return nil
}

// change plans what becomes of a tracked path.
func (a *adding) change(c *reader.Change) error {
	path := c.Old.Path
	if path == "" {
		path = c.New.Path
	}
	if len(a.changes) > 0 && a.changes[len(a.changes)-1].Name == path {
		return nil // our stage of an unmerged path, a second time
	}
	if a.sparse != nil && !a.sparse.Includes(path) {
		return nil
	}
	a.resolve(path)
	if !c.New.Present() {
		a.changes = append(a.changes, index.PathChange{Name: path})
		return nil
	}
	mode := c.New.Mode
	if mode != index.ModeGitlink {
		mode = 0 // an unmerged path's is not known yet
	}
	return a.stage(path, mode)
}

// resolve notes the stages of an unmerged path.
func (a *adding) resolve(path string) {
	if undo, ok := stagesOf(a.x, path); ok {
		a.undo = append(a.undo, undo)
	}
}

// stagesOf returns the stages of an unmerged path, which git can restore (gitformat-index(5), "Resolve undo").
func stagesOf(x *index.Index, path string) (undo index.ResolveUndo, unmerged bool) {
	at, ok := x.FindAny(path)
	if !ok || x.Entries[at].Stage == 0 {
		return undo, false
	}
	undo.Name = path
	for ; at < len(x.Entries) && x.Entries[at].Name == path; at++ {
		e := &x.Entries[at]
		undo.Modes[e.Stage-1], undo.IDs[e.Stage-1] = e.Mode, e.ID
	}
	return undo, true
}

// keepStages records what can be restored of conflicts that are resolved now. Of an earlier conflict of the path those stages
// stay that this one does not have.
func keepStages(x *index.Index, undo []index.ResolveUndo) {
	byName := func(r index.ResolveUndo, name string) int { return strings.Compare(r.Name, name) }
	for _, u := range undo {
		at, found := slices.BinarySearchFunc(x.ResolveUndo, u.Name, byName)
		if !found {
			x.ResolveUndo = slices.Insert(x.ResolveUndo, at, u)
			continue
		}
		for stage, mode := range u.Modes {
			if mode != 0 {
				x.ResolveUndo[at].Modes[stage], x.ResolveUndo[at].IDs[stage] = mode, u.IDs[stage]
			}
		}
	}
}

// untracked plans a new file, or a nested repository.
func (a *adding) untracked(path string) error {
	if a.sparse != nil && !a.sparse.Includes(path) {
		a.outside = append(a.outside, path)
		return nil
	}
	name, nested := strings.CutSuffix(path, "/")
	if nested {
		return a.stage(name, index.ModeGitlink)
	}
	return a.stage(name, 0)
}

// finish plans the new index.
func (a *adding) finish(touched []reader.Touched) {
	if len(a.changes) == 0 && len(touched) == 0 {
		return
	}
	x := a.x.Clone()
	refresh(x, touched)
	a.dropConflicts()
	sortChanges(a.changes)
	x.Apply(a.changes)
	keepStages(x, a.undo)
	if x.Version == 0 {
		x.Version = newIndexVersion(a.w.repo.Config())
	}
	a.plan.index = x
}

// refresh takes over the stat data of files whose content is known to be the index's. It returns those of another size than
// the index notes, which conversions can hide: git takes them for changed without a look.
func refresh(x *index.Index, touched []reader.Touched) (resized []string) {
	for i := range touched {
		at, ok := x.Find(touched[i].Path, 0)
		if !ok {
			continue
		}
		e := &x.Entries[at]
		if e.Size != 0 && e.Size != uint32(touched[i].Stat.Size) {
			resized = append(resized, e.Name)
			continue
		}
		e.SetStat(&touched[i].Stat)
	}
	return resized
}

// dropConflicts takes out of the index what cannot be beside a new path: a file in the place of one of its directories, and
// what is below it.
func (a *adding) dropConflicts() {
	planned := make(map[string]bool, len(a.changes))
	for i := range a.changes {
		planned[a.changes[i].Name] = true
	}
	drop := func(name string) {
		if !planned[name] {
			planned[name] = true
			a.changes = append(a.changes, index.PathChange{Name: name})
		}
	}
	for _, c := range a.changes[:len(a.changes):len(a.changes)] {
		if len(c.Entries) == 0 {
			continue
		}
		for slash := strings.IndexByte(c.Name, '/'); slash >= 0; slash = nextSlash(c.Name, slash) {
			if _, ok := a.x.FindAny(c.Name[:slash]); ok {
				drop(c.Name[:slash])
			}
		}
		from, to := a.x.DirRange(c.Name)
		for i := from; i < to; i++ {
			drop(a.x.Entries[i].Name)
		}
	}
}
