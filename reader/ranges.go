package reader

import (
	"cmp"
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
	ExcludeAt     []int // for each of Exclude, how many of Tips were given before it
	// Symmetric are the tips that came from symmetric ranges, in pairs.
	Symmetric [][2]plumbing.Hash
	// Others are the revisions that lead to a tree or blob. Git's walks pass
	// over them.
	Others []OtherTip
}

// OtherTip is a revision that leads to a tree or blob.
type OtherTip struct {
	Rev     string
	Exclude bool // it is to be left out
}

// ResolveRange resolves revisions, exclusions and ranges together
// (gitrevisions(7), "SPECIFYING RANGES"): "REV", "^REV", "A..B", "A...B",
// "REV^@", "REV^!", "REV^-" and "REV^-N". An empty side of a range is HEAD.
// Without any the selection is empty.
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
	if old, new, ok := strings.Cut(rev, ".."); ok {
		symmetric := strings.HasPrefix(new, ".")
		done, err := r.addDots(ctx, s, old, strings.TrimPrefix(new, "."), symmetric)
		if done || err != nil {
			return err
		}
	}
	rest, err := r.addParents(ctx, s, rev)
	if rest == "" || err != nil {
		return err
	}
	name, exclude := strings.CutPrefix(rest, "^")
	id, isCommit, err := r.tip(ctx, name)
	if unknown := (*UnknownRevisionError)(nil); errors.As(err, &unknown) {
		return &UnknownRevisionError{Rev: rev}
	}
	if err == nil {
		s.add(name, id, isCommit, exclude)
	}
	return err
}

// add takes one end of a walk in.
func (s *Selection) add(name string, id plumbing.Hash, isCommit, exclude bool) {
	switch {
	case isCommit && exclude:
		s.Exclude, s.ExcludeAt = append(s.Exclude, id), append(s.ExcludeAt, len(s.Tips))
	case isCommit:
		s.Tips = append(s.Tips, id)
	default:
		s.Others = append(s.Others, OtherTip{Rev: name, Exclude: exclude})
	}
}

// tip returns the commit that a rev leads to; false for a tree or blob.
func (r *Repository) tip(ctx context.Context, rev string) (plumbing.Hash, bool, error) {
	id, err := r.ResolveCommit(ctx, sandbox.Rev(rev))
	if other := (*TypeError)(nil); errors.As(err, &other) {
		return id, false, nil
	}
	return id, err == nil, err
}

// addDots takes "A..B" and "A...B". It reports false when a side is no
// revision, so that the dots belong to something else, such as a path.
func (r *Repository) addDots(ctx context.Context, s *Selection, old, new string, symmetric bool) (bool, error) {
	names := [2]string{cmp.Or(old, "HEAD"), cmp.Or(new, "HEAD")}
	var ids [2]plumbing.Hash
	var commits [2]bool
	for i, name := range names {
		var err error
		if ids[i], commits[i], err = r.tip(ctx, name); err != nil {
			var unknown *UnknownRevisionError
			if errors.As(err, &unknown) {
				return false, nil
			}
			return false, badRange(err, old, new, symmetric)
		}
	}
	switch {
	case !symmetric:
		s.add(names[0], ids[0], commits[0], true)
		s.add(names[1], ids[1], commits[1], false)
		return true, nil
	case !commits[0] || !commits[1]:
		return false, badSymmetric(old, new)
	}
	bases, err := r.MergeBases(ctx, ids[0], ids[1])
	if err != nil {
		return false, err
	}
	for _, base := range bases {
		s.add("", base, true, true)
	}
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
		return badSymmetric(old, new)
	}
	return fmt.Errorf("Invalid revision range %s..%s", old, new)
}

func badSymmetric(old, new string) error {
	return fmt.Errorf("Invalid symmetric difference expression %s...%s", old, new)
}

// addParents takes in the parents that "REV^@", "REV^!", "REV^-" and "REV^-N"
// stand for. It returns the rev that is still to be taken in: without the mark,
// none after "^@", and the whole one where it has no such mark, or REV no such
// parents.
func (r *Repository) addParents(ctx context.Context, s *Selection, rev string) (rest string, err error) {
	name, mark, ok := cutParents(rev)
	if !ok {
		return rev, nil
	}
	number := 0
	if mark[0] == '-' {
		if number, err = strconv.Atoi(cmp.Or(mark[1:], "1")); err != nil || number < 1 {
			return "", &UnknownRevisionError{Rev: rev}
		}
	}
	base, excluded := strings.CutPrefix(name, "^")
	id, isCommit, err := r.tip(ctx, base)
	if err != nil || !isCommit {
		return rev, ignoreUnknown(err)
	}
	parents, err := r.Parents(id)
	if err != nil || number > len(parents) {
		return rev, err
	}
	if number > 0 {
		parents = parents[number-1 : number]
	}
	exclude := excluded == (mark == "@")
	for _, parent := range parents {
		s.add("", parent, true, exclude)
	}
	if mark == "@" {
		name = ""
	}
	return name, nil
}

// cutParents cuts a rev before the mark of some of its parents: "@" and "!" at
// its end, or "-", which git looks for anywhere in a rev, with what follows.
func cutParents(rev string) (name, mark string, ok bool) {
	for _, mark := range []string{"@", "!"} {
		if name, rest, ok := strings.Cut(rev, "^"+mark); ok && rest == "" {
			return name, mark, true
		}
	}
	name, number, ok := strings.Cut(rev, "^-")
	return name, "-" + number, ok
}

// ignoreUnknown passes over the error that a rev names nothing.
func ignoreUnknown(err error) error {
	if unknown := (*UnknownRevisionError)(nil); errors.As(err, &unknown) {
		return nil
	}
	return err
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
