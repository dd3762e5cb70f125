package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// mergeBaseParams are what a merge_base may be asked for.
type mergeBaseParams struct {
	revs                                             []string
	all, octopus, independent, isAncestor, forkPoint bool
}

// mergeBase finds where histories meet.
func mergeBase() *operation {
	var p mergeBaseParams
	return &operation{
		doc: "Find the best common ancestor of two commits or more; an empty answer when there is none. Same bytes as git merge-base [--all] REV REV...",
		params: []*Param{
			texts(&p.revs, "revs", "The commits: of the first one and all others together, the others as if they were merged. With fork_point a ref and, default HEAD, a commit.").required(),
			flag(&p.all, "all", "Show all best common ancestors instead of the first."),
			flag(&p.octopus, "octopus", "Show the best common ancestors of all commits, for a merge of more than two."),
			flag(&p.independent, "independent", "Show those of the commits that no other of them leads to."),
			flag(&p.isAncestor, "is_ancestor", "Tell whether the first of two commits is an ancestor of the second: true or false."),
			flag(&p.forkPoint, "fork_point", "Show where the commit's history forked from the ref, by what the ref's log remembers."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			text, err := c.mergeBase(ctx, &p)
			if err == nil {
				_, err = w.Write(text)
			}
			return err
		},
	}
}

func (c *call) mergeBase(ctx context.Context, p *mergeBaseParams) ([]byte, error) {
	kinds := 0
	for _, asked := range []bool{p.octopus, p.independent, p.isAncestor, p.forkPoint} {
		if asked {
			kinds++
		}
	}
	few := 2
	if p.octopus || p.independent || p.forkPoint {
		few = 1
	}
	switch {
	case kinds > 1:
		return nil, mergeBaseError("only one of 'octopus', 'independent', 'is_ancestor' and 'fork_point' can be asked for")
	case len(p.revs) < few:
		return nil, mergeBaseError("parameter 'revs' of merge_base needs two revisions")
	case (p.isAncestor || p.forkPoint) && len(p.revs) > 2:
		return nil, mergeBaseError("parameter 'revs' of merge_base takes no more than two revisions here")
	case p.forkPoint:
		return c.forkPoint(ctx, p.revs)
	}
	ids, err := c.commitIDs(ctx, p.revs)
	if err != nil {
		return nil, err
	}
	if p.isAncestor {
		yes, err := c.repo.IsAncestor(ctx, ids[0], ids[1])
		return fmt.Appendln(nil, yes), err
	}
	return p.bases(ctx, c.repo, ids)
}

// mergeBaseError is a request for what doesn't go together.
func mergeBaseError(reason string) error {
	return &RequestError{Operation: "merge_base", Param: "revs", Reason: reason}
}

func (p *mergeBaseParams) bases(ctx context.Context, repo *reader.Repository, ids []plumbing.Hash) (text []byte, err error) {
	all := p.all
	switch {
	case p.octopus:
		ids, err = repo.OctopusBases(ctx, ids...)
	case p.independent:
		all = true
		ids, err = repo.Independent(ctx, ids...)
	default:
		ids, err = repo.MergeBasesOfMany(ctx, ids[0], ids[1:]...)
	}
	for _, id := range ids {
		text = fmt.Appendln(text, id)
		if !all {
			break
		}
	}
	return text, err
}

func (c *call) forkPoint(ctx context.Context, revs []string) ([]byte, error) {
	ref, err := c.fullName(ctx, revs[0])
	if err != nil {
		return nil, fmt.Errorf("No such ref: '%s'", revs[0])
	}
	rev := "HEAD"
	if len(revs) == 2 {
		rev = revs[1]
	}
	ids, err := c.commitIDs(ctx, []string{rev})
	if err != nil {
		return nil, err
	}
	id, found, err := c.repo.ForkPoint(ctx, ref, ids[0])
	if err != nil || !found {
		return nil, err
	}
	return fmt.Appendln(nil, id), nil
}

// commitIDs returns the commits that revisions lead to.
func (c *call) commitIDs(ctx context.Context, revs []string) ([]plumbing.Hash, error) {
	ids := make([]plumbing.Hash, len(revs))
	for i, rev := range revs {
		id, err := c.resolve(ctx, "revs", rev)
		if unknown := new(reader.UnknownRevisionError); errors.As(err, &unknown) {
			return nil, &badNameError{"object", rev}
		}
		if err != nil {
			return nil, err
		}
		if ids[i], err = c.repo.ResolveCommit(ctx, sandbox.Rev(id.String())); err != nil {
			return nil, &badNameError{"commit", rev}
		}
	}
	return ids, nil
}

// badNameError is a name that stands for nothing, or for the wrong thing. It is
// fs.ErrNotExist.
type badNameError struct{ what, name string }

// Error is git's sentence.
func (e *badNameError) Error() string { return fmt.Sprintf("Not a valid %s name %s", e.what, e.name) }

// Is makes the error fs.ErrNotExist.
func (e *badNameError) Is(target error) bool { return target == fs.ErrNotExist }
