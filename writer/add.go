package writer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// AddError is a reason for which git add stops before it has changed anything.
type AddError struct{ text string }

// Error is git's text.
func (e *AddError) Error() string { return e.text }

func addError(format string, args ...any) error { return &AddError{fmt.Sprintf(format, args...)} }

// NoCommitError says that a repository inside the work tree has no commit that could be added.
type NoCommitError struct{ Path string }

// Error is git's text.
func (e *NoCommitError) Error() string {
	return fmt.Sprintf("'%s' does not have a commit checked out\nfatal: adding files failed", e.Path)
}

// GitLevel makes the first line an error, as git prints it.
func (e *NoCommitError) GitLevel() string { return "error" }

// IgnoredError says that ignored paths were named. All others have been added.
type IgnoredError struct{ Paths []string }

// Error is git's text.
func (e *IgnoredError) Error() string {
	return "The following paths are ignored by one of your .gitignore files:\n" + strings.Join(e.Paths, "\n")
}

// GitLevel says that the text stands as it is.
func (e *IgnoredError) GitLevel() string { return "" }

// SparseError says that paths outside the sparse checkout were named. All others have been added.
type SparseError struct{ Paths []string }

// Error is git's text.
func (e *SparseError) Error() string {
	return "The following paths and/or pathspecs matched paths that exist\n" +
		"outside of your sparse-checkout definition, so will not be\n" +
		"updated in the index:\n" + strings.Join(e.Paths, "\n")
}

// GitLevel says that the text stands as it is.
func (e *SparseError) GitLevel() string { return "" }

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
	symlinks bool

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
	if a.fileMode, err = config.Bool("core.fileMode", true); err != nil {
		return err
	}
	a.symlinks, err = config.Bool("core.symlinks", true)
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
		if err := a.change(&survey.Changes[i]); err != nil {
			return err
		}
	}
	for _, path := range survey.Untracked {
		if dir, nested := strings.CutSuffix(path, "/"); nested && a.matched.LeadsInto(dir) {
			// git looks for what the wildcards select in there, finds nothing, and passes the repository over.
			continue
		}
		if err := a.untracked(path); err != nil {
			return err
		}
	}
	a.finish(survey.Touched)
	switch {
	case len(ignored) > 0:
		a.plan.Err = &IgnoredError{ignored}
	case len(a.outside) > 0:
		a.plan.Err = &SparseError{a.outside}
	}
	return nil
}

// checkPlace refuses a pathspec that leads through a link or into a submodule.
func (a *adding) checkPlace(item pathspec.Item) error {
	path := strings.TrimSuffix(item.Path, "/")
	for slash := strings.IndexByte(path, '/'); slash >= 0; slash = nextSlash(path, slash) {
		stat, err := a.stat(path[:slash])
		if err == nil && stat.IsSymlink() {
			return addError("pathspec '%s' is beyond a symbolic link", item.Original)
		}
		if at, ok := a.x.Find(path[:slash], 0); ok && a.x.Entries[at].IsGitlink() {
			return addError("Pathspec '%s' is in submodule '%s'", item.Original, path[:slash])
		}
	}
	return nil
}

func (a *adding) stat(path string) (sandbox.Stat, error) {
	top, err := a.w.repo.WorkTree()
	if err != nil {
		return sandbox.Stat{}, err
	}
	return top.Lstat(path)
}

// checkMatched refuses pathspecs that select nothing, and returns the ignored paths that are named.
func (a *adding) checkMatched(survey *reader.Survey) (ignored []string, err error) {
	var hidden []*index.Entry
	for i := range a.x.Entries {
		e := &a.x.Entries[i]
		if e.SkipWorktree || a.sparse != nil && !a.sparse.Includes(e.Name) {
			hidden = append(hidden, e)
			continue
		}
		a.matched.Match(e.Name, e.IsGitlink())
	}
	for _, path := range survey.Untracked {
		a.matched.Match(strings.TrimSuffix(path, "/"), strings.HasSuffix(path, "/"))
	}
	items := a.matched.Items()
	for _, e := range hidden {
		a.matched.Match(e.Name, e.IsGitlink())
	}
	for i, item := range a.matched.Items() {
		if item.Matched && !items[i].Matched && item.Magic&pathspec.Exclude == 0 {
			a.outside = append(a.outside, item.Original)
		}
		if item.Path == "" {
			continue
		}
		name, err := a.ignoredName(item)
		if err != nil {
			return nil, err
		}
		switch {
		case name != "":
			if !slices.Contains(ignored, name) {
				ignored = append(ignored, name)
			}
		case !item.Matched && item.Magic&pathspec.Exclude == 0 && !a.exists(item):
			return nil, addError("pathspec '%s' did not match any files", item.Original)
		}
	}
	return ignored, nil
}

