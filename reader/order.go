package reader

import (
	"slices"

	"github.com/ingit-dev/ingit/internal/object"
)

// sorted brings the commits of a walk that was computed whole into an order in
// which no parent stands before a child (git-log(1), "Commit Ordering").
func (w *walk) sorted(list []*node) ([]*node, error) {
	if w.opts.Order == OrderDefault {
		return list, nil
	}
	if w.opts.Order == OrderAuthorDate {
		if err := w.readAuthorDates(list); err != nil {
			return nil, err
		}
	}
	waiting := make(map[*node]int, len(list)) // children to come, plus one
	for _, n := range list {
		waiting[n] = 1
	}
	for _, n := range list {
		for _, p := range n.parents {
			if waiting[p] > 0 {
				waiting[p]++
			}
		}
	}
	ready := readyQueue{order: w.opts.Order}
	for _, n := range list {
		if waiting[n] == 1 {
			ready.push(n)
		}
	}
	if w.opts.Order == OrderTopo {
		slices.Reverse(ready.stack)
	}
	result := make([]*node, 0, len(list))
	for !ready.empty() {
		n := ready.pop()
		for _, p := range n.parents {
			if waiting[p] == 0 {
				continue
			}
			if waiting[p]--; waiting[p] == 1 {
				ready.push(p)
			}
		}
		waiting[n] = 0
		result = append(result, n)
	}
	return result, nil
}

// readAuthorDates puts author dates in the place of committer dates, which the
// walk needs no more.
func (w *walk) readAuthorDates(list []*node) error {
	for _, n := range list {
		data, err := w.graph.read(n.id)
		if err != nil {
			return err
		}
		commit, err := object.ParseCommit(n.id, data)
		if err != nil {
			return err
		}
		ident, _ := object.SplitIdent(commit.Author)
		n.date = uint64(ident.When())
	}
	return nil
}

// readyQueue holds the commits all of whose children are out: last in, first
// out for OrderTopo, else by date.
type readyQueue struct {
	order Order
	stack []*node
	dated queue
}

func (q *readyQueue) push(n *node) {
	if q.order == OrderTopo {
		q.stack = append(q.stack, n)
		return
	}
	q.dated.push(n)
}

func (q *readyQueue) pop() *node {
	if q.order != OrderTopo {
		return q.dated.pop()
	}
	n := q.stack[len(q.stack)-1]
	q.stack = q.stack[:len(q.stack)-1]
	return n
}

func (q *readyQueue) empty() bool { return len(q.stack) == 0 && len(q.dated.items) == 0 }
