package reader

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"
)

// aheadBehind counts the commits that are reached from only one of two. It
// walks both histories at once, youngest commits first, until all that is left
// to look at is reached from both.
func (r *Repository) aheadBehind(ctx context.Context, ours, theirs plumbing.Hash) (ahead, behind int, err error) {
	if ours == theirs {
		return 0, 0, nil
	}
	err = r.withAncestry(func(a *ancestry) (err error) {
		ahead, behind, err = a.aheadBehind(ctx, a.number(ours), a.number(theirs))
		return err
	})
	return ahead, behind, err
}

func (a *ancestry) aheadBehind(ctx context.Context, ours, theirs uint32) (ahead, behind int, err error) {
	s := spreading{painting: a.paint(ctx)}
	if err := s.separate([]uint32{ours}, []uint32{theirs}); err != nil {
		return 0, 0, err
	}
	if err := s.reach(ours, fromOne); err != nil {
		return 0, 0, err
	}
	if err := s.reach(theirs, fromTwo); err != nil {
		return 0, 0, err
	}
	for s.open > 0 {
		if err := s.step(); err != nil {
			return 0, 0, err
		}
	}
	for _, m := range s.marks {
		switch m & sides {
		case fromOne:
			ahead++
		case fromTwo:
			behind++
		}
	}
	return ahead, behind, nil
}

// spreading marks commits with the sides that they are reached from.
type spreading struct {
	*painting
	open int // queued commits that may still change what is counted
}

// open reports a queued commit that is reached from one side only, or that was
// when its parents were marked.
func (m marks) open() bool {
	return m&queued != 0 && (m&sides != sides || m&spread != 0)
}

// step takes a commit and marks its parents.
func (s *spreading) step() error {
	n, parents, err := s.next()
	if err != nil {
		return err
	}
	if (s.marks[n] | queued).open() {
		s.open--
	}
	s.marks[n] |= spread
	side := s.marks[n] & sides
	for _, parent := range parents {
		if err := s.reach(parent, side); err != nil {
			return s.missing(err, n)
		}
	}
	return nil
}

// reach marks a commit and queues it if that is news.
func (s *spreading) reach(n uint32, side marks) error {
	was := *s.of(n)
	if was|side == was {
		return nil
	}
	*s.of(n) |= side
	if err := s.put(n); err != nil {
		return err
	}
	switch is := *s.of(n); {
	case is.open() && !was.open():
		s.open++
	case was.open() && !is.open():
		s.open--
	}
	return nil
}
