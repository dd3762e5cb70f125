package writer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// treeSwitch plans to bring index and work tree from one tree to another, carrying local changes along: git-read-tree(1)'s
// two tree merge. Only paths that differ between the trees are looked at.
type treeSwitch struct {
	plan      *Plan
	ctx       context.Context
	old       *index.Index    // as it is now
	new       *index.Index    // a copy, to become the new one
	deleted   map[string]bool // without a file in their place
	dirty     map[string]bool
	ignoring  *reader.Ignoring
	smudger   *reader.Smudger
	refused   refusals
	changes   []index.PathChange
	writes    []pathWrite
	gone      map[string]bool        // paths that the switch takes out of the index
	cleared   map[string]bool        // obstacles that are planned to go
	kept      map[string]bool        // paths that the index has as the new tree has them
	displaced []displacedEntry       // tracked files in the place of what the trees have
	sparse    *reader.SparsePatterns // nil: everything is checked out
	rules     pathRules
	resumed   bool // the same switch was interrupted before: files may hold the new content already
	// settle makes the index to be written of the one that holds the new trees' files; nil: that one is written.
	settle func(result *index.Index) (*index.Index, error)
}

// displacedEntry is a tracked file of which the trees know nothing, in a directory that stands where one of them has a file.
type displacedEntry struct {
	entry  *index.Entry
	remove bool // the file goes, too; else something else sees to that
}

// pathWrite is a path that the new tree has otherwise.
type pathWrite struct {
	path string
	mode uint32
	id   plumbing.Hash
}

// switchTrees plans the switch from the tree old to the tree new, a zero id standing for no files. What local changes and
// untracked files forbid is a *OverwriteError, and then nothing is planned.
func (p *Plan) switchTrees(ctx context.Context, old, new plumbing.Hash) error {
	s, err := p.newTreeSwitch(ctx, "checkout "+new.String())
	if err != nil {
		return err
	}
	defer s.ignoring.Close()
	// The trees are compared twice, so that trees made to be endless reach the limit before anything is kept of them.
	changes := p.w.changes(ctx, treeSide(old), treeSide(new))
	for c, err := range changes {
		if err != nil {
			return err
		}
		s.noteGone(&c)
	}
	for c, err := range changes {
		if err == nil {
			err = s.path(&c)
		}
		if err != nil {
			return err
		}
	}
	if err := s.refused.err("checkout"); err != nil {
		return err
	}
	return s.finish()
}

func treeSide(id plumbing.Hash) reader.Side {
	if id.IsZero() {
		return reader.Empty
	}
	return reader.Tree(id)
}

// newTreeSwitch begins a switch; what names it, so that one that was interrupted is known again.
func (p *Plan) newTreeSwitch(ctx context.Context, what string) (*treeSwitch, error) {
	repo := p.w.repo
	now, err := repo.FullIndex(ctx)
	if err != nil {
		return nil, err
	}
	s := &treeSwitch{plan: p, ctx: ctx, old: now, new: now.Clone(), dirty: map[string]bool{}, deleted: map[string]bool{}, gone: map[string]bool{}, cleared: map[string]bool{}, kept: map[string]bool{}}
	survey, err := repo.Survey(ctx, reader.SurveyOptions{})
	if err != nil {
		return nil, err
	}
	for i := range survey.Changes {
		if c := &survey.Changes[i]; c.Kind != reader.Deleted {
			s.dirty[c.Old.Path] = true
		} else {
			s.deleted[c.Old.Path] = true
		}
	}
	for _, path := range refresh(s.new, survey.Touched) {
		s.dirty[path] = true
	}
	if s.sparse, err = repo.SparsePatterns(); err != nil {
		return nil, err
	}
	if s.rules, err = newPathRules(repo.Config()); err != nil {
		return nil, err
	}
	if s.resumed, err = p.resumes(what); err != nil {
		return nil, err
	}
	s.ignoring, err = repo.Ignoring(ctx, now)
	return s, err
}

// noteGone notes a path that leaves the index, so that it is no obstacle.
func (s *treeSwitch) noteGone(c *reader.Change) {
	if !c.New.Present() && s.holds(c.Old) {
		s.gone[c.Old.Path] = true
	}
}

