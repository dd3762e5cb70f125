package reader

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/internal/odb"
)

// node is a commit that a walk has met.
type node struct {
	id         plumbing.Hash
	place      uint32 // position in the commit-graph, plus one; 0: it is not there
	date       uint64 // committer date, seconds since 1970, as git compares it
	generation uint64 // greater than that of all parents, from the commit-graph
	parents    []*node
	data       []byte // the raw object, in walks that show it, until it was shown
	tree       plumbing.Hash
	signature  int32  // a number for what the selected paths hold; 0: not looked up
	order      uint32 // counts the nodes as they enter the queue
	waiting    int32  // in ordered walks: children that are to come, plus one
	flags      flags
}

// noGeneration is what commits outside the commit-graph have, beyond all others.
// The parents of a commit from there have 0 as long as they are not loaded:
// git does the same.
const noGeneration = math.MaxUint64

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
	explored                        // met by the first walk of a topoWalk
	counted                         // by the second
)

// graph holds the commits of one walk, each once. It belongs to one goroutine.
// What the repository's commit-graph knows is taken from there.
type graph struct {
	commitReader
	table  *commitgraph.Graph // nil: there is none, or it must not be used
	placed []*node            // the nodes of the table's commits, by position
	nodes  map[plumbing.Hash]*node
	slabs  [][]node // all nodes
	spare  []*node  // where lists of parents come from
	keep   bool     // keep each commit's data
	free   [][]byte
	places []uint32 // scratch for parents
}

// slabSize is how many nodes are made at once.
const slabSize = 256

func (r *Repository) newGraph() (*graph, error) {
	o, err := r.loadOverrides()
	if err != nil {
		return nil, err
	}
	g := &graph{commitReader: commitReader{reader: r.objects.NewReader(), overrides: o}, nodes: map[plumbing.Hash]*node{}}
	g.table, err = r.commitGraph(o)
	if g.table != nil {
		g.placed = make([]*node, g.table.Len())
	}
	return g, err
}

// commitGraph returns the commit-graph where it may be used (git-config(1),
// core.commitGraph): nothing may change what commits' parents are.
func (r *Repository) commitGraph(o *overrides) (*commitgraph.Graph, error) {
	use, err := r.Config().Bool("core.commitgraph", true)
	if err != nil || !use || len(o.parents) > 0 || len(o.shallow) > 0 {
		return nil, err
	}
	return r.objects.Graph(), nil
}

// node returns the one node of an id, which may not be loaded yet.
func (g *graph) node(id plumbing.Hash) *node {
	if g.table != nil {
		if at, ok := g.table.Find(id); ok {
			return g.nodeAt(at, id)
		}
	}
	if n, ok := g.nodes[id]; ok {
		return n
	}
	n := g.newNode(id)
	g.nodes[id] = n
	return n
}

// nodeAt returns the one node of the commit at a position of the commit-graph.
func (g *graph) nodeAt(at uint32, id plumbing.Hash) *node {
	n := g.placed[at]
	if n == nil {
		n = g.newNode(id)
		n.place = at + 1
		g.placed[at] = n
	}
	return n
}

func (g *graph) newNode(id plumbing.Hash) *node {
	last := len(g.slabs) - 1
	if last < 0 || len(g.slabs[last]) == slabSize {
		g.slabs = append(g.slabs, make([]node, 0, slabSize))
		last++
	}
	slab := append(g.slabs[last], node{id: id, generation: noGeneration})
	g.slabs[last] = slab
	return &slab[len(slab)-1]
}

// room returns a list for the parents of a node.
func (g *graph) room(n int) []*node {
	if n > len(g.spare) {
		g.spare = make([]*node, slabSize+n)
	}
	links := g.spare[:n:n]
	g.spare = g.spare[n:]
	return links
}

// len returns how many commits have been met.
func (g *graph) len() int {
	if len(g.slabs) == 0 {
		return 0
	}
	return (len(g.slabs)-1)*slabSize + len(g.slabs[len(g.slabs)-1])
}

// load reads date and parents. Grafts and shallow boundaries replace the
// parents that the commit names.
func (g *graph) load(n *node) error {
	if n.flags&loaded != 0 || n.place != 0 && g.loadPlaced(n) {
		return nil
	}
	err := g.loadObject(n)
	if err != nil {
		n.flags |= missing
	}
	return err
}

// loadPlaced takes a node's data from the commit-graph. It reports false when
// that is damaged there.
func (g *graph) loadPlaced(n *node) bool {
	c, err := g.table.Commit(n.place-1, g.places[:0])
	if err != nil {
		return false
	}
	g.places = c.Parents
	parents := g.room(len(c.Parents))
	for i, at := range c.Parents {
		if p := g.placed[at]; p != nil {
			if parents[i] = p; p.flags&loaded == 0 {
				p.generation = 0
			}
			continue
		}
		id, err := g.table.ID(at)
		if err != nil {
			return false
		}
		parents[i] = g.nodeAt(at, id)
		parents[i].generation = 0
	}
	n.tree, n.date, n.parents, n.generation = c.Tree, uint64(c.Date), parents, c.Generation
	n.flags |= loaded
	return true
}

func (g *graph) loadObject(n *node) error {
	links, data, err := g.links(n.id, g.keep)
	if err != nil {
		return err
	}
	n.tree, n.date, n.generation = links.tree, links.date, noGeneration
	if len(links.parents) > 0 {
		n.parents = g.room(len(links.parents))
		for i, id := range links.parents {
			n.parents[i] = g.node(id)
		}
	}
	n.flags |= loaded
	if g.keep {
		n.data = append(g.buffer(), data...)
	}
	return nil
}

// commitError gives the error of an unreadable commit git's words, if git has
// some.
func commitError(id plumbing.Hash, err error) error {
	if isLost(err) {
		return &MissingCommitError{ID: id, cause: err}
	}
	return err
}

// BadObject gives the error of a missing object, which rev led to, git's words:
// a *MissingCommitError that names it as it was asked for. Any other error is
// returned as it is.
func BadObject(err error, id plumbing.Hash, rev string) error {
	var lost *odb.NotFoundError
	if !errors.As(err, &lost) || lost.ID != id {
		return err
	}
	err = commitError(id, err)
	var missing *MissingCommitError
	if errors.As(err, &missing) && missing.ID == id && missing.Child.IsZero() {
		missing.Name = rev
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
	if n.data != nil {
		g.free = append(g.free, n.data)
	}
	n.data = nil
}

// queue is a heap of commits: newest first, equal dates in the order in which
// they came.
type queue struct {
	items  []*node
	count  uint32
	closed bool // what is pushed is dropped
}

func (q *queue) push(n *node) {
	if q.closed {
		return
	}
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
