package writer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
)

// stashRef holds the newest stash; the older ones are in its log.
const stashRef = "refs/stash"

// Errors of stash operations.
var (
	// ErrNoInitialCommit is git's refusal to stash before the first commit.
	ErrNoInitialCommit = plainError("You do not have the initial commit yet")
	// ErrNoStash says that there is no stash to apply or drop.
	ErrNoStash = plainError("No stash entries found.")
)

// noLocalChanges is what git prints when there is nothing to stash; it is no failure.
const noLocalChanges = "No local changes to save\n"

// StashIntentError says that a file that is only intended to be added keeps the changes from being stashed.
type StashIntentError struct{ Path string }

// Error is git's text.
func (e *StashIntentError) Error() string {
	return fmt.Sprintf("Entry '%s' not uptodate. Cannot merge.\nCannot save the current worktree state", e.Path)
}

// GitLevel makes it an error, as git prints it.
func (e *StashIntentError) GitLevel() string { return "error" }

// PlanStashPush plans to save the index and the tracked files as a stash and to bring both back to HEAD, as
// git stash push does (git-stash(1)). Untracked files stay. Without changes the plan only says so.
func (w *Writer) PlanStashPush(ctx context.Context) (*Plan, error) {
	if _, err := w.repo.WorkTree(); err != nil {
		return nil, err
	}
	if err := w.checkHooks(); err != nil {
		return nil, err
	}
	plan, err := w.newPlan()
	if err != nil {
		return nil, err
	}
	s := &stashing{w: w, ctx: ctx, plan: plan}
	if s.x, err = w.repo.FullIndex(ctx); err != nil {
		return nil, err
	}
	if paths := unmergedPaths(s.x); len(paths) > 0 {
		return nil, &StashMergeError{Paths: paths}
	}
	if plan.expect.head.Unborn {
		return nil, ErrNoInitialCommit
	}
	if err := s.look(); err != nil {
		return nil, err
	}
	if !moreThanSubmodules(s.staged) && !moreThanSubmodules(s.survey.Changes) {
		plan.Output = noLocalChanges
		return plan, nil
	}
	if err := s.save(); err != nil {
		return nil, err
	}
	if err := plan.resetHard(ctx, s.x, s.staged, s.survey); err != nil {
		return nil, err
	}
	return plan, nil
}

// moreThanSubmodules reports whether there are changes other than of submodules, which alone are nothing to stash.
func moreThanSubmodules(changes []reader.Change) bool {
	return slices.ContainsFunc(changes, func(c reader.Change) bool { return !ofSubmodule(&c) })
}

// ofSubmodule reports whether a change has a submodule on each side that there is.
func ofSubmodule(c *reader.Change) bool {
	return (!c.Old.Present() || c.Old.Mode == index.ModeGitlink) && (!c.New.Present() || c.New.Mode == index.ModeGitlink)
}

// StashMergeError says that conflicts keep changes from being stashed, or a stash from being applied.
type StashMergeError struct {
	Paths []string // that are in conflict

	kept bool // a stash was to be popped
}

// Error is git's text.
func (e *StashMergeError) Error() string {
	text := strings.Join(e.Paths, ": needs merge\n") + ": needs merge"
	if e.kept {
		text += "\n" + strings.TrimSuffix(stashKept, "\n")
	}
	return text
}

// GitLevel says that the text stands as it is.
func (e *StashMergeError) GitLevel() string { return "" }

// unmergedPaths lists the paths of an index that are in conflict.
func unmergedPaths(x *index.Index) []string {
	var paths []string
	for i := range x.Entries {
		if e := &x.Entries[i]; e.Stage != 0 && (len(paths) == 0 || paths[len(paths)-1] != e.Name) {
			paths = append(paths, e.Name)
		}
	}
	return paths
}

// stashing is the planning of one stash push.
type stashing struct {
	w      *Writer
	ctx    context.Context
	plan   *Plan
	x      *index.Index
	staged []reader.Change // HEAD to index
	survey *reader.Survey  // index to work tree
}

// look compares HEAD, index and work tree.
func (s *stashing) look() error {
	if slices.ContainsFunc(s.x.Entries, func(e index.Entry) bool { return e.IsGitlink() }) {
		if err := s.w.repo.CheckGitmodules(s.ctx, s.x); err != nil {
			return err
		}
	}
	head, err := s.w.treeOf(s.plan.expect.head.ID)
	if err != nil {
		return err
	}
	for c, err := range s.w.changes(s.ctx, reader.Tree(head), reader.IndexSide) {
		if err != nil {
			return err
		}
		s.staged = append(s.staged, c)
	}
	s.survey, err = s.w.repo.Survey(s.ctx, reader.SurveyOptions{})
	if err != nil {
		return err
	}
	for i := range s.survey.Changes {
		if c := &s.survey.Changes[i]; c.Kind == reader.Added {
			return &StashIntentError{c.New.Path}
		}
	}
	return nil
}

