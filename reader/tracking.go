package reader

import (
	"context"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// track fills in the upstream of a status' branch and how far the two are
// apart; with quick only if status.aheadBehind wants that.
func (r *Repository) track(ctx context.Context, b *StatusBranch, quick bool) error {
	branch := b.Name
	if b.Detached {
		branch = r.detachedBranch()
	}
	if branch == "" {
		return nil
	}
	if b.UpstreamRef = r.upstream(branch); b.UpstreamRef == "" {
		return nil
	}
	b.Upstream = r.refs.Shorten(b.UpstreamRef, false)
	ours, ourErr := r.commitOf("refs/heads/" + branch)
	theirs, theirErr := r.commitOf(b.UpstreamRef)
	if ourErr != nil || theirErr != nil {
		b.Gone = true
		return nil
	}
	count := true
	if quick {
		var err error
		if count, err = r.Config().Bool("status.aheadbehind", true); err != nil {
			return err
		}
	}
	var err error
	if ours == theirs || count {
		b.Compared = true
		b.Ahead, b.Behind, err = r.aheadBehind(ctx, ours, theirs)
	}
	return err
}

// commitOf returns the commit that a ref leads to.
func (r *Repository) commitOf(name string) (plumbing.Hash, error) {
	ref, err := r.refs.Resolve(name)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return r.peelToCommit(ref.ID)
}

// detachedBranch is the name under which git looks for an upstream while HEAD
// is detached: what it was detached from, be that a branch or not.
func (r *Repository) detachedBranch() string {
	if len(r.Config().Subsections("branch")) == 0 {
		return ""
	}
	for _, name := range []string{"rebase-merge", "rebase-apply"} {
		if r.inGitDir(name) && !r.inGitDir("rebase-apply/applying") {
			return r.branchFile(name + "/onto")
		}
	}
	return r.detachedFrom().name
}

// upstream returns the full name of the ref that a branch follows, "" when it
// follows none (git-config(1), branch.NAME.merge).
func (r *Repository) upstream(branch string) string {
	cfg := r.Config()
	remote, ok := cfg.Get("branch." + branch + ".remote")
	merge, configured := first(cfg.All("branch." + branch + ".merge"))
	if !ok || !configured {
		return ""
	}
	if remote == "." {
		if found := r.dwim(merge); len(found) == 1 {
			return found[0].Name
		}
		return merge
	}
	return TrackingRef(r.fetchSpecs(remote), merge)
}

// TrackingRef applies fetch refspecs (git-fetch(1)) to a ref of the remote.
func TrackingRef(refspecs []string, ref string) string {
	for _, spec := range refspecs {
		if excluded, ok := strings.CutPrefix(spec, "^"); ok {
			if _, ok := mapRef(excluded, excluded, ref); ok {
				return ""
			}
		}
	}
	for _, spec := range refspecs {
		source, target, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
		if !ok || target == "" || strings.HasPrefix(spec, "^") {
			continue
		}
		if mapped, ok := mapRef(source, target, ref); ok {
			return mapped
		}
	}
	return ""
}

// TrackedRef returns the remote's ref that a remote-tracking one follows by
// fetch refspecs, "" for none.
func TrackedRef(refspecs []string, tracking string) string {
	for _, spec := range refspecs {
		source, target, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
		if !ok || target == "" || strings.HasPrefix(spec, "^") {
			continue
		}
		if source, ok := mapRef(target, source, tracking); ok {
			return source
		}
	}
	return ""
}

// mapRef replaces what the star of source stands for in ref into target.
func mapRef(source, target, ref string) (string, bool) {
	before, after, pattern := strings.Cut(source, "*")
	if !pattern {
		return target, source == ref
	}
	if len(ref) < len(before)+len(after) || !strings.HasPrefix(ref, before) || !strings.HasSuffix(ref, after) {
		return "", false
	}
	start, end, _ := strings.Cut(target, "*")
	return start + ref[len(before):len(ref)-len(after)] + end, true
}

// peelToCommit follows annotated tags to a commit.
func (r *Repository) peelToCommit(id plumbing.Hash) (plumbing.Hash, error) {
	return r.peelTo(id, plumbing.CommitObject)
}
