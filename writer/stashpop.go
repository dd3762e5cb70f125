package writer

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// Errors of applying a stash.
var (
	// ErrStashConflict says that the stash was applied with conflicts, which are marked in the files; it is kept.
	ErrStashConflict = errors.New("the stash was applied with conflicts")
	// ErrStashUntracked says that untracked files of the stash are in the way of others; the rest was applied, and it is kept.
	ErrStashUntracked error = levelError("could not restore untracked files from stash")
)

// levelError is a sentence that git prints after "error: ".
type levelError string

func (e levelError) Error() string { return string(e) }

// GitLevel makes it an error, as git prints it.
func (levelError) GitLevel() string { return "error" }

// stashKept is what git says last when a stash could not be popped.
const stashKept = "The stash entry is kept in case you need it again.\n"

// stashEntry is a stash's commits, as trees.
type stashEntry struct {
	id         plumbing.Hash
	base, work plumbing.Hash // HEAD's tree when it was made, and the tree of the work tree then
	untracked  plumbing.Hash // tree of saved untracked files; zero without
}

// newestStash reads refs/stash.
func (w *Writer) newestStash() (stashEntry, error) {
	ref, err := w.repo.Refs().Resolve(stashRef)
	if err != nil {
		return stashEntry{}, ErrNoStash
	}
	s := stashEntry{id: ref.ID}
	_, data, err := w.repo.Objects().Read(ref.ID)
	if err != nil {
		return s, err
	}
	commit, err := object.ParseCommit(ref.ID, data)
	if err != nil {
		return s, err
	}
	if len(commit.Parents) < 2 {
		return s, &CheckoutError{"'refs/stash@{0}' is not a stash-like commit"}
	}
	s.work = commit.Tree
	if s.base, err = w.treeOf(commit.Parents[0]); err != nil {
		return s, err
	}
	if len(commit.Parents) > 2 {
		s.untracked, err = w.treeOf(commit.Parents[2])
	}
	return s, err
}

// PlanStashPop plans to apply the newest stash to the work tree and to drop it, as git stash pop does (git-stash(1)): its
// changes are merged with those made since. Only new files are staged. Conflicts are marked and leave the stash in place:
// Apply returns ErrStashConflict then, after all is done. The plan's Output is what the merge has to say.
func (w *Writer) PlanStashPop(ctx context.Context) (*Plan, error) {
	plan, err := w.planStashApply(ctx)
	var unmerged *StashMergeError
	if errors.As(err, &unmerged) {
		unmerged.kept = true
	}
	if err != nil {
		return nil, err
	}
	if plan.Err != nil {
		plan.Trailer = stashKept
		return plan, nil
	}
	return plan, w.planStashDrop(plan)
}

// PlanStashApply is PlanStashPop without the drop.
func (w *Writer) PlanStashApply(ctx context.Context) (*Plan, error) { return w.planStashApply(ctx) }

// PlanStashDrop plans to drop the newest stash.
func (w *Writer) PlanStashDrop(ctx context.Context) (*Plan, error) {
	if _, err := w.newestStash(); err != nil {
		return nil, err
	}
	plan, err := w.newPlan()
	if err != nil {
		return nil, err
	}
	plan.refsOnly = true
	return plan, w.planStashDrop(plan)
}

func (w *Writer) planStashApply(ctx context.Context) (*Plan, error) {
	if _, err := w.repo.WorkTree(); err != nil {
		return nil, err
	}
	if err := w.checkHooks(); err != nil {
		return nil, err
	}
	stash, err := w.newestStash()
	if err != nil {
		return nil, err
	}
	plan, err := w.newPlan()
	if err != nil {
		return nil, err
	}
	now, err := w.repo.FullIndex(ctx)
	if err != nil {
		return nil, err
	}
	if paths := unmergedPaths(now); len(paths) > 0 {
		return nil, &StashMergeError{Paths: paths}
	}
	current, err := writeTree(now.Clone(), plan.objects)
	if err != nil {
		return nil, err
	}
	if stash.base == stash.work { // only untracked files
		plan.Output = "Already up to date.\n"
		return plan, plan.restoreUntracked(ctx, stash.untracked)
	}
	merged, err := w.mergeStash(ctx, plan, now, stash, current)
	if err != nil {
		return nil, err
	}
	err = plan.switchToMerge(ctx, now, merged, stash.id)
	var refused *OverwriteError
	if errors.As(err, &refused) && !stash.untracked.IsZero() { // git restores the untracked files all the same
		if plan, err = w.newPlan(); err == nil {
			plan.Err = refused
		}
	}
	if err != nil {
		return nil, err
	}
	return plan, plan.restoreUntracked(ctx, stash.untracked)
}