// save plans the stash's commits: one of the index, and one of the work tree with HEAD and the first as parents.
func (s *stashing) save() error {
	head := s.plan.expect.head
	description, err := s.describeHead()
	if err != nil {
		return err
	}
	who, err := s.w.stasher()
	if err != nil {
		return err
	}
	c := commitData{author: who[0], committer: who[1]}
	x := s.x.Clone()
	if c.tree, err = writeTree(x, s.plan.objects); err != nil {
		return err
	}
	c.parents, c.message = []plumbing.Hash{head.ID}, "index on "+description+"\n"
	indexCommit, err := s.plan.addCommit(&c)
	if err != nil {
		return err
	}
	if c.tree, err = s.workTree(x); err != nil {
		return err
	}
	message := "WIP on " + description
	c.parents, c.message = []plumbing.Hash{head.ID, indexCommit}, message
	id, err := s.plan.addCommit(&c)
	if err != nil {
		return err
	}
	old, err := s.w.repo.Refs().Read(stashRef)
	if err != nil && !errorIsNotExist(err) {
		return err
	}
	if old.ID != id { // the same stash once more, in the same second, is not noted
		s.plan.refs = append(s.plan.refs, refChange{name: stashRef, old: old.ID, new: id, message: message, force: true})
	}
	s.plan.early = true
	s.plan.Output = "Saved working directory and index state " + message + "\n"
	return nil
}

// describeHead is "BRANCH: ID SUBJECT", which names a stash.
func (s *stashing) describeHead() (string, error) {
	head := s.plan.expect.head
	branch := head.Branch
	if head.Detached {
		branch = "(no branch)"
	}
	_, data, err := s.w.repo.Objects().Read(head.ID)
	if err != nil {
		return "", err
	}
	commit, err := object.ParseCommit(head.ID, pretty.Recode(data, s.w.repo.OutputEncoding())) // as git log prints it
	if err != nil {
		return "", err
	}
	return string(pretty.AppendSubject([]byte(branch+": "+s.w.repo.Abbrev(head.ID, 0)+" "), commit.Message, " ")), nil
}

// stasher returns author and committer of a stash's commits; without an identity git has one of its own for them.
func (w *Writer) stasher() ([2]string, error) {
	var people [2]string
	for i, ask := range []func() (Ident, error){w.author, w.committer} {
		who, err := ask()
		var missing *IdentityError
		if errors.As(err, &missing) {
			who, err = Ident{Name: "git", Email: "git@stash", When: w.now()}, nil
		}
		if err != nil {
			return people, err
		}
		people[i] = who.String()
	}
	return people, nil
}

// workTree plans the tree of the work tree: the index with the content of every tracked file. A file that is staged as new
// but gone keeps its staged content; one that is staged as deleted but there is taken in again.
func (s *stashing) workTree(x *index.Index) (plumbing.Hash, error) {
	cleaner, err := s.w.repo.Cleaner(s.ctx, s.x)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	a := &adding{w: s.w, ctx: s.ctx, plan: s.plan, x: x, cleaner: cleaner.ForWriting()}
	if err := a.readConfig(); err != nil {
		return plumbing.ZeroHash, err
	}
	isNew := map[string]bool{}
	for i := range s.staged {
		c := &s.staged[i]
		switch {
		case !c.Old.Present():
			isNew[c.New.Path] = true
		case !c.New.Present():
			if err := a.stageIfThere(c.Old.Path); err != nil {
				return plumbing.ZeroHash, err
			}
		}
	}
	for i := range s.survey.Changes {
		c := &s.survey.Changes[i]
		switch {
		case c.Old.Mode == index.ModeGitlink: // a submodule's move is not stashed
		case c.New.Present():
			err = a.stage(c.New.Path, c.New.Mode)
		case !isNew[c.Old.Path]:
			err = a.unstage(c.Old.Path)
		}
		if err != nil {
			return plumbing.ZeroHash, err
		}
	}
	a.dropConflicts()
	sortChanges(a.changes)
	x.Apply(a.changes)
	return writeTree(x, s.plan.objects)
}

// unstage drops a file that is gone; with a directory in its place it stays as it was.
func (a *adding) unstage(path string) error {
	for slash := strings.IndexByte(path, '/'); slash >= 0; slash = nextSlash(path, slash) {
		if stat, err := a.stat(path[:slash]); err == nil && stat.IsSymlink() {
			return &BeyondLinkError{path}
		}
	}
	if stat, err := a.stat(path); err == nil && stat.IsDir() {
		return nil
	}
	a.changes = append(a.changes, index.PathChange{Name: path})
	return nil
}

// BeyondLinkError says that a link stands in the place of a tracked file's directory, so that the file can't be stashed.
type BeyondLinkError struct{ Path string }

// Error is git's text.
func (e *BeyondLinkError) Error() string {
	return fmt.Sprintf("'%s' is beyond a symbolic link\nfatal: Unable to process path %s\nCannot save the current worktree state", e.Path, e.Path)
}

// GitLevel makes the first line an error, as git prints it.
func (e *BeyondLinkError) GitLevel() string { return "error" }

// stageIfThere takes a file in if there is one.
func (a *adding) stageIfThere(path string) error {
	stat, err := a.stat(path)
	if err != nil || !stat.IsRegular() && !stat.IsSymlink() {
		return nil
	}
	return a.stage(path, 0)
}
