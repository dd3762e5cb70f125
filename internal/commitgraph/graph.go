package commitgraph

import (
	"encoding/hex"
	"errors"
	"math"
	"runtime"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/mapped"
	"github.com/ingit-dev/ingit/sandbox"
)

// ErrCorrupt says that a commit-graph contradicts itself. Callers go on
// without it.
var ErrCorrupt = errors.New("commit-graph is damaged")

// maxChain bounds the file that lists a chain.
const maxChain = 1 << 20

// Graph is a commit-graph, of one file or of a chain of layers. It may be used
// from many goroutines at once.
type Graph struct {
	layers []*layer // the lowest first
	total  uint32
	dates  bool // every layer has corrected commit dates
}

// Commit is what a graph knows of a commit.
type Commit struct {
	Tree plumbing.Hash
	Date int64 // of the committer, seconds since 1970; 34 bits are kept
	// Generation is a number that is greater than each parent's: the
	// corrected commit date or the topological level, see Graph.Dated. 0
	// means unknown.
	Generation uint64
	// Parents are positions.
	Parents []uint32
}

// Open returns the commit-graph of the first of several objects directories
// that has one: info/commit-graph, else the chain in info/commit-graphs, whose
// layers may lie in any of them. It is nil when there is none or when what is
// there is damaged; of a damaged chain the lower layers are used. noMap reads
// files instead of mapping them.
func Open(stores []*sandbox.Dir, noMap bool) *Graph {
	for _, dir := range stores {
		if l := openLayer(dir, "info/commit-graph", noMap); l != nil {
			return newGraph([]*layer{l})
		}
		if layers := openChain(dir, stores, noMap); len(layers) > 0 {
			return newGraph(layers)
		}
	}
	return nil
}

func newGraph(layers []*layer) *Graph {
	g := &Graph{layers: layers, dates: true}
	for _, l := range layers {
		l.base = g.total
		g.total += uint32(l.Len())
		g.dates = g.dates && l.offsets != nil
	}
	return g
}

func openLayer(dir *sandbox.Dir, name string, noMap bool) (l *layer) {
	file, err := mapped.Open(dir, name, noMap)
	if err != nil {
		return nil
	}
	defer file.Close()
	ok := false
	err = sandbox.GuardFault(func() error { l, ok = parse(file); return nil })
	if err != nil || !ok {
		return nil
	}
	return l
}

// openChain opens the layers that info/commit-graphs/commit-graph-chain lists,
// up to the first that is missing or does not fit those below.
func openChain(dir *sandbox.Dir, stores []*sandbox.Dir, noMap bool) []*layer {
	f, err := dir.OpenFollow("info/commit-graphs/commit-graph-chain")
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := f.ReadAll(maxChain)
	if err != nil {
		return nil
	}
	var layers []*layer
	total := int64(0)
	for name := range strings.Lines(string(text)) {
		name = strings.TrimSuffix(name, "\n")
		l := findLayer(stores, name, noMap)
		if l == nil || !l.fits(layers) {
			break
		}
		if total += int64(l.Len()); total >= noParent {
			break
		}
		layers = append(layers, l)
	}
	return layers
}

func findLayer(stores []*sandbox.Dir, name string, noMap bool) *layer {
	if id, err := hex.DecodeString(name); err != nil || len(id) != idSize {
		return nil
	}
	for _, dir := range stores {
		if l := openLayer(dir, "info/commit-graphs/graph-"+name+".graph", noMap); l != nil {
			return l
		}
	}
	return nil
}

// fits reports whether the layer was written on top of those below.
func (l *layer) fits(below []*layer) bool {
	if len(l.bases) < len(below)*idSize {
		return false
	}
	for i, b := range below {
		if plumbing.Hash(l.bases[i*idSize:]) != b.hash {
			return false
		}
	}
	return true
}

// Len returns how many commits the graph has; positions are below it.
func (g *Graph) Len() int { return int(g.total) }

// Dated reports whether generations are corrected commit dates (version 2),
// which are at least the commit's date. Otherwise they are topological levels
// (version 1), which start at 1 and stop growing at 2^30-1.
func (g *Graph) Dated() bool { return g.dates }

// Leveled reports whether the topmost layer knows how deep its commits lie; the
// first versions of git that wrote the file left that out.
func (g *Graph) Leveled() (leveled bool) {
	err := sandbox.GuardFault(func() error {
		top := g.layers[len(g.layers)-1]
		leveled = len(top.commits) >= dataSize && be32(top.commits[idSize+8:])>>2 != 0
		return nil
	})
	runtime.KeepAlive(g)
	return leveled && err == nil
}

