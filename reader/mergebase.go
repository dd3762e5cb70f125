package reader

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// The marks of a search for common ancestors.
const (
	fromOne flags = 1 << (iota + 10) // reached from the first commit
	fromTwo                          // reached from one of the others
	stale                            // below a common ancestor
	common                           // is one, and stands in the result
	painted = fromOne | fromTwo | stale | common
)

// MergeBases returns the best common ancestors of two commits, the youngest
// first (git-merge-base(1), --all); none is no error. The ids must be commits'.
func (r *Repository) MergeBases(ctx context.Context, one, two plumbing.Hash) ([]plumbing.Hash, error) {
	g, err := r.newGraph(false)
	if err != nil {
		return nil, err
	}
	bases, err := g.mergeBases(ctx, g.node(one), []*node{g.node(two)})
	return idsOf(bases), err
}

func idsOf(list []*node) []plumbing.Hash {
	ids := make([]plumbing.Hash, len(list))
	for i, n := range list {
		ids[i] = n.id
	}
	return ids
}

// mergeBases returns the best common ancestors of one and a merge of the
// others.
func (g *graph) mergeBases(ctx context.Context, one *node, others []*node) ([]*node, error) {
	if slices.Contains(others, one) {
		return []*node{one}, g.load(one)
	}
	found, err := g.paint(ctx, one, others)
	if err != nil {
		return nil, err
	}
	bases := slices.DeleteFunc(found, func(n *node) bool { return n.flags&stale != 0 })
	if len(bases) > 1 {
		bases, err = g.independent(ctx, bases)
	}
	slices.SortStableFunc(bases, func(x, y *node) int { return cmp.Compare(y.date, x.date) })
	return bases, err
}

// paint walks down from both sides at once, newest commits first, until only
// what lies below common ancestors is left.
func (g *graph) paint(ctx context.Context, one *node, others []*node) (result []*node, err error) {
	for _, n := range g.nodes {
		n.flags &^= painted
	}
	var q queue
	fresh := 0 // queued commits that are not stale
	put := func(n *node, marks flags) error {
		if err := g.load(n); err != nil {
			return err
		}
		n.flags |= marks
		q.push(n)
		return nil
	}
	if err := put(one, fromOne); err != nil {
		return nil, err
	}
	for _, n := range others {
		if err := put(n, fromTwo); err != nil {
			return nil, err
		}
	}
	for {
		if fresh = countFresh(&q, fresh); fresh == 0 {
			return result, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := q.pop()
		marks := n.flags & (fromOne | fromTwo | stale)
		if marks == fromOne|fromTwo {
			if n.flags&common == 0 {
				n.flags |= common
				result = append(result, n)
			}
			marks |= stale
		}
		for _, p := range n.parents {
			if p.flags&marks == marks {
				continue
			}
			if err := put(p, marks); err != nil {
				return nil, childError(err, n.id)
			}
		}
	}
}

// countFresh says whether the queue holds a commit that is not stale. The
// place where one was found last is tried first.
func countFresh(q *queue, last int) int {
	if last > 0 && last <= len(q.items) && q.items[last-1].flags&stale == 0 {
		return last
	}
	for i, n := range q.items {
		if n.flags&stale == 0 {
			return i + 1
		}
	}
	return 0
}

// independent drops the commits that are ancestors of others in the list.
func (g *graph) independent(ctx context.Context, list []*node) ([]*node, error) {
	redundant := map[*node]bool{}
	for i, n := range list {
		if redundant[n] {
			continue
		}
		var others []*node
		for j, other := range list {
			if j != i && !redundant[other] {
				others = append(others, other)
			}
		}
		if len(others) == 0 {
			break
		}
		if _, err := g.paint(ctx, n, others); err != nil {
			return nil, err
		}
		if n.flags&fromTwo != 0 {
			redundant[n] = true
		}
		for _, other := range others {
			if other.flags&fromOne != 0 {
				redundant[other] = true
			}
		}
	}
	return slices.DeleteFunc(list, func(n *node) bool { return redundant[n] }), nil
}
