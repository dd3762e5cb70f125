package renames

import (
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"
)

// MaxScore is the score of identical files.
const MaxScore = 60000

// DefaultScore is the score from which files count as similar, 50%.
const DefaultScore = MaxScore / 2

// DefaultLimit is git's default of diff.renameLimit.
const DefaultLimit = 1000

// Entry is one side of a candidate. A Mode of 0 means that the path does not
// exist on that side.
type Entry struct {
	Path string
	Mode uint32
	ID   plumbing.Hash
}

// Candidate is a changed path: added when Old.Mode is 0, deleted when
// New.Mode is 0, else changed. Unchanged paths may be passed for the sake of
// Options.CopiesHarder.
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
}

// Contents gives the detection what it needs to know of a file. Calls come
// from one goroutine.
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
	Score        int // DefaultScore..MaxScore; shown as Score*100/MaxScore
	Copy         bool
}

// Detect returns the pairs that git finds among candidates, which must be in
// git's queue order (by path), ordered by destination. It returns the
// context's or the contents' error when one stops it.
func Detect(ctx context.Context, candidates []Candidate, opts Options, contents Contents) ([]Pair, error) {
	return nil, errors.New("rename detection is not built yet")
}
