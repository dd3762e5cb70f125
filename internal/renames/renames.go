package renames

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"
)

// MaxScore is the score of identical files.
const MaxScore = 60000

// DefaultScore is the score from which files count as similar, 50%.
const DefaultScore = MaxScore / 2

// DefaultLimit is git's default of diff.renameLimit.
const DefaultLimit = 1000

// Entry is one side of a candidate. A Mode of 0 means that the path does not
// exist on that side. The ID must be known: equal ids mean equal contents.
type Entry struct {
	Path string
	Mode uint32
	ID   plumbing.Hash
}

// Candidate is a changed path: added when Old.Mode is 0, deleted when
// New.Mode is 0, else changed. Unchanged paths may be passed for the sake of
// Options.CopiesHarder. Unmerged paths (both modes 0) take no part.
type Candidate struct {
	Old, New Entry
}

// Options of the detection. The zero value is git's default for diff.
type Options struct {
	MinScore     int  // lowest score of a pair; 0 means DefaultScore
	Limit        int  // diff.renameLimit; 0 means DefaultLimit, negative means none
	Copies       bool // changed paths are sources too (-C)
	CopiesHarder bool // unchanged candidates are sources too (-C -C)
	NoEmpty      bool // leave empty blobs out, as merges do

	// Relevant tells for which deleted paths a pair is wanted; nil means all. The
	// others still take part in the search for identical files, and keep base
	// names from being unique, as in merges.
	Relevant func(path string) bool
}

// Contents gives the detection what it needs to know of a file. Calls come
// from one goroutine, and only for regular files.
type Contents struct {
	// Size returns the length of the entry's content; it is asked before
	// Read and saves reading where sizes differ too much.
	Size func(Entry) (int64, error)
	// Read returns the entry's content (clean, as git would store it),
	// which need only stay valid until the next call.
	Read func(Entry) ([]byte, error)
	// Binary tells whether the content counts as binary. Nil means the
	// rule without attributes: a NUL among the first 8,000 bytes.
	Binary func(e Entry, data []byte) bool
}

// Pair says that candidates[Dest].New came from candidates[Source].Old.
type Pair struct {
	Source, Dest int // indexes of candidates
	Score        int // up to MaxScore; shown as Score*100/MaxScore
	Copy         bool
}

// Detect returns the pairs that git finds among candidates, which must be in
// git's queue order (by path). The pairs are in the order of their
// destinations. A deleted path that is the source of a pair is not shown as
// deleted any more. Detect returns the context's or the contents' error when
// one stops it.
func Detect(ctx context.Context, candidates []Candidate, opts Options, contents Contents) ([]Pair, error) {
	d := newDetector(candidates, opts, contents)
	if len(d.sources) == 0 || len(d.dests) == 0 {
		return nil, nil
	}
	d.exact()
	if err := d.inexact(ctx); err != nil {
		return nil, err
	}
	return d.pairs(), nil
}

// detector holds the sources and destinations that are left to pair.
type detector struct {
	opts     Options
	contents Contents
	sources  []*file
	dests    []*file
	all      []*file // all destinations, paired or not
	spans    spans
}

// file is a source or a destination.
type file struct {
	Entry
	index     int    // of its candidate
	base      string // last component of the path
	unchanged bool
	used      int   // a source: how many destinations it has, and one if it stays
	from      *file // a destination: its source
	score     int

	sized   bool
	size    int64
	counted bool
	chunks  []chunk
}

func newFile(e Entry, index int) *file { return &file{Entry: e, index: index, base: baseName(e.Path)} }

var emptyBlob = plumbing.NewHash("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")

func newDetector(candidates []Candidate, opts Options, contents Contents) *detector {
	if opts.MinScore == 0 {
		opts.MinScore = DefaultScore
	}
	if opts.Limit == 0 {
		opts.Limit = DefaultLimit
	}
	opts.Copies = opts.Copies || opts.CopiesHarder
	d := &detector{opts: opts, contents: contents}
	for i, c := range candidates {
		switch {
		case c.Old.Mode == 0 && c.New.Mode == 0:
		case c.Old.Mode == 0:
			if !opts.NoEmpty || c.New.ID != emptyBlob {
				d.dests = append(d.dests, newFile(c.New, i))
			}
		case opts.NoEmpty && c.Old.ID == emptyBlob:
		case c.New.Mode == 0:
			d.sources = append(d.sources, newFile(c.Old, i))
		case opts.Copies:
			same := c.Old.Mode == c.New.Mode && c.Old.ID == c.New.ID
			source := newFile(c.Old, i)
			source.used, source.unchanged = 1, same
			d.sources = append(d.sources, source)
		}
	}
	d.all = d.dests
	return d
}

// pair records that dest came from source.
func pair(source, dest *file, score int) {
	source.used++
	dest.from, dest.score = source, score
}

// pairs returns what was found. Of several destinations of one deleted path,
// the last is the rename and the others are copies.
func (d *detector) pairs() []Pair {
	var pairs []Pair
	for _, dest := range d.all {
		if source := dest.from; source != nil {
			source.used--
			pairs = append(pairs, Pair{source.index, dest.index, dest.score, source.used > 0})
		}
	}
	return pairs
}