// entry returns the index's entry of a path, nil when it has none.
func (s *treeSwitch) entry(path string) *index.Entry {
	if at, ok := s.old.Find(path, 0); ok {
		return &s.old.Entries[at]
	}
	return nil
}

// holds reports whether the index has the path just so.
func (s *treeSwitch) holds(e reader.Entry) bool {
	now := s.entry(e.Path)
	if !e.Present() {
		return now == nil
	}
	return now != nil && !now.IntentToAdd && now.Mode == e.Mode && now.ID == e.ID
}

// path decides on one path that differs between the trees.
func (s *treeSwitch) path(c *reader.Change) error {
	path := c.Old.Path
	if path == "" {
		path = c.New.Path
	}
	if s.refused.above(path) {
		return nil
	}
	now := s.entry(path)
	switch {
	case now == nil && !c.Old.Present():
		return s.create(c.New)
	case now == nil && !c.New.Present():
		return s.obstacle(path, 0, removedUntracked)
	case now == nil && s.old.Version == 0: // no index yet: the first check-out
		return s.create(c.New)
	case c.New.Present() && s.holds(c.New):
		s.kept[path] = true
		return nil
	case now == nil || !c.Old.Present() || !s.holds(c.Old):
		s.refused.add(overwrittenChanges, path, path)
		return nil
	}
	return s.replace(c, now)
}

// replace takes a path from its old to its new content, unless the file was changed.
func (s *treeSwitch) replace(c *reader.Change, now *index.Entry) error {
	path := now.Name
	if !now.IsGitlink() && !s.hidden(now) && s.isDirty(now) && !s.doneBefore(path, c.New) {
		if !c.New.Present() && s.holdsUntracked(path) {
			return nil
		}
		s.refused.add(changedFiles, path, path)
		return nil
	}
	if c.New.Present() {
		s.writes = append(s.writes, pathWrite{path, c.New.Mode, c.New.ID})
		if now.IsGitlink() && c.New.Mode != index.ModeGitlink {
			return s.obstacle(path, c.New.Mode, overwrittenUntracked)
		}
		return nil
	}
	s.changes = append(s.changes, index.PathChange{Name: path})
	if s.hidden(now) {
		return nil
	}
	return s.remove(now)
}

// hidden reports whether an entry is kept out of the work tree; the flag alone does that only in a sparse checkout.
func (s *treeSwitch) hidden(e *index.Entry) bool { return e.SkipWorktree && s.sparse != nil }

// isDirty reports whether the file is not what the index says; a missing one is no loss. A file that status does
// not look at is looked at all the same.
func (s *treeSwitch) isDirty(e *index.Entry) bool {
	if s.dirty[e.Name] {
		return true
	}
	if !s.deleted[e.Name] && !e.AssumeValid && !e.SkipWorktree {
		return false
	}
	top, err := s.plan.w.repo.WorkTree()
	if err != nil {
		return true
	}
	stat, err := top.Lstat(e.Name)
	if errors.Is(err, sandbox.ErrNotDir) || err == nil && stat.IsDir() { // a file in the place of its directory, or that in its own
		return true
	}
	return (e.AssumeValid || e.SkipWorktree) && err == nil && e.MatchStat(&stat, index.StatOptions{}) != 0
}

// holdsUntracked refuses for a directory in the place of a file that is to go, when it holds untracked files.
func (s *treeSwitch) holdsUntracked(path string) bool {
	if stat, err := s.plan.statFile(path); err != nil || !stat.IsDir() {
		return false
	}
	refused := len(s.refused.paths[untrackedInDirectory])
	return s.directoryInTheWay(path, 0, overwrittenUntracked) == nil && len(s.refused.paths[untrackedInDirectory]) > refused
}

// remove plans a tracked file's removal. A submodule's directory stays, unless it is empty.
func (s *treeSwitch) remove(e *index.Entry) error {
	stat, err := s.plan.statFile(e.Name)
	if err != nil || stat.IsDir() && !e.IsGitlink() || stat.Mode == 0 && !s.plan.hasParent(e.Name) {
		return err
	}
	s.plan.files = append(s.plan.files, fileChange{path: e.Name, seen: stat, directory: e.IsGitlink()})
	return nil
}

