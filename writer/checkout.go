package writer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// PathspecError says that a name means neither branch nor commit. A path of that name is never restored.
type PathspecError struct{ Name string }

// Error is git's text.
func (e *PathspecError) Error() string {
	return fmt.Sprintf("pathspec '%s' did not match any file(s) known to git", e.Name)
}

// GitLevel makes it an error, as git prints it.
func (e *PathspecError) GitLevel() string { return "error" }

// Is makes errors.Is(err, fs.ErrNotExist) hold.
func (e *PathspecError) Is(target error) bool { return errorIsNotExist(target) }

// CheckoutError is another reason for which git does not switch.
type CheckoutError struct{ text string }

// Error is git's text.
func (e *CheckoutError) Error() string { return e.text }

// NeedsMergeError says that the index is in conflict.
type NeedsMergeError struct{ Paths []string }

// Error is git's text.
func (e *NeedsMergeError) Error() string { return "you need to resolve your current index first" }

// GitLevel makes it an error, as git prints it.
func (e *NeedsMergeError) GitLevel() string { return "error" }

// destination is what a checkout leads to.
type destination struct {
	name   string // as given, for the reflog
	branch string // full name of the branch, "" to detach HEAD
	id     plumbing.Hash
	tree   plumbing.Hash
	create *tracking // the branch is to be made first
}

// tracking is a branch to be made from a remote-tracking one.
type tracking struct {
	branch, remote, from string // without refs/heads/; the remote; its ref's full name here
	merge                string // the ref's full name at the remote
}

// PlanCheckout plans to switch to a branch, or to detach HEAD at a tag or commit, as git checkout NAME does
// (git-checkout(1)): local changes are carried along or refused with an *OverwriteError; a name that only one remote has a
// branch of makes a branch that tracks it. Any other name is a *PathspecError, even one of a file.
func (w *Writer) PlanCheckout(ctx context.Context, name sandbox.Branch) (*Plan, error) {
	if _, err := w.repo.WorkTree(); err != nil {
		return nil, err
	}
	if err := w.checkHooks("post-checkout"); err != nil {
		return nil, err
	}
	plan, err := w.newPlan()
	if err != nil {
		return nil, err
	}
	to, err := w.destination(ctx, string(name))
	if err != nil {
		return nil, err
	}
	if err := w.checkedOutElsewhere(to.branch, plan.expect.head); err != nil {
		return nil, err
	}
	if err := plan.checkNoConflict(); err != nil {
		return nil, err
	}
	old := plumbing.ZeroHash
	if !plan.expect.head.Unborn {
		if old, err = w.treeOf(plan.expect.head.ID); err != nil {
			return nil, err
		}
	}
	if err := plan.switchTrees(ctx, old, to.tree); err != nil {
		return nil, err
	}
	if err := plan.moveTo(to); err != nil {
		return nil, err
	}
	plan.dropState(stateFiles[:]...)
	return plan, nil
}

// checkNoConflict refuses when the index is in conflict.
func (p *Plan) checkNoConflict() error {
	x, err := p.w.repo.Index()
	if err != nil {
		return err
	}
	if paths := unmergedPaths(x); paths != nil {
		return &NeedsMergeError{paths}
	}
	return nil
}

// destination finds what a name means: a branch, a revision, or a branch of one remote.
func (w *Writer) destination(ctx context.Context, name string) (destination, error) {
	to := destination{name: name}
	branch := "refs/heads/" + name
	if ref, err := w.repo.Refs().Resolve(branch); err == nil {
		to.branch, to.id = branch, ref.ID
		return w.withTree(to)
	}
	id, err := w.repo.Resolve(ctx, sandbox.Rev(name))
	var ambiguous *reader.AmbiguousError
	switch {
	case err == nil:
		to.id = id
		return w.withTree(to)
	case errors.As(err, &ambiguous):
		return to, err
	}
	if to.create, err = w.uniqueTracking(name); err != nil || to.create == nil {
		if err == nil {
			err = &PathspecError{name}
		}
		return to, err
	}
	ref, err := w.repo.Refs().Resolve(to.create.from)
	to.branch, to.id = branch, ref.ID
	if err != nil {
		return to, err
	}
	return w.withTree(to)
}

