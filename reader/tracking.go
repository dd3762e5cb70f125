package reader

import (
	"container/heap"
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
)

// track fills in the upstream of a status' branch and how far the two are
// apart.
func (r *Repository) track(ctx context.Context, b *StatusBranch) error {
	if b.Detached {
		return nil
	}
	b.UpstreamRef = r.upstream(b.Name)
	if b.UpstreamRef == "" {
		return nil
	}
	b.Upstream = r.shortRef(b.UpstreamRef)
	theirs, err := r.refs.Resolve(b.UpstreamRef)
	if err != nil || b.Unborn {
		b.Gone = true
		return nil
	}
	theirID, err := r.peelToCommit(theirs.ID)
	if err != nil {
		b.Gone = true
		return nil
	}
	count, err := r.Config().Bool("status.aheadbehind", true)
	if err != nil {
		return err
	}
	if b.ID == theirID || count {
		b.Compared = true
		b.Ahead, b.Behind, err = r.aheadBehind(ctx, b.ID, theirID)
	}
	return err
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
		return merge
	}
	return trackingRef(cfg.All("remote."+remote+".fetch"), merge)
}

// trackingRef applies fetch refspecs (git-fetch(1)) to a ref of the remote.
func trackingRef(refspecs []string, ref string) string {
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

// shortRef returns the shortest form of a full ref name that no other ref is
// found by first (gitrevisions(7)).
func (r *Repository) shortRef(name string) string {
	rules := []struct{ prefix, suffix string }{
		{"", ""}, {"refs/", ""}, {"refs/tags/", ""}, {"refs/heads/", ""}, {"refs/remotes/", ""}, {"refs/remotes/", "/HEAD"},
	}
	for i := len(rules) - 1; i > 0; i-- {
		rest, ok := strings.CutPrefix(name, rules[i].prefix)
		if ok {
			rest, ok = strings.CutSuffix(rest, rules[i].suffix)
		}
		if !ok || rest == "" {
			continue
		}
		ambiguous := false
		for j := 0; j < i && !ambiguous; j++ {
			_, err := r.refs.Read(rules[j].prefix + rest + rules[j].suffix)
			ambiguous = err == nil
		}
		if !ambiguous {
			return rest
		}
	}
	return name
}

// peelToCommit follows annotated tags to a commit.
func (r *Repository) peelToCommit(id plumbing.Hash) (plumbing.Hash, error) {
	for {
		kind, data, err := r.Objects().Read(id)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		switch kind {
		case plumbing.CommitObject:
			return id, nil
		case plumbing.TagObject:
			tag, err := object.ParseTag(id, data)
			if err != nil {
				return plumbing.ZeroHash, err
			}
			id = tag.Target
		default:
			return plumbing.ZeroHash, errors.New("object " + id.String() + " is a " + kind.String() + ", not a commit")
		}
	}
}

// sides says from which of two commits another one is reached.
type sides uint8

const (
	fromOurs sides = 1 << iota
	fromTheirs
	fromBoth = fromOurs | fromTheirs
)

// aheadBehind counts the commits that are reached from only one of two.
func (r *Repository) aheadBehind(ctx context.Context, ours, theirs plumbing.Hash) (ahead, behind int, err error) {
	if ours == theirs {
		return 0, 0, nil
	}
	w, err := r.newPainter()
	if err != nil {
		return 0, 0, err
	}
	if err = errors.Join(w.paint(ours, fromOurs), w.paint(theirs, fromTheirs)); err != nil {
		return 0, 0, err
	}
	for w.open > 0 {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		at := heap.Pop(&w.queue).(*paintedCommit)
		at.queued = false
		if at.sides != fromBoth {
			w.open--
		}
		for _, parent := range at.parents {
			if err := w.paint(parent, at.sides); err != nil {
				return 0, 0, err
			}
		}
	}
	for _, c := range w.seen {
		switch c.sides {
		case fromOurs:
			ahead++
		case fromTheirs:
			behind++
		}
	}
	return ahead, behind, nil
}

// painter walks two histories at once, youngest commits first.
type painter struct {
	repo      *Repository
	overrides *overrides
	seen      map[plumbing.Hash]*paintedCommit
	queue     paintQueue
	open      int // queued commits that are reached from one side only
}

type paintedCommit struct {
	date    int64
	parents []plumbing.Hash
	sides   sides
	queued  bool
	order   int
}

func (r *Repository) newPainter() (*painter, error) {
	o, err := r.loadOverrides()
	return &painter{repo: r, overrides: o, seen: map[plumbing.Hash]*paintedCommit{}}, err
}

// paint marks a commit as reached and queues it if that is news.
func (w *painter) paint(id plumbing.Hash, from sides) error {
	c := w.seen[id]
	if c == nil {
		var err error
		if c, err = w.load(id); err != nil {
			return err
		}
		w.seen[id] = c
	}
	if c.sides|from == c.sides {
		return nil
	}
	wasOpen := c.queued && c.sides != fromBoth
	c.sides |= from
	if !c.queued {
		c.queued = true
		heap.Push(&w.queue, c)
	}
	if isOpen := c.sides != fromBoth; isOpen && !wasOpen {
		w.open++
	} else if wasOpen && !isOpen {
		w.open--
	}
	return nil
}

func (w *painter) load(id plumbing.Hash) (*paintedCommit, error) {
	kind, data, err := w.repo.Objects().Read(id)
	if err != nil {
		return nil, err
	}
	if kind != plumbing.CommitObject {
		return nil, errors.New("object " + id.String() + " is a " + kind.String() + ", not a commit")
	}
	c := &paintedCommit{order: len(w.seen)}
	if c.date, err = object.CommitDate(data); err != nil {
		return nil, err
	}
	if grafted, ok := w.overrides.parents[id]; ok {
		c.parents = grafted
		return c, nil
	}
	c.parents, _, err = object.CommitParents(id, data, nil)
	return c, err
}

type paintQueue []*paintedCommit

func (q paintQueue) Len() int { return len(q) }
func (q paintQueue) Less(i, j int) bool {
	if q[i].date != q[j].date {
		return q[i].date > q[j].date
	}
	return q[i].order < q[j].order
}
func (q paintQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *paintQueue) Push(x any)   { *q = append(*q, x.(*paintedCommit)) }
func (q *paintQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
