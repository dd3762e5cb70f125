// Package prio has the priority queue of the walks through history.
package prio

import "cmp"

// Queue gives out items by rank, the lowest first, those of one rank in the
// order in which they came; without a rank it is a stack. The zero value is an
// empty stack.
//
// Ranks may change while items wait, as dates of commits do when they are
// loaded. The order then depends on how a queue sifts, which this one does as
// git's prio_queue does.
type Queue[T any] struct {
	Rank  func(x, y T) int // as cmp.Compare; not changed while items wait
	items []numbered[T]
	count int
}

// numbered is an item with its place among all that came.
type numbered[T any] struct {
	item   T
	number int
}

// Len returns how many items wait.
func (q *Queue[T]) Len() int { return len(q.items) }

// First returns the item that Pop of a queue with a rank would return. The
// queue must not be empty.
func (q *Queue[T]) First() T { return q.items[0].item }

// Push adds an item.
func (q *Queue[T]) Push(item T) {
	q.items = append(q.items, numbered[T]{item, q.count})
	q.count++
	if q.Rank == nil {
		return
	}
	for i := len(q.items) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.before(i, up) {
			return
		}
		q.items[i], q.items[up] = q.items[up], q.items[i]
		i = up
	}
}

// Pop takes out the next item. The queue must not be empty.
func (q *Queue[T]) Pop() T {
	last := len(q.items) - 1
	next := last
	if q.Rank != nil {
		next = 0
	}
	item := q.items[next].item
	q.items[next] = q.items[last]
	q.items[last] = numbered[T]{}
	q.items = q.items[:last]
	if q.Rank != nil {
		q.sink()
	}
	return item
}

// sink moves the first item to its place.
func (q *Queue[T]) sink() {
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(q.items) {
			return
		}
		if down+1 < len(q.items) && q.before(down+1, down) {
			down++
		}
		if !q.before(down, i) {
			return
		}
		q.items[i], q.items[down] = q.items[down], q.items[i]
		i = down
	}
}

func (q *Queue[T]) before(i, j int) bool {
	x, y := &q.items[i], &q.items[j]
	return cmp.Or(q.Rank(x.item, y.item), cmp.Compare(x.number, y.number)) < 0
}