// create plans a path that the index did not have.
func (s *treeSwitch) create(e reader.Entry) error {
	s.writes = append(s.writes, pathWrite{e.Path, e.Mode, e.ID})
	if s.outside(e.Path) || s.doneBefore(e.Path, e) {
		return nil
	}
	return s.obstacle(e.Path, e.Mode, overwrittenUntracked)
}

// outside reports whether a new path lies outside the sparse checkout.
func (s *treeSwitch) outside(path string) bool { return s.sparse != nil && !s.sparse.Includes(path) }

// finish turns the decisions into the plan's files and index.
func (s *treeSwitch) finish() error {
	if err := s.dropDisplaced(); err != nil {
		return err
	}
	s.applyIndex()
	final := s.new
	if s.settle != nil {
		var err error
		if final, err = s.settle(s.new); err != nil {
			return err
		}
	}
	if err := s.planWrites(final); err != nil {
		return err
	}
	s.plan.index = final
	return repairTree(final, s.plan.w.repo.Objects())
}

// dropDisplaced takes displaced files out of the index, unless the new tree has them.
func (s *treeSwitch) dropDisplaced() error {
	for _, d := range s.displaced {
		if s.kept[d.entry.Name] {
			continue
		}
		s.changes = append(s.changes, index.PathChange{Name: d.entry.Name})
		if !d.remove {
			continue
		}
		if err := s.remove(d.entry); err != nil {
			return err
		}
	}
	return nil
}

// applyIndex brings the copy of the index up to date: entries get their stat data when the files are written.
func (s *treeSwitch) applyIndex() {
	for _, w := range s.writes {
		e := index.Entry{Name: w.path, Mode: w.mode, ID: w.id}
		if now := s.entry(w.path); now != nil {
			e.SkipWorktree = now.SkipWorktree
		} else {
			e.SkipWorktree = s.outside(w.path)
		}
		s.changes = append(s.changes, index.PathChange{Name: w.path, Entries: []index.Entry{e}})
	}
	slices.SortFunc(s.changes, func(x, y index.PathChange) int { // what is written first
		return cmp.Or(strings.Compare(x.Name, y.Name), cmp.Compare(len(y.Entries), len(x.Entries)))
	})
	s.changes = slices.CompactFunc(s.changes, func(x, y index.PathChange) bool { return x.Name == y.Name })
	s.new.Apply(s.changes)
	s.new.ResolveUndo = nil
	if s.new.Version == 0 {
		s.new.Version = newIndexVersion(s.plan.w.repo.Config())
	}
}

// planWrites plans the files of the new trees, with the conversions that their index asks for; entries of the index to be
// written get their stat data.
func (s *treeSwitch) planWrites(final *index.Index) error {
	var err error
	if s.smudger, err = s.plan.w.repo.Smudger(s.ctx, s.new, func(path string) bool { return s.gone[path] }); err != nil {
		return err
	}
	look, err := s.plan.newGlance()
	if err != nil {
		return err
	}
	defer look.close()
	for _, w := range s.writes {
		at, _ := s.new.Find(w.path, 0)
		if s.hidden(&s.new.Entries[at]) {
			continue
		}
		var entry *index.Entry
		if at, ok := final.Find(w.path, 0); ok && final.Entries[at].ID == w.id && final.Entries[at].Mode == w.mode {
			entry = &final.Entries[at]
		}
		if err := s.planWrite(look, w, entry); err != nil {
			return err
		}
	}
	return nil
}

func (s *treeSwitch) planWrite(look *glance, w pathWrite, entry *index.Entry) error {
	if err := s.rules.check(w.path, w.mode); err != nil {
		return err
	}
	if w.mode == index.ModeFile || w.mode == index.ModeExecutable {
		if err := s.smudger.Check(w.path); err != nil {
			return err
		}
	}
	stat, err := look.stat(w.path)
	if err != nil {
		return err
	}
	s.plan.files = append(s.plan.files, fileChange{
		path: w.path, mode: w.mode, seen: stat, clear: s.cleared[w.path], entry: entry,
		content: s.plan.stored(s.smudger, w.path, w.mode, w.id),
	})
	return nil
}
