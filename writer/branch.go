package writer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// BranchExistsError says that there is a branch of the new one's name.
type BranchExistsError struct{ Name string }

// Error is git's text.
func (e *BranchExistsError) Error() string {
	return fmt.Sprintf("a branch named '%s' already exists", e.Name)
}

// StartPointError says that a branch cannot start at what was named.
type StartPointError struct {
	Rev string
	Err error // why; nil: it is no commit
}

// Error is git's text.
func (e *StartPointError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("not a valid branch point: '%s'", e.Rev)
	}
	return fmt.Sprintf("not a valid object name: '%s'", e.Rev)
}

// Unwrap returns the reason.
func (e *StartPointError) Unwrap() error { return e.Err }

// AmbiguousTrackingError says that several remotes claim the ref that a branch starts at. The branch is made, without tracking.
type AmbiguousTrackingError struct{ Ref string }

// Error is git's text.
func (e *AmbiguousTrackingError) Error() string {
	return fmt.Sprintf("not tracking: ambiguous information for ref '%s'", e.Ref)
}

// PlanCreateBranch plans a new branch at the commit that start names, "" being HEAD, as git branch NAME START does
// (git-branch(1)). One that starts at a remote's branch tracks it, as branch.autoSetupMerge says; Output says so as git does.
func (w *Writer) PlanCreateBranch(ctx context.Context, name sandbox.Branch, start sandbox.Rev) (*Plan, error) {
	if err := w.checkHooks(); err != nil {
		return nil, err
	}
	plan, err := w.newPlan()
	if err != nil {
		return nil, err
	}
	plan.refsOnly = true
	if name == "HEAD" {
		return nil, fmt.Errorf("'%s' is not a valid branch name", name)
	}
	ref := "refs/heads/" + string(name)
	if _, err := w.repo.Refs().Resolve(ref); err == nil {
		return nil, &BranchExistsError{string(name)}
	}
	if start == "" {
		start = "HEAD"
		if head := plan.expect.head; !head.Detached {
			start = sandbox.Rev(head.Branch)
		}
	}
	id, err := w.startPoint(ctx, start)
	if err != nil {
		return nil, err
	}
	plan.refs = append(plan.refs, refChange{name: ref, new: id, message: "branch: Created from " + string(start)})
	upstream, err := w.trackingOf(string(name), string(start))
	var ambiguous *AmbiguousTrackingError
	if errors.As(err, &ambiguous) { // git has made the branch by then
		plan.Err, err = ambiguous, nil
	}
	if upstream != nil {
		plan.Output = plan.track(upstream)
	}
	return plan, err
}

// startPoint resolves the commit that a branch is to start at.
func (w *Writer) startPoint(ctx context.Context, start sandbox.Rev) (plumbing.Hash, error) {
	id, err := w.repo.Resolve(ctx, start)
	var missing *reader.UnknownRevisionError
	switch {
	case errors.As(err, &missing):
		return id, &StartPointError{Rev: string(start), Err: err}
	case err != nil:
		return id, err
	}
	commit, _, err := w.peelCommit(id)
	if err != nil {
		return id, err
	}
	kind, _, err := w.repo.Objects().Header(commit)
	if err == nil && kind != plumbing.CommitObject {
		err = &StartPointError{Rev: string(start)}
	}
	return commit, err
}

// fullNames are where git looks for a ref of a short name, in this order (gitrevisions(7)).
var fullNames = [...]string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"}

// fullName returns the ref that a rev names, symbolic refs followed, or "".
func (w *Writer) fullName(rev string) string {
	for _, format := range fullNames {
		name := fmt.Sprintf(format, rev)
		if !strings.HasPrefix(name, "refs/") && name != "HEAD" {
			continue
		}
		if ref, err := w.repo.Refs().Resolve(name); err == nil {
			return ref.Name
		}
	}
	return ""
}

// trackingOf returns what a branch that starts at rev tracks; nil when that is nothing.
func (w *Writer) trackingOf(branch, rev string) (*tracking, error) {
	setting, ok := w.repo.Config().Get("branch.autoSetupMerge")
	from := w.fullName(rev)
	local := strings.HasPrefix(from, "refs/heads/")
	switch {
	case from == "":
		return nil, nil
	case ok && setting == "inherit":
		return w.inherited(branch, from), nil
	case ok && setting == "always" && local:
		return &tracking{branch: branch, remote: ".", from: from, merge: from}, nil
	case ok && setting != "always" && setting != "simple":
		if on, err := w.repo.Config().Bool("branch.autoSetupMerge", true); err != nil || !on {
			return nil, err
		}
	}
	found, err := w.trackers(branch, from)
	if err != nil || found == nil {
		return nil, err
	}
	if setting == "simple" && found.merge != "refs/heads/"+branch {
		return nil, nil
	}
	return found, nil
}

// inherited copies the tracking of the branch that another starts at.
func (w *Writer) inherited(branch, from string) *tracking {
	base, ok := strings.CutPrefix(from, "refs/heads/")
	remote, _ := w.repo.Config().Get("branch." + base + ".remote")
	merge, _ := w.repo.Config().Get("branch." + base + ".merge")
	if !ok || remote == "" || merge == "" {
		return nil
	}
	return &tracking{branch: branch, remote: remote, from: from, merge: merge}
}

// trackers finds the remote whose branch a remote-tracking ref follows; several are an error.
func (w *Writer) trackers(branch, from string) (*tracking, error) {
	var found []*tracking
	config := w.repo.Config()
	for _, remote := range config.Subsections("remote") {
		if merge := reader.TrackedRef(config.All("remote."+remote+".fetch"), from); merge != "" {
			found = append(found, &tracking{branch: branch, remote: remote, from: from, merge: merge})
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	return nil, &AmbiguousTrackingError{from}
}

// track plans a branch's tracking, and returns what git says of it.
func (p *Plan) track(t *tracking) string {
	pairs := []configPair{{Key: "remote", Value: t.remote}, {Key: "merge", Value: t.merge}}
	setting, _ := p.w.repo.Config().Get("branch.autoSetupRebase")
	rebase := setting == "always" || setting == "remote" && t.remote != "." || setting == "local" && t.remote == "."
	by := "."
	if rebase {
		pairs = append(pairs, configPair{Key: "rebase", Value: "true"})
		by = " by rebasing."
	}
	p.config = append(p.config, configChange{subsection: t.branch, pairs: pairs})
	name := strings.TrimPrefix(t.merge, "refs/heads/")
	if t.remote != "." || t.from != t.merge {
		name = t.remote + "/" + name
	}
	return fmt.Sprintf("branch '%s' set up to track '%s'%s\n", t.branch, name, by)
}
