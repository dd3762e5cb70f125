package reader

import (
	"cmp"
	"slices"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/prio"
)

// sorted brings the commits of a walk that was computed whole into an order in
// which no parent stands before a child (git-log(1), "Commit Ordering").
func (w *walk) sorted(list []*node) ([]*node, error) {
	var ready prio.Queue[*node]
	switch w.opts.Order {
	case OrderDefault:
		return list, nil
	case OrderDate:
		ready.Rank = byDate
	case OrderAuthorDate:
		authored := authorDates{}
		for _, n := range list {
			if err := authored.read(w.graph, n); err != nil {
				return nil, err
			}
		}
		ready.Rank = authored.compare
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
	tips := slices.DeleteFunc(slices.Clone(list), func(n *node) bool { return n.waiting > 1 })
	if w.opts.Order == OrderTopo {
		slices.Reverse(tips) // the first goes in last
	}
	for _, n := range tips {
		ready.Push(n)
	}
	result := make([]*node, 0, len(list))
	for ready.Len() > 0 {
		n := ready.Pop()
		for _, p := range n.parents {
			if p.waiting == 0 {
				continue
			}
			if p.waiting--; p.waiting == 1 {
				ready.Push(p)
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
