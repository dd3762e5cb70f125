package blame

import (
	"bytes"
	"cmp"
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/internal/prio"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// commit is a commit that blame has met.
type commit struct {
	id       plumbing.Hash
	tree     plumbing.Hash
	date     uint64 // of the committer, as git compares it
	parents  []*commit
	origins  []*origin
	state    state
	boundary bool
	inGraph  bool
	position uint32 // in the commit-graph
}

type state uint8

const (
	unknown state = iota
	loaded
	missing // not in the repository
)

// suspect returns an origin with lines that are still to be settled, or nil.
func (c *commit) suspect() *origin {
	for _, o := range c.origins {
		if len(o.suspects) > 0 {
			return o
		}
	}
	return nil
}

// history holds the commits, each once, and those that wait.
type history struct {
	reader  *odb.Reader
	graph   *commitgraph.Graph // nil: none
	altered map[plumbing.Hash][]plumbing.Hash
	commits map[plumbing.Hash]*commit
	queue   prio.Queue[*commit]
	slab    []commit
	ids     []plumbing.Hash // scratch
	places  []uint32        // scratch
	count   int             // commits loaded
	most    int             // that may be
}

func newHistory(r *reader.Repository) (*history, error) {
	altered, err := r.AlteredParents()
	if err != nil {
		return nil, err
	}
	h := &history{
		reader: r.Objects().NewReader(), altered: altered, commits: map[plumbing.Hash]*commit{},
		queue: prio.Queue[*commit]{Rank: newest},
		most:  r.Workspace().Policy().Limits.WithDefaults().Commits,
	}
	if len(altered) == 0 {
		h.graph = r.Objects().Graph()
	}
	return h, nil
}

// check ends a run that takes too long.
func (h *history) check(ctx context.Context) error {
	if h.count > h.most {
		return &sandbox.LimitError{Limit: "Commits", Max: int64(h.most)}
	}
	return ctx.Err()
}

// commit returns the one commit of an id, which may not be loaded yet.
func (h *history) commit(id plumbing.Hash) *commit {
	if c, ok := h.commits[id]; ok {
		return c
	}
	if len(h.slab) == 0 {
		h.slab = make([]commit, 256)
	}
	c := &h.slab[0]
	h.slab = h.slab[1:]
	c.id = id
	h.commits[id] = c
	if h.graph != nil {
		c.position, c.inGraph = h.graph.Find(id)
	}
	return c
}

// load reads tree, parents and date of a commit. It reports false for one that
// the repository lacks: git goes on as if it were no parent.
func (h *history) load(c *commit) (bool, error) {
	if c.state != unknown {
		return c.state == loaded, nil
	}
	h.count++
	if c.inGraph && h.loadFromGraph(c) {
		c.state = loaded
		return true, nil
	}
	err := h.loadObject(c)
	var lost *odb.NotFoundError
	if errors.As(err, &lost) && lost.ID == c.id && !lost.Promised && lost.Refused == nil && lost.Damaged == nil {
		c.state = missing
		return false, nil
	}
	c.state = loaded
	return err == nil, err
}

// headSize is how much of a commit is read: enough for the headers of most,
// but little of the message.
const headSize = 320

func (h *history) loadObject(c *commit) error {
	kind, data, err := h.reader.Prefix(c.id, headSize)
	if err == nil && kind == plumbing.CommitObject && !headersWhole(data) {
		kind, data, err = h.reader.Read(c.id)
	}
	if err != nil {
		return err
	}
	if kind != plumbing.CommitObject {
		return &reader.TypeError{ID: c.id, Have: kind, Want: plumbing.CommitObject}
	}
	tree, _, err := object.CommitTree(c.id, data)
	if err != nil {
		return err
	}
	ids, rest, err := object.CommitParents(c.id, data, h.ids[:0])
	if err != nil {
		return err
	}
	h.ids = ids
	c.tree, c.date = tree, uint64(object.HeaderDate(rest))
	if other, ok := h.altered[c.id]; ok {
		ids = other
	}
	c.parents = make([]*commit, len(ids))
	for i, id := range ids {
		c.parents[i] = h.commit(id)
	}
	return nil
}

// headersWhole reports whether the beginning of a commit holds the committer's
// line, the last that is needed, or is all there is.
func headersWhole(data []byte) bool {
	at := bytes.Index(data, []byte("\ncommitter "))
	return len(data) < headSize || at >= 0 && bytes.IndexByte(data[at+1:], '\n') >= 0
}

// loadFromGraph is load by the commit-graph. It reports false when that does
// not help.
func (h *history) loadFromGraph(c *commit) bool {
	found, err := h.graph.Commit(c.position, h.places[:0])
	if err != nil {
		return false
	}
	h.places = found.Parents
	parents := make([]*commit, len(found.Parents))
	for i, position := range found.Parents {
		id, err := h.graph.ID(position)
		if err != nil {
			return false
		}
		parents[i] = h.commit(id)
	}
	c.tree, c.date, c.parents = found.Tree, uint64(found.Date), parents
	return true
}

// newest ranks commits for a blame: the newest comes first.
func newest(x, y *commit) int { return cmp.Compare(y.date, x.date) }

// oldest ranks commits for a blame in reverse.
func oldest(x, y *commit) int { return cmp.Compare(x.date, y.date) }
