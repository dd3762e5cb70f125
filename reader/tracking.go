package reader

import (
	"context"
	"errors"
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
	b.Upstream = r.refs.NewShortener(false).Shorten(b.UpstreamRef)
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

// aheadBehind counts the commits that are reached from only one of two. It
// walks both histories at once, youngest commits first, until all that is left
// to look at is reached from both.
func (r *Repository) aheadBehind(ctx context.Context, ours, theirs plumbing.Hash) (ahead, behind int, err error) {
	if ours == theirs {
		return 0, 0, nil
	}
	g, err := r.newGraph(false)
	if err != nil {
		return 0, 0, err
	}
	p := painter{graph: g}
	if err := errors.Join(p.paint(g.node(ours), leftSide), p.paint(g.node(theirs), right)); err != nil {
		return 0, 0, err
	}
	for p.open > 0 {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		if err := p.step(); err != nil {
			return 0, 0, err
		}
	}
	for _, n := range g.nodes {
		switch n.flags & (leftSide | right) {
		case leftSide:
			ahead++
		case right:
			behind++
		}
	}
	return ahead, behind, nil
}

// painter spreads the flags leftSide and right from commits to their ancestors.
type painter struct {
	graph *graph
	queue queue
	open  int // queued commits that may still change what is counted
}

// step takes the youngest commit from the queue and paints its parents.
func (p *painter) step() error {
	n := p.queue.pop()
	if n.open() {
		p.open--
	}
	n.flags = n.flags&^queued | added
	for _, parent := range n.parents {
		if err := p.paint(parent, n.flags&(leftSide|right)); err != nil {
			return childError(err, n.id)
		}
	}
	return nil
}

// open reports a queued commit that is reached from one side only, or that was
// when its parents were painted.
func (n *node) open() bool {
	return n.flags&queued != 0 && (n.flags&(leftSide|right) != leftSide|right || n.flags&added != 0)
}

// paint marks a commit as reached and queues it if that is news.
func (p *painter) paint(n *node, side flags) error {
	if n.flags|side == n.flags {
		return nil
	}
	if err := p.graph.load(n); err != nil {
		return err
	}
	was := n.open()
	n.flags |= side
	if n.flags&queued == 0 {
		n.flags |= queued
		p.queue.push(n)
	}
	switch is := n.open(); {
	case is && !was:
		p.open++
	case was && !is:
		p.open--
	}
	return nil
}