// Find returns a commit's position.
func (g *Graph) Find(id plumbing.Hash) (pos uint32, ok bool) {
	err := sandbox.GuardFault(func() error {
		for _, l := range g.layers {
			if local, found := l.Find(id); found {
				pos, ok = l.base+uint32(local), true
				break
			}
		}
		return nil
	})
	runtime.KeepAlive(g)
	return pos, ok && err == nil
}

// layer returns the layer that has the position, and the number in it.
func (g *Graph) layer(pos uint32) (*layer, uint32, error) {
	if pos >= g.total {
		return nil, 0, ErrCorrupt
	}
	for i := len(g.layers) - 1; ; i-- {
		if l := g.layers[i]; pos >= l.base {
			return l, pos - l.base, nil
		}
	}
}

// ID returns the id of the commit at pos.
func (g *Graph) ID(pos uint32) (id plumbing.Hash, err error) {
	err = sandbox.GuardFault(func() error {
		l, local, err := g.layer(pos)
		if err == nil {
			id = l.ID(int(local))
		}
		return err
	})
	runtime.KeepAlive(g)
	return id, err
}

// Commit returns the commit at pos. Its parents are appended to parents, which
// may be nil. The error is ErrCorrupt or a *sandbox.FaultError.
func (g *Graph) Commit(pos uint32, parents []uint32) (c Commit, err error) {
	err = sandbox.GuardFault(func() error {
		l, local, err := g.layer(pos)
		if err != nil {
			return err
		}
		if c, err = g.Links(pos, parents); err == nil {
			c.Tree = plumbing.Hash(l.commits[int(local)*dataSize:])
		}
		return err
	})
	runtime.KeepAlive(g)
	return c, err
}

// Links returns date, generation and parents of the commit at pos, as Commit
// does. It is for loops that call it very often: the caller runs the loop
// under sandbox.GuardFault, and keeps g alive.
func (g *Graph) Links(pos uint32, parents []uint32) (c Commit, err error) {
	l, local, err := g.layer(pos)
	if err != nil {
		return c, err
	}
	b := l.commits[int(local)*dataSize:][:dataSize]
	c.Date = date(b)
	if c.Generation, err = g.generation(l, local, b, c.Date); err != nil {
		return c, err
	}
	c.Parents, err = g.parents(l, b, parents)
	return c, err
}

// Parents returns the positions of the parents of the commit at pos, appended to
// parents. It is for loops, as Links is.
func (g *Graph) Parents(pos uint32, parents []uint32) ([]uint32, error) {
	l, local, err := g.layer(pos)
	if err != nil {
		return nil, err
	}
	return g.parents(l, l.commits[int(local)*dataSize:][:dataSize], parents)
}

// Generation returns the generation of the commit at pos. It is for loops, as
// Links is.
func (g *Graph) Generation(pos uint32) (uint64, error) {
	l, local, err := g.layer(pos)
	if err != nil {
		return 0, err
	}
	b := l.commits[int(local)*dataSize:][:dataSize]
	return g.generation(l, local, b, date(b))
}

// date returns the date in a commit's data.
func date(b []byte) int64 { return int64(be64(b[idSize+8:]) & (1<<34 - 1)) }

func (g *Graph) generation(l *layer, local uint32, b []byte, date int64) (uint64, error) {
	if !g.dates {
		return uint64(be32(b[idSize+8:]) >> 2), nil
	}
	offset := uint64(be32(l.offsets[4*local:]))
	if offset&edgeFlag == 0 {
		return uint64(date) + offset, nil
	}
	at := (offset &^ edgeFlag) * 8
	if at+8 > uint64(len(l.overflow)) {
		return 0, ErrCorrupt
	}
	if offset = be64(l.overflow[at:]); offset > math.MaxInt64 {
		return 0, ErrCorrupt
	}
	return uint64(date) + offset, nil
}

func (g *Graph) parents(l *layer, b []byte, parents []uint32) ([]uint32, error) {
	first, second := be32(b[idSize:]), be32(b[idSize+4:])
	if first == noParent {
		return parents, nil
	}
	if first >= g.total {
		return nil, ErrCorrupt
	}
	parents = append(parents, first)
	switch {
	case second == noParent:
		return parents, nil
	case second&edgeFlag == 0:
		if second >= g.total {
			return nil, ErrCorrupt
		}
		return append(parents, second), nil
	}
	return g.edgeParents(l, second&^edgeFlag, parents)
}

// edgeParents reads the parents after the first of an octopus merge.
func (g *Graph) edgeParents(l *layer, at uint32, parents []uint32) ([]uint32, error) {
	for i := 4 * uint64(at); i+4 <= uint64(len(l.edges)); i += 4 {
		edge := be32(l.edges[i:])
		if edge&^edgeFlag >= g.total {
			return nil, ErrCorrupt
		}
		parents = append(parents, edge&^edgeFlag)
		if edge&edgeFlag != 0 {
			return parents, nil
		}
	}
	return nil, ErrCorrupt
}
