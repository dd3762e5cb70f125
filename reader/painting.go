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

	// Commits of the commit-graph whose generation is greater than apart are
	// reached from one side at most, so that their order doesn't matter. They
	// are stacked instead of queued.
	apart uint64
	stack []uint32
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

// paint begins a painting, in the memory of the one before.
func (a *ancestry) paint(ctx context.Context) *painting {
	p := &a.last
	clear(p.marks)
	*p = painting{ctx: ctx, commits: a, marks: p.marks, queue: p.queue[:0], parents: p.parents, stack: p.stack[:0], apart: noGeneration}
	// Levels, the older kind of generations, would lead far down side
	// branches: dates are better.
	p.dated = a.table != nil && a.table.Dated()
	return p
}

// separate finds out which commits are reached from one side at most: a common
// ancestor is no younger than the youngest of either side.
func (p *painting) separate(one, two []uint32) error {
	if !p.dated || p.commits.met != nil {
		return nil
	}
	for _, side := range [][]uint32{one, two} {
		youngest := uint64(0)
		for _, n := range side {
			g, err := p.commits.generation(n)
			if err != nil {
				return err
			}
			youngest = max(youngest, g)
		}
		p.apart = min(p.apart, youngest)
	}
	return nil
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
	if p.apart != noGeneration && n < p.commits.placed {
		if g, err := p.commits.generation(n); err != nil || g > p.apart {
			*m |= queued
			p.stack = append(p.stack, n)
			return err
		}
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

// next takes a commit from the stack or the youngest one from the queue and
// returns its parents, valid until the next call.
func (p *painting) next() (n uint32, parents []uint32, err error) {
	if p.steps++; p.steps%1024 == 0 {
		if err := p.ctx.Err(); err != nil {
			return 0, nil, err
		}
	}
	if last := len(p.stack) - 1; last >= 0 {
		n, p.stack = p.stack[last], p.stack[:last]
		parents, err = p.commits.parentsOf(n)
	} else {
		w := p.pop()
		n, parents = w.n, w.parents[:max(w.count, 0)]
		if w.count == many {
			parents, err = p.commits.parentsOf(n)
		}
	}
	p.marks[n] &^= queued
	p.parents = append(p.parents[:0], parents...) // others will be asked for their parents now
	return n, p.parents, err
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
