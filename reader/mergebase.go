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
	m := meeting{painting: a.paint(ctx), brief: true}
	found, err := m.run(one, others)
	if err != nil {
		return nil, err
	}
	bases := slices.DeleteFunc(found, func(n uint32) bool { return m.marks[n]&stale != 0 })
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

// meeting walks down from two sides at once and finds their common ancestors.
type meeting struct {
	*painting
	brief bool           // what lies below the best common ancestors doesn't matter
	fresh [sides + 1]int // queued commits that are not stale, by where they are reached from
	found []uint32
}

// run walks until only what lies below common ancestors is left, or until no
// other best one can come up if that is enough, and returns those that it met.
func (m *meeting) run(one uint32, others []uint32) ([]uint32, error) {
	if err := m.separate([]uint32{one}, others); err != nil {
		return nil, err
	}
	if err := m.mark(one, fromOne); err != nil {
		return nil, err
	}
	for _, n := range others {
		if err := m.mark(n, fromTwo); err != nil {
			return nil, err
		}
	}
	for !m.over() {
		if err := m.step(); err != nil {
			return nil, err
		}
	}
	return m.found, nil
}

// over says whether the walk may end. When all that is left of a side lies below
// common ancestors, so will be whatever else it meets of the other. That holds
// where descendants come first for certain: within a commit-graph with dates.
func (m *meeting) over() bool {
	one, two := m.fresh[fromOne], m.fresh[fromTwo]
	if m.fresh[sides] > 0 || one > 0 && two > 0 {
		return false
	}
	return one == two || m.brief && m.commits.met == nil && m.dated && (len(m.queue) == 0 || m.queue[0].n < m.commits.placed)
}

// mark adds to the marks of a commit and queues it.
func (m *meeting) mark(n uint32, news marks) error {
	was := *m.of(n)
	*m.of(n) |= news
	if err := m.put(n); err != nil {
		return err
	}
	if was&(queued|stale) == queued {
		m.fresh[was&sides]--
	}
	if is := *m.of(n); is&stale == 0 {
		m.fresh[is&sides]++
	}
	return nil
}

// step takes a commit and marks its parents.
func (m *meeting) step() error {
	n, parents, err := m.next()
	if err != nil {
		return err
	}
	at := &m.marks[n]
	if *at&stale == 0 {
		m.fresh[*at&sides]--
	}
	news := *at & (sides | stale)
	if news == sides {
		if *at&common == 0 {
			*at |= common
			m.found = append(m.found, n)
		}
		news |= stale
	}
	for _, parent := range parents {
		if *m.of(parent)&news == news {
			continue
		}
		if err := m.mark(parent, news); err != nil {
			return m.missing(err, n)
		}
	}
	return nil
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
		m := meeting{painting: a.paint(ctx)}
		if _, err := m.run(n, others); err != nil {
			return nil, err
		}
		redundant[n] = m.marks[n]&fromTwo != 0
		for _, other := range others {
			redundant[other] = redundant[other] || m.marks[other]&fromOne != 0
		}
	}
	return slices.DeleteFunc(list, func(n uint32) bool { return redundant[n] }), nil
}
