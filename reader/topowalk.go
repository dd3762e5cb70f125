package reader

import (
	"cmp"
	"slices"
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
	explore, count heap
	ready          heap // no rank: last in, first out
	depth          uint64
	authored       authorDates // for OrderAuthorDate
}

// incremental says whether the walk is done as a topoWalk.
func (w *walk) incremental() bool {
	return w.opts.Order != OrderDefault && w.graph.table != nil && w.graph.table.Leveled()
}

// startTopo takes over the tips of a walk.
func (w *walk) startTopo() (*topoWalk, error) {
	t := &topoWalk{walk: w, depth: noGeneration, explore: heap{rank: byDepth}, count: heap{rank: byDepth}}
	switch w.opts.Order {
	case OrderDate:
		t.ready.rank = byDate
	case OrderAuthorDate:
		t.authored = authorDates{}
		t.ready.rank = t.authored.compare
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
	for _, n := range tips {
		if n.waiting == 1 {
			if err := t.release(n); err != nil {
				return nil, err
			}
		}
	}
	if w.opts.Order == OrderTopo {
		slices.Reverse(t.ready.items)
	}
	return t, nil
}

func byDepth(x, y *node) int {
	return cmp.Or(cmp.Compare(y.generation, x.generation), cmp.Compare(y.date, x.date))
}

func byDate(x, y *node) int { return cmp.Compare(y.date, x.date) }

func (t *topoWalk) meet(h *heap, n *node, mark flags) {
	if n.flags&mark == 0 {
		n.flags |= mark
		h.push(n)
	}
}

// exploreTo looks at all commits that lie at the depth or above.
func (t *topoWalk) exploreTo(depth uint64) error {
	for t.explore.reaches(depth) {
		if err := t.check(); err != nil {
			return err
		}
		n := t.explore.pop()
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
	for t.count.reaches(depth) {
		n := t.count.pop()
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
	t.ready.push(n)
	return nil
}

// next gives the next commit; nil at the end.
func (t *topoWalk) next() (*node, error) {
	for len(t.ready.items) > 0 {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		n := t.ready.pop()
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

// heap gives out commits by rank, the lowest first, those of one rank in the
// order in which they came. Without a rank it is a stack. Ranks may change while
// commits wait, when they are loaded; git's order then depends on how it sifts,
// which this does alike.
type heap struct {
	rank  func(x, y *node) int
	items []ranked
	count int
}

type ranked struct {
	node   *node
	number int
}

func (h *heap) before(i, j int) bool {
	x, y := h.items[i], h.items[j]
	return cmp.Or(h.rank(x.node, y.node), cmp.Compare(x.number, y.number)) < 0
}

func (h *heap) reaches(depth uint64) bool {
	return len(h.items) > 0 && h.items[0].node.generation >= depth
}

func (h *heap) push(n *node) {
	h.items = append(h.items, ranked{n, h.count})
	h.count++
	if h.rank == nil {
		return
	}
	for i := len(h.items) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.before(i, up) {
			break
		}
		h.items[i], h.items[up] = h.items[up], h.items[i]
		i = up
	}
}

func (h *heap) pop() *node {
	last := len(h.items) - 1
	if h.rank == nil {
		n := h.items[last].node
		h.items = h.items[:last]
		return n
	}
	top := h.items[0].node
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			return top
		}
		if down+1 < last && h.before(down+1, down) {
			down++
		}
		if !h.before(down, i) {
			return top
		}
		h.items[i], h.items[down] = h.items[down], h.items[i]
		i = down
	}
}
