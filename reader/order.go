package reader

import (
	"cmp"
	"slices"

	"github.com/ingit-dev/ingit/internal/object"
)

// sorted brings the commits of a walk that was computed whole into an order in
// which no parent stands before a child (git-log(1), "Commit Ordering").
func (w *walk) sorted(list []*node) ([]*node, error) {
	ready := heap{}
	switch w.opts.Order {
	case OrderDefault:
		return list, nil
	case OrderDate:
		ready.rank = byDate
	case OrderAuthorDate:
		authored := authorDates{}
		for _, n := range list {
			if err := authored.read(w.graph, n); err != nil {
				return nil, err
			}
		}
		ready.rank = authored.compare
	}
	for _, n := range list {
		n.waiting = 1 // children to come, plus one
	}
	for _, n := range list {
		for _, p := range n.parents {
			if p.waiting > 0 {
				p.waiting++
			}
		}
	}
	for _, n := range list {
		if n.waiting == 1 {
			ready.push(n)
		}
	}
	if w.opts.Order == OrderTopo {
		slices.Reverse(ready.items)
	}
	result := make([]*node, 0, len(list))
	for len(ready.items) > 0 {
		n := ready.pop()
		for _, p := range n.parents {
			if p.waiting == 0 {
				continue
			}
			if p.waiting--; p.waiting == 1 {
				ready.push(p)
			}
		}
		n.waiting = 0
		result = append(result, n)
	}
	return result, nil
}

// authorDates are the dates of commits' authors, as git compares them.
type authorDates map[*node]uint64

func (d authorDates) compare(x, y *node) int { return cmp.Compare(d[y], d[x]) }

func (d authorDates) read(g *graph, n *node) error {
	data, err := g.read(n.id)
	if err != nil {
		return err
	}
	commit, err := object.ParseCommit(n.id, data)
	if err != nil {
		return err
	}
	ident, _ := object.SplitIdent(commit.Author)
	d[n] = uint64(ident.When())
	return nil
}
