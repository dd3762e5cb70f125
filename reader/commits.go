package reader

import (
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/odb"
)

// node is a commit that a walk has met.
type node struct {
	id      plumbing.Hash
	date    uint64 // committer date, seconds since 1970, as git compares it
	parents []*node
	data    []byte // the raw object, in walks that show it, until it was shown
	tree    plumbing.Hash
	order   int // counts the nodes as they enter the queue
	flags   flags

	signature int32 // a number for what the selected paths hold; 0: not looked up
}

type flags uint16

const (
	loaded        flags = 1 << iota // date and parents are known
	seen                            // has been in the queue
	added                           // its parents have been looked at
	uninteresting                   // excluded, or an ancestor of what is
	bottom                          // excluded by name
	leftSide                        // on the left side of a symmetric range
	treeSame                        // equal to a parent in the selected paths
	missing                         // could not be read
	right                           // reached from the other side, as leftSide
	queued                          // is in the queue
)

// graph holds the commits of one walk, each once. It belongs to one goroutine.
type graph struct {
	reader    *odb.Reader
	overrides *overrides
	nodes     map[plumbing.Hash]*node
	slab      []node // where new nodes come from
	keep      bool   // keep each commit's data
	free      [][]byte
	ids       []plumbing.Hash // scratch for parents
}

func (r *Repository) newGraph(keepData bool) (*graph, error) {
	o, err := r.loadOverrides()
	if err != nil {
		return nil, err
	}
	return &graph{reader: r.objects.NewReader(), overrides: o, keep: keepData, nodes: map[plumbing.Hash]*node{}}, nil
}

// node returns the one node of an id, which may not be loaded yet.
func (g *graph) node(id plumbing.Hash) *node {
	if n, ok := g.nodes[id]; ok {
		return n
	}
	if len(g.slab) == 0 {
		g.slab = make([]node, 256)
	}
	n := &g.slab[0]
	g.slab = g.slab[1:]
	n.id = id
	g.nodes[id] = n
	return n
}

// headSize is how much of a commit is read when only its links and dates are
// wanted; what has more parents is read again.
const headSize = 1024

// load reads date and parents. Grafts and shallow boundaries replace the
// parents that the commit names.
func (g *graph) load(n *node) error {
	if n.flags&loaded != 0 {
		return nil
	}
	data, err := g.read(n.id)
	if err != nil {
		n.flags |= missing
		return err
	}
	if n.tree, _, err = object.CommitTree(n.id, data); err != nil {
		return err
	}
	ids, rest, err := object.CommitParents(n.id, data, g.ids[:0])
	if err != nil {
		return err
	}
	g.ids = ids
	n.date = uint64(object.HeaderDate(rest))
	if other, ok := g.overrides.parents[n.id]; ok {
		ids = other
	}
	if len(ids) > 0 {
		n.parents = make([]*node, len(ids))
		for i, id := range ids {
			n.parents[i] = g.node(id)
		}
	}
	n.flags |= loaded
	if g.keep {
		n.data = append(g.buffer(), data...)
	}
	return nil
}

func (g *graph) read(id plumbing.Hash) ([]byte, error) {
	kind, data, err := g.reader.Read(id)
	if err != nil {
		return nil, commitError(id, err)
	}
	if kind != plumbing.CommitObject {
		return nil, &TypeError{ID: id, Have: kind, Want: plumbing.CommitObject}
	}
	return data, nil
}

// commitError gives the error of an unreadable commit git's words, if git has
// some.
func commitError(id plumbing.Hash, err error) error {
	var lost *odb.NotFoundError
	if errors.As(err, &lost) && lost.Refused == nil && !lost.Promised {
		return &MissingCommitError{ID: id, cause: err}
	}
	return err
}

// MissingCommitError is a commit that history names and the repository lacks.
// It is fs.ErrNotExist.
type MissingCommitError struct {
	ID    plumbing.Hash
	Name  string        // what a tip was named by; "" when by its id
	Child plumbing.Hash // the commit whose parent it is; zero for a tip
	cause error
}

// badHead gives the error of HEAD's missing commit the name that git calls it by.
func badHead(err error) error {
	var lost *MissingCommitError
	if errors.As(err, &lost) && lost.Child.IsZero() {
		lost.Name = "HEAD"
	}
	return err
}

// Error is git's sentence, without "fatal: ".
func (e *MissingCommitError) Error() string {
	switch {
	case e.Child.IsZero() && e.Name != "":
		return "bad object " + e.Name
	case e.Child.IsZero():
		return "bad object " + e.ID.String()
	}
	return fmt.Sprintf("Could not read %s\nfatal: Failed to traverse parents of commit %s", e.ID, e.Child)
}

// GitLevel is the word that git prints before the sentence.
func (e *MissingCommitError) GitLevel() string {
	if e.Child.IsZero() {
		return "fatal"
	}
	return "error"
}

// Unwrap returns the object database's error.
func (e *MissingCommitError) Unwrap() error { return e.cause }

// buffer returns an empty buffer for a commit's data, a used one if there is.
func (g *graph) buffer() []byte {
	if n := len(g.free); n > 0 {
		b := g.free[n-1]
		g.free = g.free[:n-1]
		return b[:0]
	}
	return nil
}

// release takes back a shown commit's data.
func (g *graph) release(n *node) {
	if n.data != nil && g.keep {
		g.free = append(g.free, n.data)
	}
	n.data = nil
}

// queue is a heap of commits: newest first, equal dates in the order in which
// they came.
type queue struct {
	items []*node
	count int
}

func (q *queue) push(n *node) {
	n.order = q.count
	q.count++
	q.items = append(q.items, n)
	i := len(q.items) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !q.items[i].before(q.items[up]) {
			break
		}
		q.items[i], q.items[up] = q.items[up], q.items[i]
		i = up
	}
}

func (q *queue) pop() *node {
	top, last := q.items[0], len(q.items)-1
	q.items[0] = q.items[last]
	q.items = q.items[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			return top
		}
		if down+1 < last && q.items[down+1].before(q.items[down]) {
			down++
		}
		if !q.items[down].before(q.items[i]) {
			return top
		}
		q.items[i], q.items[down] = q.items[down], q.items[i]
		i = down
	}
}

func (n *node) before(other *node) bool {
	if n.date != other.date {
		return n.date > other.date
	}
	return n.order < other.order
}
