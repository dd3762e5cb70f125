package reader

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// Selection is the set of commits that revisions and ranges stand for: what
// can be reached from the tips and not from what is excluded.
type Selection struct {
	Tips, Exclude []plumbing.Hash
	// Symmetric are the tips that came from symmetric ranges, in pairs.
	Symmetric [][2]plumbing.Hash
}

// ResolveRange resolves revisions, exclusions and ranges together
// (gitrevisions(7), "SPECIFYING RANGES"): "REV", "^REV", "A..B", "A...B",
// "REV^@", "REV^!", "REV^-" and "REV^-N". An empty side of a range is HEAD.
// All must lead to commits. Without any the selection is empty.
func (r *Repository) ResolveRange(ctx context.Context, revs ...sandbox.Rev) (Selection, error) {
	var s Selection
	for _, rev := range revs {
		if err := r.addRange(ctx, &s, string(rev)); err != nil {
			return Selection{}, err
		}
	}
	return s, nil
}

func (r *Repository) addRange(ctx context.Context, s *Selection, rev string) error {
	if rev == ".." {
		return &UnknownRevisionError{Rev: rev}
	}
	if old, new, ok := strings.Cut(rev, ".."); ok {
		symmetric := strings.HasPrefix(new, ".")
		done, err := r.addDots(ctx, s, old, strings.TrimPrefix(new, "."), symmetric)
		if done || err != nil {
			return err
		}
	}
	if done, err := r.addParents(ctx, s, rev); done || err != nil {
		return err
	}
	if name, ok := strings.CutPrefix(rev, "^"); ok {
		id, err := r.ResolveCommit(ctx, sandbox.Rev(name))
		s.Exclude = append(s.Exclude, id)
		return err
	}
	id, err := r.ResolveCommit(ctx, sandbox.Rev(rev))
	s.Tips = append(s.Tips, id)
	return err
}

// addDots takes "A..B" and "A...B". It reports false when a side is no
// revision, so that the dots belong to something else, such as a path.
func (r *Repository) addDots(ctx context.Context, s *Selection, old, new string, symmetric bool) (bool, error) {
	var ids [2]plumbing.Hash
	for i, side := range []string{old, new} {
		if side == "" {
			side = "HEAD"
		}
		var err error
		if ids[i], err = r.ResolveCommit(ctx, sandbox.Rev(side)); err != nil {
			var unknown *UnknownRevisionError
			if errors.As(err, &unknown) {
				return false, nil
			}
			return false, badRange(err, old, new, symmetric)
		}
	}
	if !symmetric {
		s.Exclude, s.Tips = append(s.Exclude, ids[0]), append(s.Tips, ids[1])
		return true, nil
	}
	bases, err := r.MergeBases(ctx, ids[0], ids[1])
	if err != nil {
		return false, err
	}
	s.Exclude = append(s.Exclude, bases...)
	s.Tips, s.Symmetric = append(s.Tips, ids[0], ids[1]), append(s.Symmetric, ids)
	return true, nil
}

// badRange gives the error of a range whose side is missing git's words.
func badRange(err error, old, new string, symmetric bool) error {
	var lost *MissingCommitError
	switch {
	case !errors.As(err, &lost):
		return err
	case symmetric:
		return fmt.Errorf("Invalid symmetric difference expression %s...%s", old, new)
	}
	return fmt.Errorf("Invalid revision range %s..%s", old, new)
}

// addParents takes "REV^@", "REV^!", "REV^-" and "REV^-N".
func (r *Repository) addParents(ctx context.Context, s *Selection, rev string) (bool, error) {
	at := strings.LastIndex(rev, "^")
	if at <= 0 || at+1 >= len(rev) {
		return false, nil
	}
	name, mark := rev[:at], rev[at+1:]
	number := 1
	switch {
	case mark == "@" || mark == "!" || mark == "-":
	case mark[0] == '-':
		n, err := strconv.Atoi(mark[1:])
		if err != nil || n < 1 {
			return false, nil
		}
		number = n
	default:
		return false, nil
	}
	exclude := strings.HasPrefix(name, "^")
	id, err := r.ResolveCommit(ctx, sandbox.Rev(strings.TrimPrefix(name, "^")))
	if err != nil {
		return false, err
	}
	parents, err := r.Parents(id)
	if err != nil {
		return false, err
	}
	in, out := &s.Tips, &s.Exclude
	if exclude {
		in, out = out, in
	}
	switch mark[0] {
	case '@':
		*in = append(*in, parents...)
		return true, nil
	case '!':
		*out = append(*out, parents...)
	default:
		if number > len(parents) {
			return false, nil
		}
		*out = append(*out, parents[number-1])
	}
	*in = append(*in, id)
	return true, nil
}

// AllTips returns what --all stands for: the commits that refs lead to, sorted
// by the refs' names, then HEAD. Refs to other objects, and symbolic ones that
// lead nowhere, do not count; one whose object is missing, or that is broken
// otherwise, is a *MissingCommitError.
func (r *Repository) AllTips() ([]plumbing.Hash, error) {
	all, err := r.refs.List("refs/")
	if err != nil {
		return nil, err
	}
	var tips []plumbing.Hash
	add := func(name string, id plumbing.Hash) error {
		commit, err := r.peelTo(id, plumbing.CommitObject)
		var lost *MissingCommitError
		var other *TypeError
		switch {
		case errors.As(err, &other):
			return nil
		case errors.As(err, &lost) && lost.ID == id:
			lost.Name = name
		}
		tips = append(tips, commit)
		return err
	}
	for _, ref := range all {
		if ref.Broken && ref.Target != "" {
			continue
		}
		if err := add(ref.Name, ref.ID); err != nil {
			return nil, err
		}
	}
	head, err := r.Head()
	if err == nil && !head.Unborn {
		err = add("HEAD", head.ID)
	}
	return tips, err
}
