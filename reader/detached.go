package reader

import (
	"bytes"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// detachedFrom is where HEAD was when it was detached last.
type detachedFrom struct {
	name string // a tag, remote branch, full ref name or abbreviated id; "" when the reflog does not tell
	at   bool   // HEAD is still there
}

// detachedFrom asks HEAD's reflog for the last checkout.
func (r *Repository) detachedFrom() detachedFrom {
	log, err := r.refs.Reflog("HEAD")
	if err != nil {
		return detachedFrom{}
	}
	for i := len(log) - 1; i >= 0; i-- {
		_, target, ok := checkoutMessage(log[i].Message)
		if !ok {
			continue
		}
		id := log[i].New
		if target == "HEAD" {
			target = r.Abbrev(id, 0)
		}
		head, err := r.refs.Resolve("HEAD")
		return detachedFrom{name: r.describeTarget(target, id), at: err == nil && head.ID == id}
	}
	return detachedFrom{}
}

// checkoutMessage reads the reflog message of a checkout.
func checkoutMessage(message string) (from, to string, ok bool) {
	rest, ok := strings.CutPrefix(message, "checkout: moving from ")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, " to ")
}

func (r *Repository) describeTarget(target string, id plumbing.Hash) string {
	found := r.dwim(target)
	if len(found) != 1 {
		return r.Abbrev(id, 0)
	}
	if found[0].ID != id {
		if peeled, err := r.peelTo(found[0].ID, plumbing.CommitObject); err != nil || peeled != id {
			return r.Abbrev(id, 0)
		}
	}
	if tag, ok := strings.CutPrefix(found[0].Name, "refs/tags/"); ok {
		return tag
	}
	return strings.TrimPrefix(found[0].Name, "refs/remotes/")
}

// headDescription is the first line of git branch when HEAD is detached.
func (r *Repository) headDescription() string {
	branch, rebasing := r.rebasing()
	from := r.detachedFrom()
	switch {
	case rebasing && branch != "":
		return "(no branch, rebasing " + branch + ")"
	case rebasing:
		return "(no branch, rebasing detached HEAD " + from.name + ")"
	case r.inGitDir("BISECT_LOG"):
		return "(no branch, bisect started on " + r.branchFile("BISECT_START") + ")"
	case from.name == "":
		return "(no branch)"
	case from.at:
		return "(HEAD detached at " + from.name + ")"
	}
	return "(HEAD detached from " + from.name + ")"
}

// rebasing tells whether a rebase is under way, and of which branch.
func (r *Repository) rebasing() (branch string, ok bool) {
	switch {
	case r.inGitDir("rebase-apply"):
		if r.inGitDir("rebase-apply/applying") {
			return "", false
		}
		return r.branchFile("rebase-apply/head-name"), true
	case r.inGitDir("rebase-merge"):
		return r.branchFile("rebase-merge/head-name"), true
	}
	return "", false
}

func (r *Repository) inGitDir(name string) bool {
	_, err := r.layout.gitDir.Lstat(name)
	return err == nil
}

// branchFile reads a state file that names a branch or a commit.
func (r *Repository) branchFile(name string) string {
	data, err := readFile(r.layout.gitDir, name)
	if err != nil {
		return ""
	}
	text := string(bytes.TrimRight(data, "\n"))
	switch {
	case strings.HasPrefix(text, "refs/heads/"):
		return text[len("refs/heads/"):]
	case plumbing.IsHash(text):
		return r.Abbrev(plumbing.NewHash(text), 0)
	case text == "detached HEAD":
		return ""
	}
	return text
}
