package reader

import (
	"cmp"
	"slices"

	"github.com/ingit-dev/ingit/internal/prio"
)

// topoWalk gives the commits of an ordered walk one by one. Where a commit-graph
// knows how deep commits lie, a commit can be given as soon as no deeper one can
// be its child, and history need not be walked whole first. Git does the same,
// and so comes to another order where dates are skewed, since commits that are
// not shown in the end take part in it.
//
// Three walks follow each other: one looks at commits and their parents, one
// counts the children of commits, one takes those out that wait for no child.
type topoWalk struct {
	*walk
	explore, count prio.Queue[*node]
	ready          prio.Queue[*node] // OrderTopo has no rank: last in, first out
	depth          uint64
	authored       authorDates // for OrderAuthorDate
}

// incremental says whether the walk is done as a topoWalk.
func (w *walk) incremental() bool {
	return w.opts.Order != OrderDefault && w.graph.table != nil && w.graph.table.Leveled()
}

// startTopo takes over the tips of a walk.
func (w *walk) startTopo() (*topoWalk, error) {
	t := &topoWalk{walk: w, depth: noGeneration, explore: prio.Queue[*node]{Rank: byDepth}, count: prio.Queue[*node]{Rank: byDepth}}
	switch w.opts.Order {
	case OrderDate:
		t.ready.Rank = byDate
	case OrderAuthorDate:
		t.authored = authorDates{}
		t.ready.Rank = t.authored.compare
	}
	var tips []*node
	for len(w.queue.items) > 0 {
		tips = append(tips, w.queue.pop())
	}
	w.queue.closed = true
	for _, n := range tips {
		t.meet(&t.explore, n, explored)
		t.meet(&t.count, n, counted)
		t.depth = min(t.depth, n.generation)
		n.waiting = 1
	}
	if err := t.countTo(t.depth); err != nil {
		return nil, err
	}
	if w.opts.Order == OrderTopo {
		slices.Reverse(tips) // the first goes in last
	}
	for _, n := range tips {
		if n.waiting == 1 {
			if err := t.release(n); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

func byDepth(x, y *node) int {
	return cmp.Or(cmp.Compare(y.generation, x.generation), cmp.Compare(y.date, x.date))
}

func byDate(x, y *node) int { return cmp.Compare(y.date, x.date) }

func (t *topoWalk) meet(q *prio.Queue[*node], n *node, mark flags) {
	if n.flags&mark == 0 {
		n.flags |= mark
		q.Push(n)
	}
}

// reaches reports whether the next commit lies at the depth or above.
func reaches(q *prio.Queue[*node], depth uint64) bool {
	return q.Len() > 0 && q.First().generation >= depth
}

// exploreTo looks at all commits that lie at the depth or above.
func (t *topoWalk) exploreTo(depth uint64) error {
	for reaches(&t.explore, depth) {
		if err := t.check(); err != nil {
			return err
		}
		n := t.explore.Pop()
		if t.graph.load(n) != nil {
			continue
		}
		if t.tooOld(n) {
			n.flags |= uninteresting
		}
		if err := t.expand(n); err != nil {
			return err
		}
		if n.flags&uninteresting != 0 {
			markParents(n)
		}
		for _, p := range n.parents {
			t.meet(&t.explore, p, explored)
		}
	}
	return nil
}

// countTo counts how many children the commits have that lie at the depth or
// above.
func (t *topoWalk) countTo(depth uint64) error {
	for reaches(&t.count, depth) {
		n := t.count.Pop()
		if t.graph.load(n) != nil {
			continue
		}
		if err := t.exploreTo(n.generation); err != nil {
			return err
		}
		for _, p := range n.parents {
			if t.graph.load(p) != nil {
				break
			}
			p.waiting = max(p.waiting, 1) + 1
			t.meet(&t.count, p, counted)
			if t.opts.FirstParent {
				break
			}
		}
	}
	return nil
}

// release lets out a commit that waits for no child any more.
func (t *topoWalk) release(n *node) error {
	if t.authored != nil {
		if err := t.authored.read(t.graph, n); err != nil {
			return err
		}
	}
	t.ready.Push(n)
	return nil
}

// next gives the next commit; nil at the end.
func (t *topoWalk) next() (*node, error) {
	for t.ready.Len() > 0 {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		n := t.ready.Pop()
		n.waiting = 0
		if t.tooOld(n) {
			t.graph.release(n)
			continue
		}
		return n, t.releaseParents(n)
	}
	return nil, nil
}

func (t *topoWalk) releaseParents(n *node) error {
	if err := t.expand(n); err != nil {
		return err
	}
	for _, p := range n.parents {
		if p.flags&uninteresting != 0 {
			continue
		}
		if err := t.graph.load(p); err != nil {
			return childError(err, n.id)
		}
		if depth := p.generation; depth < t.depth {
			t.depth = depth
			if err := t.countTo(depth); err != nil {
				return err
			}
		}
		if p.waiting--; p.waiting == 1 {
			if err := t.release(p); err != nil {
				return err
			}
		}
		if t.opts.FirstParent {
			break
		}
	}
	return nil
}