// withTree peels the destination to a commit and notes its tree.
func (w *Writer) withTree(to destination) (destination, error) {
	commit, _, err := w.peelCommit(to.id)
	if err != nil {
		return to, err
	}
	kind, _, err := w.repo.Objects().Header(commit)
	if err != nil {
		return to, err
	}
	switch kind {
	case plumbing.CommitObject:
	case plumbing.BlobObject:
		return to, &CheckoutError{"reference is not a tree: " + to.name}
	default:
		return to, &CheckoutError{fmt.Sprintf("Cannot switch branch to a non-commit '%s'", to.name)}
	}
	to.id = commit
	to.tree, err = w.treeOf(commit)
	return to, err
}

// uniqueTracking finds the one remote that has a branch of that name (git-checkout(1), --guess); nil when none has, an error
// when several have and checkout.defaultRemote does not choose.
func (w *Writer) uniqueTracking(name string) (*tracking, error) {
	config := w.repo.Config()
	guess, err := config.Bool("checkout.guess", true)
	if err != nil || !guess || strings.ContainsAny(name, "*?[\\") {
		return nil, err
	}
	var found []*tracking
	preferred, _ := config.Get("checkout.defaultRemote")
	for _, remote := range config.Subsections("remote") {
		from := reader.TrackingRef(config.All("remote."+remote+".fetch"), "refs/heads/"+name)
		if from == "" {
			continue
		}
		if _, err := w.repo.Refs().Resolve(from); err != nil {
			continue
		}
		t := &tracking{branch: name, remote: remote, from: from, merge: "refs/heads/" + name}
		if remote == preferred {
			return w.notAFile(t)
		}
		found = append(found, t)
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return w.notAFile(found[0])
	}
	return nil, &CheckoutError{fmt.Sprintf("'%s' matched multiple (%d) remote tracking branches", name, len(found))}
}

// notAFile refuses a name that could also mean a file.
func (w *Writer) notAFile(t *tracking) (*tracking, error) {
	top, err := w.repo.WorkTree()
	if err != nil {
		return nil, err
	}
	if _, err := top.Lstat(w.repo.Prefix() + t.branch); err == nil {
		return nil, &CheckoutError{fmt.Sprintf("'%s' could be both a local file and a tracking branch.\n"+
			"Please use -- (and optionally --no-guess) to disambiguate", t.branch)}
	}
	return t, nil
}

// checkedOutElsewhere refuses a branch that another work tree has.
func (w *Writer) checkedOutElsewhere(branch string, head reader.Head) error {
	if branch == "" || branch == head.Ref {
		return nil
	}
	path, err := w.repo.CheckedOutAt(branch)
	if err != nil || path == "" {
		return err
	}
	return &CheckoutError{fmt.Sprintf("'%s' is already checked out at '%s'", strings.TrimPrefix(branch, "refs/heads/"), path)}
}

// moveTo plans HEAD's move, and the branch and its tracking when it is new.
func (p *Plan) moveTo(to destination) error {
	head := p.expect.head
	from := head.Branch
	if head.Detached {
		from = head.ID.String()
	}
	message := fmt.Sprintf("checkout: moving from %s to %s", from, to.name)
	if to.name == "HEAD" {
		return nil
	}
	if to.branch == "" {
		if !head.Detached || head.ID != to.id {
			p.refs = append(p.refs, refChange{name: "HEAD", old: head.ID, new: to.id, message: message})
		}
		return nil
	}
	if to.create != nil {
		if err := p.createTracking(to); err != nil {
			return err
		}
	}
	p.refs = append(p.refs, refChange{name: "HEAD", old: head.ID, new: to.id, target: to.branch, message: message})
	return nil
}

// createTracking plans a branch and what the configuration says of it.
func (p *Plan) createTracking(to destination) error {
	if err := refs.CheckName(to.branch); err != nil {
		return err
	}
	p.refs = append(p.refs, refChange{name: to.branch, new: to.id, message: "branch: Created from " + to.create.from})
	track, err := p.w.repo.Config().Bool("branch.autoSetupMerge", true)
	if err != nil {
		track = true // always, inherit and simple track here too
	}
	if track {
		p.track(to.create)
	}
	return nil
}

// dropState plans the removal of those of the git directory's files that are there.
func (p *Plan) dropState(names ...string) {
	for _, name := range names {
		if _, err := p.w.repo.GitDir().Lstat(name); err == nil {
			p.state = append(p.state, stateFile{name: name})
		}
	}
}
