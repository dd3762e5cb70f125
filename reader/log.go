package reader

import (
	"context"
	"errors"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

var errPending = errors.New("not built yet")

// LogOptions selects the commits of Log. The zero value walks from HEAD.
type LogOptions struct {
	Tips        []plumbing.Hash // where to start; nil: HEAD
	Exclude     []plumbing.Hash // these and their ancestors are left out
	Limit       int             // at most so many commits; 0: all
	Skip        int             // leave out so many at the start
	FirstParent bool            // follow first parents only
}

// Commit is a commit of a walk.
type Commit struct {
	ID   plumbing.Hash
	Data []byte // the raw object, valid until the walk goes on
}

// Log walks history in git's default order.
func (r *Repository) Log(ctx context.Context, opts LogOptions) iter.Seq2[*Commit, error] {
	return func(yield func(*Commit, error) bool) { yield(nil, errPending) }
}

// Resolve returns the object that a revision of gitrevisions(7) names.
func (r *Repository) Resolve(ctx context.Context, rev sandbox.Rev) (plumbing.Hash, error) {
	return plumbing.ZeroHash, errPending
}

// BranchLine is one line of the branch listing.
type BranchLine struct {
	Name string // as %(refname:short) prints it, or "(HEAD detached at …)"
	Head bool   // the checked out one
}

// Branches lists the local branches as git branch does.
func (r *Repository) Branches(ctx context.Context) ([]BranchLine, error) {
	return nil, errPending
}
