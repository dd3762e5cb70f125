package reader

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// MergeBasesOfMany returns the best common ancestors of a commit and an
// imagined merge of all others, the youngest first (git-merge-base(1),
// DISCUSSION). Without others it is the commit itself.
func (r *Repository) MergeBasesOfMany(ctx context.Context, one plumbing.Hash, others ...plumbing.Hash) ([]plumbing.Hash, error) {
	if len(others) == 0 {
		return []plumbing.Hash{one}, nil
	}
	g, err := r.newGraph(false)
	if err != nil {
		return nil, err
	}
	bases, err := g.mergeBases(ctx, g.node(one), g.nodesOf(others))
	return idsOf(bases), err
}

// OctopusBases returns the best common ancestors of all the commits, as an
// octopus merge needs them (git-merge-base(1), --octopus).
func (r *Repository) OctopusBases(ctx context.Context, ids ...plumbing.Hash) ([]plumbing.Hash, error) {
	g, err := r.newGraph(false)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	bases := g.nodesOf(ids[:1])
	for _, n := range g.nodesOf(ids[1:]) {
		var next []*node
		for _, base := range bases {
			found, err := g.mergeBases(ctx, n, []*node{base})
			if err != nil {
				return nil, err
			}
			next = append(next, found...)
		}
		bases = next
	}
	bases, err = g.heads(ctx, bases)
	return idsOf(bases), err
}

// Independent returns those of the commits that no other of them leads to, in
// the order given (git-merge-base(1), --independent).
func (r *Repository) Independent(ctx context.Context, ids ...plumbing.Hash) ([]plumbing.Hash, error) {
	g, err := r.newGraph(false)
	if err != nil {
		return nil, err
	}
	heads, err := g.heads(ctx, g.nodesOf(ids))
	return idsOf(heads), err
}

// IsAncestor reports whether a commit is an ancestor of another, or the same.
func (r *Repository) IsAncestor(ctx context.Context, ancestor, of plumbing.Hash) (bool, error) {
	g, err := r.newGraph(false)
	if err != nil || ancestor == of {
		return ancestor == of, err
	}
	one := g.node(ancestor)
	_, err = g.paint(ctx, one, []*node{g.node(of)})
	return one.flags&fromTwo != 0, err
}

// ForkPoint returns the commit at which a history forked from a ref, though the
// ref may have moved since: the one merge base of the commit and of all that
// the ref's log has, if the log has it (git-merge-base(1), --fork-point). It
// reports false when there is none. The ref's name is a full one.
func (r *Repository) ForkPoint(ctx context.Context, ref string, id plumbing.Hash) (plumbing.Hash, bool, error) {
	been, err := r.placesOf(ref)
	if err != nil {
		return id, false, err
	}
	g, err := r.newGraph(false)
	if err != nil {
		return id, false, err
	}
	var places []*node
	for _, place := range been {
		n := g.node(place)
		if !slices.Contains(places, n) && g.load(n) == nil {
			places = append(places, n)
		}
	}
	bases, err := g.mergeBases(ctx, g.node(id), places)
	if err != nil || len(bases) != 1 || !slices.Contains(places, bases[0]) {
		return id, false, err
	}
	return bases[0].id, true, nil
}

// placesOf returns where a ref has been, by its log; without one where it is.
func (r *Repository) placesOf(ref string) (ids []plumbing.Hash, err error) {
	log, err := r.refs.Reflog(ref)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for i, entry := range log {
		if i == 0 && !entry.Old.IsZero() {
			ids = append(ids, entry.Old)
		}
		if !entry.New.IsZero() {
			ids = append(ids, entry.New)
		}
	}
	if len(ids) > 0 {
		return ids, nil
	}
	at, err := r.refs.Resolve(ref)
	return []plumbing.Hash{at.ID}, err
}

func (g *graph) nodesOf(ids []plumbing.Hash) []*node {
	nodes := make([]*node, len(ids))
	for i, id := range ids {
		nodes[i] = g.node(id)
	}
	return nodes
}

// heads drops doubles and commits that others in the list lead to.
func (g *graph) heads(ctx context.Context, list []*node) ([]*node, error) {
	var once []*node
	for _, n := range list {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	return g.independent(ctx, once)
}