// mergeStash merges the stash's changes into the current tree.
func (w *Writer) mergeStash(ctx context.Context, plan *Plan, now *index.Index, stash stashEntry, current plumbing.Hash) ([]*mergePath, error) {
	texts, err := newTextMerger(ctx, w.repo, now)
	if err != nil {
		return nil, err
	}
	m := &treeMerge{w: w, ctx: ctx, objects: plan.objects, texts: texts, base: stash.base, theirs: stash.work, now: now,
		labels: mergeLabels{"Stash base", "Updated upstream", "Stashed changes"}}
	if stash.base == current {
		m.labels[oursSide] = "Version stash was based on"
	}
	return m.merge()
}

// switchToMerge plans to bring index and work tree to the result of a merge: conflicts into the index, everything else back
// out of it unless the file is new or there is a conflict.
func (p *Plan) switchToMerge(ctx context.Context, now *index.Index, merged []*mergePath, stash plumbing.Hash) error {
	s, err := p.newTreeSwitch(ctx, "stash "+stash.String())
	if err != nil {
		return err
	}
	defer s.ignoring.Close()
	s.sparse = nil // what is merged is checked out
	var changes []reader.Change
	for _, m := range merged {
		p.Output += joinLines(m.messages)
		if m.conflict {
			p.Err = ErrStashConflict
		}
		if m.remark {
			continue
		}
		if c := (reader.Change{Old: indexSide(now, m.path), New: m.result}); !sameEntry(c.Old, c.New) {
			c.New.Path = m.path
			changes = append(changes, c)
		}
	}
	for i := range changes {
		s.noteGone(&changes[i])
	}
	for i := range changes {
		if err := s.path(&changes[i]); err != nil {
			return err
		}
	}
	if err := s.refused.err("merge"); err != nil {
		return err
	}
	s.settle = func(result *index.Index) (*index.Index, error) {
		if err := p.noteAutoMerge(result); err != nil {
			return nil, err
		}
		if p.Err != nil {
			return withConflicts(result, merged), nil
		}
		return unstaged(result, now, merged), nil
	}
	return s.finish()
}

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// indexSide is a path's entry as a side of a change.
func indexSide(x *index.Index, path string) reader.Entry {
	e := reader.Entry{Path: path}
	if at, ok := x.Find(path, 0); ok {
		e.Mode, e.ID = x.Entries[at].Mode, x.Entries[at].ID
	}
	return e
}

// noteAutoMerge plans the merge's whole result as a tree, which git keeps in AUTO_MERGE.
func (p *Plan) noteAutoMerge(result *index.Index) error {
	id, err := writeTree(result.Clone(), p.objects)
	if err != nil {
		return err
	}
	p.state = append(p.state, stateFile{name: "AUTO_MERGE", data: []byte(id.String() + "\n")})
	return nil
}

// withConflicts returns the index with the sides of each conflict in its stages.
func withConflicts(result *index.Index, merged []*mergePath) *index.Index {
	x := result.Clone()
	var changes []index.PathChange
	for _, m := range merged {
		if !m.conflict || m.remark {
			continue
		}
		change := index.PathChange{Name: m.path}
		for side, e := range m.sides {
			if e.Present() {
				change.Entries = append(change.Entries, index.Entry{Name: m.path, Mode: e.Mode, ID: e.ID, Stage: uint8(side + 1)})
			}
		}
		changes = append(changes, change)
	}
	sortChanges(changes)
	x.Apply(changes)
	return x
}

