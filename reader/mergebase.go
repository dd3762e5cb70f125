package reader

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// MergeBases returns the best common ancestors of two commits, the youngest
// first (git-merge-base(1), --all); none is no error. The ids must be commits'.
func (r *Repository) MergeBases(ctx context.Context, one, two plumbing.Hash) ([]plumbing.Hash, error) {
	return r.commitsOf(func(a *ancestry) ([]uint32, error) {
		return a.mergeBases(ctx, a.number(one), []uint32{a.number(two)})
	})
}

// commitsOf returns the ids of the commits that find finds.
func (r *Repository) commitsOf(find func(*ancestry) ([]uint32, error)) (ids []plumbing.Hash, err error) {
	err = r.withAncestry(func(a *ancestry) error {
		found, err := find(a)
		if err != nil {
			return err
		}
		ids = make([]plumbing.Hash, len(found))
		for i, n := range found {
			if ids[i], err = a.id(n); err != nil {
				return err
			}
		}
		return nil
	})
	return ids, err
}

// mergeBases returns the best common ancestors of one and a merge of the
// others.
func (a *ancestry) mergeBases(ctx context.Context, one uint32, others []uint32) ([]uint32, error) {
	if slices.Contains(others, one) {
		_, err := a.commit(one)
		return []uint32{one}, err
	}
	p := a.paint(ctx)
	found, err := p.meet(one, others)
	if err != nil {
		return nil, err
	}
	bases := slices.DeleteFunc(found, func(n uint32) bool { return p.marks[n]&stale != 0 })
	if len(bases) > 1 {
		if bases, err = a.independent(ctx, bases); err != nil {
			return nil, err
		}
	}
	dates := make(map[uint32]uint64, len(bases))
	for _, n := range bases {
		c, err := a.commit(n)
		if err != nil {
			return nil, err
		}
		dates[n] = uint64(c.Date)
	}
	slices.SortStableFunc(bases, func(x, y uint32) int { return cmp.Compare(dates[y], dates[x]) })
	return bases, nil
}

// meet walks down from both sides at once, until only what lies below common
// ancestors is left, and returns the common ancestors that it met.
func (p *painting) meet(one uint32, others []uint32) (result []uint32, err error) {
	fresh := 0 // queued commits that are not stale
	mark := func(n uint32, news marks) error {
		m := p.of(n)
		was := *m
		*m |= news
		switch {
		case was&queued == 0:
			if err := p.put(n); err != nil {
				return err
			}
			if *p.of(n)&stale == 0 {
				fresh++
			}
		case was&stale == 0 && news&stale != 0:
			fresh--
		}
		return nil
	}
	if err := mark(one, fromOne); err != nil {
		return nil, err
	}
	for _, n := range others {
		if err := mark(n, fromTwo); err != nil {
			return nil, err
		}
	}
	for fresh > 0 {
		n, parents, err := p.next()
		if err != nil {
			return nil, err
		}
		m := &p.marks[n]
		if *m&stale == 0 {
			fresh--
		}
		news := *m & (sides | stale)
		if news == sides {
			if *m&common == 0 {
				*m |= common
				result = append(result, n)
			}
			news |= stale
		}
		for _, parent := range parents {
			if *p.of(parent)&news == news {
				continue
			}
			if err := mark(parent, news); err != nil {
				return nil, p.missing(err, n)
			}
		}
	}
	return result, nil
}

// independent drops the commits that are ancestors of others in the list.
func (a *ancestry) independent(ctx context.Context, list []uint32) ([]uint32, error) {
	redundant := map[uint32]bool{}
	for i, n := range list {
		if redundant[n] {
			continue
		}
		var others []uint32
		for j, other := range list {
			if j != i && !redundant[other] {
				others = append(others, other)
			}
		}
		if len(others) == 0 {
			break
		}
		p := a.paint(ctx)
		if _, err := p.meet(n, others); err != nil {
			return nil, err
		}
		redundant[n] = p.marks[n]&fromTwo != 0
		for _, other := range others {
			redundant[other] = redundant[other] || p.marks[other]&fromOne != 0
		}
	}
	return slices.DeleteFunc(list, func(n uint32) bool { return redundant[n] }), nil
}
