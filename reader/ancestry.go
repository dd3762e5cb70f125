package reader

import (
	"errors"
	"runtime"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/sandbox"
)

// ancestry knows commits by number, and what their parents are: what questions
// need that are not about the commits themselves. A number is a position in
// the commit-graph; commits that are not there get the numbers after those as
// they are met, and are remembered. One goroutine uses it at a time.
type ancestry struct {
	commitReader
	table   *commitgraph.Graph // nil: there is none, or it must not be used
	placed  uint32             // how many commits are in the table
	numbers map[plumbing.Hash]uint32
	others  []otherCommit
	parents []uint32       // of the others
	places  []uint32       // scratch for the parents of one from the table
	met     func(n uint32) // nil, or told of every commit that a painting meets
	last    painting       // the one in use, or used last
}

// otherCommit is a commit that is not in the table.
type otherCommit struct {
	id   plumbing.Hash
	date uint64
	from uint32 // where its parents begin
	n    uint32 // how many there are, plus one; 0: not read yet
}

// withAncestry calls f with the ancestry of the commits, which is kept for
// later calls. When the commit-graph turns out to be damaged it calls f once
// more, without it.
func (r *Repository) withAncestry(f func(*ancestry) error) error {
	o, err := r.loadOverrides()
	if err != nil {
		return err
	}
	table, err := r.commitGraph(o)
	if err != nil {
		return err
	}
	replaced := r.objects.Replaced()
	a := r.ancestry.Swap(nil)
	if a == nil || replaced || a.overrides != o || a.table != table {
		a = r.newAncestry(o, table)
	}
	err = a.guard(f)
	var fault *sandbox.FaultError
	if a.table != nil && (errors.Is(err, commitgraph.ErrCorrupt) || errors.As(err, &fault)) {
		a = r.newAncestry(o, nil)
		err = a.guard(f)
	}
	if !replaced {
		r.ancestry.Store(a)
	}
	return err
}

func (r *Repository) newAncestry(o *overrides, table *commitgraph.Graph) *ancestry {
	a := &ancestry{
		commitReader: commitReader{reader: r.objects.NewReader(), overrides: o},
		table:        table, numbers: map[plumbing.Hash]uint32{},
	}
	if table != nil {
		a.placed = uint32(table.Len())
	}
	return a
}

func (a *ancestry) guard(f func(*ancestry) error) error {
	defer runtime.KeepAlive(a.table)
	return sandbox.GuardFault(func() error { return f(a) })
}

// number returns a commit's number.
func (a *ancestry) number(id plumbing.Hash) uint32 {
	if a.table != nil {
		if at, ok := a.table.Find(id); ok {
			return at
		}
	}
	n, ok := a.numbers[id]
	if !ok {
		n = a.placed + uint32(len(a.others))
		a.numbers[id] = n
		a.others = append(a.others, otherCommit{id: id})
	}
	return n
}

// id returns the id of the commit that has a number.
func (a *ancestry) id(n uint32) (plumbing.Hash, error) {
	if n < a.placed {
		return a.table.ID(n)
	}
	return a.others[n-a.placed].id, nil
}

// len is greater than all numbers so far.
func (a *ancestry) len() int { return int(a.placed) + len(a.others) }

// commit returns date, generation and parents of a commit; the parents are
// valid until the next call. A commit outside the commit-graph has a
// generation beyond all others.
func (a *ancestry) commit(n uint32) (commitgraph.Commit, error) {
	if n < a.placed {
		c, err := a.table.Links(n, a.places[:0])
		if err == nil {
			a.places = c.Parents
		}
		return c, err
	}
	other := &a.others[n-a.placed]
	if other.n == 0 {
		if err := a.load(n); err != nil {
			return commitgraph.Commit{}, err
		}
		other = &a.others[n-a.placed]
	}
	parents := a.parents[other.from:][:other.n-1]
	return commitgraph.Commit{Date: int64(other.date), Generation: noGeneration, Parents: parents}, nil
}

// parentsOf returns a commit's parents, valid until the next call.
func (a *ancestry) parentsOf(n uint32) ([]uint32, error) {
	if n >= a.placed {
		c, err := a.commit(n)
		return c.Parents, err
	}
	parents, err := a.table.Parents(n, a.places[:0])
	if err == nil {
		a.places = parents
	}
	return parents, err
}

// generation returns the number that a commit has in the commit-graph; outside
// of it one beyond all others.
func (a *ancestry) generation(n uint32) (uint64, error) {
	if n >= a.placed {
		return noGeneration, nil
	}
	return a.table.Generation(n)
}

func (a *ancestry) load(n uint32) error {
	links, _, err := a.links(a.others[n-a.placed].id, false)
	if err != nil {
		return err
	}
	from := len(a.parents)
	for _, id := range links.parents {
		a.parents = append(a.parents, a.number(id))
	}
	other := &a.others[n-a.placed]
	other.date, other.from, other.n = links.date, uint32(from), uint32(len(a.parents)-from)+1
	return nil
}