// exists reports whether a pathspec that selects nothing is at least the name of something.
func (a *adding) exists(item pathspec.Item) bool {
	path := strings.TrimSuffix(item.Path, "/")
	if item.Magic&(pathspec.Glob|pathspec.ICase) != 0 || !index.ValidPath(path) {
		return false
	}
	_, err := a.stat(path)
	return err == nil
}

// ignoredName returns the untracked, ignored file or the ignored directory that a pathspec names or lies in, "" when there is
// none. A directory counts also when files in it are tracked.
func (a *adding) ignoredName(item pathspec.Item) (string, error) {
	path := strings.TrimSuffix(withoutWildcards(item), "/")
	if item.Magic&pathspec.ICase != 0 || !index.ValidPath(path) {
		return "", nil
	}
	if a.ignoring == nil {
		var err error
		if a.ignoring, err = a.w.repo.Ignoring(a.ctx, a.x); err != nil {
			return "", err
		}
	}
	for end := strings.IndexByte(path, '/'); ; end = nextSlash(path, end) {
		name := path
		if end >= 0 {
			name = path[:end]
		}
		stat, err := a.stat(name)
		if err != nil {
			return "", nil
		}
		if _, tracked := a.x.FindAny(name); !tracked {
			result, err := a.ignoring.Match(name, stat.IsDir())
			if err != nil {
				return "", err
			}
			if result.Ignored {
				return name, nil
			}
		}
		if end < 0 {
			return "", nil
		}
	}
}

// withoutWildcards is the part of a pathspec before its first wildcard.
func withoutWildcards(item pathspec.Item) string {
	if at := strings.IndexAny(item.Path, "*?[\\"); at >= 0 && !item.Literal {
		return item.Path[:at]
	}
	return item.Path
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

// keepStages records what can be restored of conflicts that are resolved now.
func keepStages(x *index.Index, undo []index.ResolveUndo) {
	byName := func(r index.ResolveUndo, name string) int { return strings.Compare(r.Name, name) }
	for _, u := range undo {
		at, found := slices.BinarySearchFunc(x.ResolveUndo, u.Name, byName)
		if found {
			x.ResolveUndo[at] = u
		} else {
			x.ResolveUndo = slices.Insert(x.ResolveUndo, at, u)
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

// stage plans a path's new entry; mode 0 takes it from the file.
func (a *adding) stage(path string, mode uint32) error {
	stat, err := a.stat(path)
	if err != nil {
		return err
	}
	if mode == 0 {
		mode = a.modeOf(path, stat)
	}
	if err := a.rules.check(path, mode); err != nil {
		return err
	}
	e := index.Entry{Name: path, Mode: mode}
	e.SetStat(&stat)
	if mode == index.ModeGitlink {
		var ok bool
		if e.ID, ok = a.w.repo.NestedHead(a.ctx, path); !ok {
			return &NoCommitError{path + "/"}
		}
	} else if e.ID, err = a.blob(path); err != nil {
		return err
	}
	a.changes = append(a.changes, index.PathChange{Name: path, Entries: []index.Entry{e}})
	return nil
}

// modeOf is the mode of a file. What the file system is said not to tell, executable bits and links, is taken from the index
// (core.fileMode and core.symlinks in git-config(1)).
func (a *adding) modeOf(path string, stat sandbox.Stat) uint32 {
	known := a.knownMode(path)
	switch {
	case stat.IsSymlink():
		return index.ModeSymlink
	case !a.symlinks && known == index.ModeSymlink:
		return known
	case !a.fileMode && (known == index.ModeFile || known == index.ModeExecutable):
		return known
	case a.fileMode && stat.Mode.Perm()&0o100 != 0:
		return index.ModeExecutable
	}
	return index.ModeFile
}

// knownMode is the mode in the index, of an unmerged path our side's, else the base's, else theirs; 0 for a new path.
func (a *adding) knownMode(path string) uint32 {
	for _, stage := range []uint8{0, 2, 1, 3} {
		if at, ok := a.x.Find(path, stage); ok {
			return a.x.Entries[at].Mode
		}
	}
	return 0
}

// blob plans the object of a file.
func (a *adding) blob(path string) (plumbing.Hash, error) {
	data, err := a.cleaner.Content(path)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	objects := a.plan.objects
	id, err := objects.hasher.id(plumbing.BlobObject, data)
	if err == nil {
		objects.addBlob(id, data, func() ([]byte, error) { return a.cleaner.Content(path) })
	}
	return id, err
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
