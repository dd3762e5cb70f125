package reader

import (
	"context"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// walk is one run of Log.
type walk struct {
	ctx     context.Context
	opts    LogOptions
	graph   *graph
	queue   queue
	compare comparison // nil: all paths
	filters *filters
	matcher *messageMatcher
	lines   *lineLog // nil: none are followed
	max     int      // commits that may be read, from the limits
	bare    bool     // commits are yielded without their text
}

func (r *Repository) newWalk(ctx context.Context, opts LogOptions) (*walk, error) {
	g, err := r.newGraph()
	if err != nil {
		return nil, err
	}
	w := &walk{ctx: ctx, opts: opts, graph: g, max: r.Workspace().Policy().Limits.WithDefaults().Commits}
	if !opts.Paths.Empty() && !opts.Flat {
		w.compare, w.filters = r.newComparison(opts.Paths), newFilters(g.table, opts.Paths)
	}
	if w.matcher, err = r.newMessageMatcher(ctx, opts.Match); err != nil {
		return nil, err
	}
	if opts.Tips != nil {
		if err := w.start(r, opts.Tips); err != nil {
			return nil, err
		}
		return w, w.followLines(r, opts.Tips)
	}
	tips, err := r.headTip()
	if err != nil {
		return nil, err
	}
	if err := w.start(r, tips); err != nil {
		return nil, badHead(err)
	}
	return w, w.followLines(r, tips)
}

// start puts the tips into the queue.
func (w *walk) start(r *Repository, tips []plumbing.Hash) error {
	if err := w.meetAgain(r); err != nil {
		return err
	}
	ends := w.opts.ends(tips)
	nodes := make([]*node, len(ends))
	for i, end := range ends {
		commit, err := r.peelTo(end.id, plumbing.CommitObject)
		if err != nil {
			return err
		}
		nodes[i] = w.graph.node(commit)
		if err := w.graph.load(nodes[i]); err != nil {
			return err
		}
	}
	for i, end := range ends { // when all are known: an exclusion spreads over them
		w.enter(nodes[i], end.mark)
	}
	return nil
}

// end is a commit at which a walk starts, or that is left out, as it was given.
type end struct {
	id   plumbing.Hash
	mark flags
}

// ends returns the ends of a walk in the order in which they were given: of
// commits with the same date, the first comes first.
func (o *LogOptions) ends(tips []plumbing.Hash) []end {
	list := make([]end, 0, len(o.Exclude)+len(tips))
	for i, id := range o.Exclude {
		if i < len(o.ExcludeAt) {
			list, tips = o.addTips(list, tips, min(len(tips), max(0, o.ExcludeAt[i]-(len(list)-i))))
		}
		list = append(list, end{id, uninteresting | bottom})
	}
	list, _ = o.addTips(list, tips, len(tips))
	return list
}

// addTips adds the first n tips to the list and returns the others.
func (o *LogOptions) addTips(list []end, tips []plumbing.Hash, n int) ([]end, []plumbing.Hash) {
	for _, id := range tips[:n] {
		mark := flags(0)
		if slices.ContainsFunc(o.Symmetric, func(pair [2]plumbing.Hash) bool { return pair[0] == id }) {
			mark = leftSide
		}
		list = append(list, end{id, mark})
	}
	return list, tips[n:]
}

// meetAgain makes known what the search for the merge bases of a symmetric range
// has seen: which parents count in a simplified history depends, in git, on how
// far an exclusion spreads at once, and it spreads over what is known.
func (w *walk) meetAgain(r *Repository) error {
	if len(w.opts.Symmetric) == 0 {
		return nil
	}
	return r.withAncestry(func(a *ancestry) error {
		a.met = func(n uint32) {
			if id, err := a.id(n); err == nil {
				_ = w.graph.load(w.graph.node(id))
			}
		}
		defer func() { a.met = nil }()
		for _, pair := range w.opts.Symmetric {
			if _, err := a.mergeBases(w.ctx, a.number(pair[0]), []uint32{a.number(pair[1])}); err != nil {
				return err
			}
		}
		return nil
	})
}

// enter puts an end of the walk into the queue.
func (w *walk) enter(n *node, mark flags) {
	n.flags |= mark
	if n.flags&seen != 0 {
		return
	}
	if mark&uninteresting != 0 {
		markParents(n)
	}
	n.flags |= seen
	w.queue.push(n)
}

// source returns the function that gives one commit after the other.
func (w *walk) source() (func() (*node, error), error) {
	if !w.opts.limited() {
		return w.stream, nil
	}
	if w.incremental() {
		t, err := w.startTopo()
		if err != nil {
			return nil, err
		}
		return t.next, nil
	}
	found, err := w.limited()
	if err == nil {
		found, err = w.sorted(found)
	}
	return fromList(found), err
}

func fromList(list []*node) func() (*node, error) {
	return func() (*node, error) {
		if len(list) == 0 {
			return nil, nil
		}
		n := list[0]
		list = list[1:]
		return n, nil
	}
}

// stream takes the next commit from the queue and puts its parents in; nil at
// the end.
func (w *walk) stream() (*node, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	for len(w.queue.items) > 0 {
		n := w.queue.pop()
		if w.tooOld(n) {
			w.graph.release(n)
			continue
		}
		return n, w.expand(n)
	}
	return nil, nil
}

// tooOld says whether a commit lies before Since; the walk does not go on
// there.
func (w *walk) tooOld(n *node) bool { return w.opts.Since != 0 && int64(n.date) < w.opts.Since }

func (w *walk) check() error {
	if w.graph.len() > w.max {
		return &sandbox.LimitError{Limit: "Commits", Max: int64(w.max)}
	}
	return w.ctx.Err()
}

// expand puts the parents of a commit into the queue.
func (w *walk) expand(n *node) error {
	if n.flags&added != 0 {
		return nil
	}
	n.flags |= added
	if n.flags&uninteresting != 0 {
		w.expandExcluded(n)
		return nil
	}
	if err := w.simplify(n); err != nil {
		return err
	}
	for _, p := range n.parents {
		if err := w.graph.load(p); err != nil {
			return childError(err, n.id)
		}
		p.flags |= n.flags & leftSide
		w.enqueue(p)
		if w.opts.FirstParent {
			break
		}
	}
	return nil
}

func childError(err error, child plumbing.Hash) error {
	var lost *MissingCommitError
	if errors.As(err, &lost) {
		lost.Child = child
	}
	return err
}

func (w *walk) enqueue(n *node) {
	if n.flags&seen == 0 {
		n.flags |= seen
		w.queue.push(n)
	}
}

// expandExcluded spreads an exclusion; what is missing there is no error.
func (w *walk) expandExcluded(n *node) {
	for _, p := range n.parents {
		p.flags |= uninteresting
		if w.graph.load(p) != nil {
			continue
		}
		markParents(p)
		w.enqueue(p)
	}
}

// markParents excludes the ancestors of an excluded commit as far as they are
// known.
func markParents(n *node) {
	stack := []*node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, p := range n.parents {
			if p.flags&uninteresting == 0 {
				p.flags |= uninteresting
				if p.flags&loaded != 0 {
					stack = append(stack, p)
				}
			}
		}
	}
}

// slop is how many excluded commits git looks at beyond the point where only
// excluded ones are left, since dates may be skewed.
const slop = 5

// limited computes a walk with excluded tips whole. It ends where git's ends.
func (w *walk) limited() ([]*node, error) {
	var list []*node
	date, left := ^uint64(0), slop
	for len(w.queue.items) > 0 {
		if err := w.check(); err != nil {
			return nil, err
		}
		n := w.queue.pop()
		if w.tooOld(n) {
			n.flags |= uninteresting
		}
		if err := w.expand(n); err != nil {
			return nil, err
		}
		if n.flags&uninteresting == 0 {
			if w.opts.Until != 0 && int64(n.date) > w.opts.Until && w.lines == nil {
				continue
			}
			date = n.date
			list = append(list, n)
			continue
		}
		markParents(n)
		w.graph.release(n)
		if left = w.patience(date, left); left == 0 {
			break
		}
	}
	return list, nil
}

func (w *walk) patience(date uint64, left int) int {
	switch {
	case len(w.queue.items) == 0:
		return 0
	case date <= w.queue.items[0].date:
		return slop
	}
	for _, n := range w.queue.items {
		if n.flags&uninteresting == 0 {
			return slop
		}
	}
	return left - 1
}
