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
	return r.commitsOf(func(a *ancestry) ([]uint32, error) {
		return a.mergeBases(ctx, a.number(one), a.numbersOf(others))
	})
}

// OctopusBases returns the best common ancestors of all the commits, as an
// octopus merge needs them (git-merge-base(1), --octopus).
func (r *Repository) OctopusBases(ctx context.Context, ids ...plumbing.Hash) ([]plumbing.Hash, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return r.commitsOf(func(a *ancestry) ([]uint32, error) {
		bases := a.numbersOf(ids[:1])
		for _, n := range a.numbersOf(ids[1:]) {
			var next []uint32
			for _, base := range bases {
				found, err := a.mergeBases(ctx, n, []uint32{base})
				if err != nil {
					return nil, err
				}
				next = append(next, found...)
			}
			bases = next
		}
		return a.heads(ctx, bases)
	})
}

// Independent returns those of the commits that no other of them leads to, in
// the order given (git-merge-base(1), --independent).
func (r *Repository) Independent(ctx context.Context, ids ...plumbing.Hash) ([]plumbing.Hash, error) {
	return r.commitsOf(func(a *ancestry) ([]uint32, error) { return a.heads(ctx, a.numbersOf(ids)) })
}

// IsAncestor reports whether a commit is an ancestor of another, or the same.
func (r *Repository) IsAncestor(ctx context.Context, ancestor, of plumbing.Hash) (is bool, err error) {
	if ancestor == of {
		return true, nil
	}
	err = r.withAncestry(func(a *ancestry) error {
		one, m := a.number(ancestor), meeting{painting: a.paint(ctx), brief: true}
		_, err := m.run(one, []uint32{a.number(of)})
		is = err == nil && m.marks[one]&fromTwo != 0
		return err
	})
	return is, err
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
	found, err := r.commitsOf(func(a *ancestry) ([]uint32, error) {
		var places []uint32
		for _, place := range been {
			n := a.number(place)
			if _, err := a.commit(n); err == nil && !slices.Contains(places, n) {
				places = append(places, n)
			}
		}
		bases, err := a.mergeBases(ctx, a.number(id), places)
		if err != nil || len(bases) != 1 || !slices.Contains(places, bases[0]) {
			return nil, err
		}
		return bases, nil
	})
	if err != nil || len(found) == 0 {
		return id, false, err
	}
	return found[0], true, nil
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

func (a *ancestry) numbersOf(ids []plumbing.Hash) []uint32 {
	numbers := make([]uint32, len(ids))
	for i, id := range ids {
		numbers[i] = a.number(id)
	}
	return numbers
}

// heads drops doubles and commits that others in the list lead to.
func (a *ancestry) heads(ctx context.Context, list []uint32) ([]uint32, error) {
	var once []uint32
	for _, n := range list {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	return a.independent(ctx, once)
}
