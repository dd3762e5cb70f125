package reader

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"
)

// painting spreads marks from commits to their ancestors, the youngest commits
// first.
type painting struct {
	ctx     context.Context
	commits *ancestry
	marks   []marks // by number
	queue   []waiting
	order   uint32 // counts what enters the queue
	dated   bool   // generations are better than dates
	steps   int
	parents []uint32 // of the commit that was taken last
}

// marks are what a painting knows of a commit.
type marks uint8

const (
	fromOne marks = 1 << iota // reached from the first side
	fromTwo                   // reached from the other
	stale                     // below a common ancestor
	common                    // is one, and stands in the result
	queued                    // is in the queue
	spread                    // its parents have been marked
	sides   = fromOne | fromTwo
)

// waiting is a commit in the queue, with what it is sorted by and its parents,
// unless there are more than two.
type waiting struct {
	generation, date uint64
	order, n         uint32
	parents          [2]uint32
	count            int32 // of the parents; many
}

// many says that a commit has more than two parents.
const many = -1

func (a *ancestry) paint(ctx context.Context) *painting {
	// Levels, the older kind of generations, would lead far down side
	// branches: dates are better.
	return &painting{ctx: ctx, commits: a, marks: make([]marks, a.len()), dated: a.table != nil && a.table.Dated()}
}

func (p *painting) of(n uint32) *marks {
	if int(n) >= len(p.marks) {
		p.marks = append(p.marks, make([]marks, p.commits.len()-len(p.marks))...)
	}
	return &p.marks[n]
}

// put queues a commit, unless it is there.
func (p *painting) put(n uint32) error {
	m := p.of(n)
	if *m&queued != 0 {
		return nil
	}
	c, err := p.commits.commit(n)
	if err != nil {
		return err
	}
	*m |= queued
	if p.commits.met != nil {
		p.commits.met(n)
	}
	w := waiting{date: uint64(c.Date), order: p.order, n: n}
	if w.count = int32(copy(w.parents[:], c.Parents)); len(c.Parents) > len(w.parents) {
		w.count = many
	}
	if p.dated {
		w.generation = c.Generation
	}
	p.order++
	p.push(w)
	return nil
}

// next takes the youngest commit from the queue and returns its parents, valid
// until the next call.
func (p *painting) next() (n uint32, parents []uint32, err error) {
	if p.steps++; p.steps%1024 == 0 {
		if err := p.ctx.Err(); err != nil {
			return 0, nil, err
		}
	}
	w := p.pop()
	p.marks[w.n] &^= queued
	if w.count != many {
		p.parents = append(p.parents[:0], w.parents[:w.count]...)
		return w.n, p.parents, nil
	}
	c, err := p.commits.commit(w.n)
	p.parents = append(p.parents[:0], c.Parents...)
	return w.n, p.parents, err
}

// missing gives the error of an unreadable parent its child's name.
func (p *painting) missing(err error, child uint32) error {
	id, failed := p.commits.id(child)
	if failed != nil {
		id = plumbing.ZeroHash
	}
	return childError(err, id)
}

func (w *waiting) before(other *waiting) bool {
	switch {
	case w.generation != other.generation:
		return w.generation > other.generation
	case w.date != other.date:
		return w.date > other.date
	}
	return w.order < other.order
}

func (p *painting) push(w waiting) {
	p.queue = append(p.queue, w)
	i := len(p.queue) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !w.before(&p.queue[up]) {
			break
		}
		p.queue[i] = p.queue[up]
		i = up
	}
	p.queue[i] = w
}

func (p *painting) pop() waiting {
	top, last := p.queue[0], len(p.queue)-1
	w := p.queue[last]
	p.queue = p.queue[:last]
	i := 0
	for {
		down := 2*i + 1
		if down >= last {
			break
		}
		if down+1 < last && p.queue[down+1].before(&p.queue[down]) {
			down++
		}
		if !p.queue[down].before(&w) {
			break
		}
		p.queue[i] = p.queue[down]
		i = down
	}
	if last > 0 {
		p.queue[i] = w
	}
	return top
}