// unstaged returns the index as it was before the merge, with the files that the merge added.
func unstaged(result, before *index.Index, merged []*mergePath) *index.Index {
	x := result.Clone()
	var changes []index.PathChange
	for _, m := range merged {
		at, ok := before.Find(m.path, 0)
		if !ok || m.remark || sameEntry(indexSide(before, m.path), m.result) {
			continue
		}
		if _, still := result.Find(m.path, 0); !still && displaced(result, m.path) {
			continue
		}
		e := index.Entry{Name: m.path, Mode: before.Entries[at].Mode, ID: before.Entries[at].ID} // flags go, in git too
		changes = append(changes, index.PathChange{Name: m.path, Entries: []index.Entry{e}})
	}
	sortChanges(changes)
	x.Apply(changes)
	return x
}

// displaced reports whether an index has something in a path's place: files below it, or one for a directory above it.
func displaced(x *index.Index, path string) bool {
	if x.HasDir(path) {
		return true
	}
	for dir := dirOf(path); dir != ""; dir = dirOf(dir) {
		if _, ok := x.Find(dir, 0); ok {
			return true
		}
	}
	return false
}

// fileAbove reports whether a file or link is, and stays, in the place of a directory above a path.
func (p *Plan) fileAbove(path string) bool {
	for dir := dirOf(path); dir != ""; dir = dirOf(dir) {
		if stat, err := p.statFile(dir); err == nil && stat.Mode != 0 {
			return !stat.IsDir() && !p.vacates(dir, stat)
		}
	}
	return false
}

// vacates reports whether nothing is left in a path's place once the plan's files are removed.
func (p *Plan) vacates(path string, stat sandbox.Stat) bool {
	goes := map[string]bool{}
	for i := range p.files {
		if p.files[i].mode == 0 {
			goes[p.files[i].path] = true
		}
	}
	return goes[path] || stat.IsDir() && p.vacatesDir(path, goes)
}

func (p *Plan) vacatesDir(path string, goes map[string]bool) bool {
	top, err := p.w.repo.WorkTree()
	if err != nil {
		return false
	}
	dir, err := top.OpenDir(path)
	if err != nil {
		return false
	}
	defer dir.Close()
	entries, err := dir.ReadDir()
	for _, e := range entries {
		name := path + "/" + e.Name
		if !goes[name] && !(e.Type.IsDir() && p.vacatesDir(name, goes)) {
			return false
		}
	}
	return err == nil && len(entries) > 0
}

// restoreUntracked plans the untracked files that a stash saved. One that is there already stays, and the plan fails in the
// end.
func (p *Plan) restoreUntracked(ctx context.Context, tree plumbing.Hash) error {
	if tree.IsZero() {
		return nil
	}
	files, err := p.w.treeIndex(ctx, tree)
	if err != nil {
		return err
	}
	smudger, err := p.w.repo.Smudger(ctx, files, nil)
	if err != nil {
		return err
	}
	for i := range files.Entries {
		e := &files.Entries[i]
		stat, err := p.statFile(e.Name)
		if err != nil {
			return err
		}
		if above := p.fileAbove(e.Name); above || stat.Mode != 0 && !p.vacates(e.Name, stat) {
			p.Err = cmp.Or(p.Err, ErrStashUntracked)
			if above {
				return nil // where git gives up
			}
			continue
		}
		p.files = append(p.files, fileChange{path: e.Name, mode: e.Mode, seen: stat, content: p.stored(smudger, e.Name, e.Mode, e.ID)})
	}
	return nil
}

// treeIndex returns an index of a tree's files.
func (w *Writer) treeIndex(ctx context.Context, tree plumbing.Hash) (*index.Index, error) {
	x := &index.Index{}
	for c, err := range w.changes(ctx, reader.Empty, reader.Tree(tree)) {
		if err != nil {
			return nil, err
		}
		x.Entries = append(x.Entries, index.Entry{Name: c.New.Path, Mode: c.New.Mode, ID: c.New.ID})
	}
	return x, nil
}
