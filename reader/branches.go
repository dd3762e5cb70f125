package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/refs"
)

// BranchLine is one line of the branch listing.
type BranchLine struct {
	Name string        // the shortest unambiguous name, or for a detached HEAD a description in parentheses
	Ref  string        // full name; "HEAD" when detached
	ID   plumbing.Hash // where it points
	Head bool          // HEAD is here
}

// Branches lists the local branches as "git branch
// --format=%(refname:short)|%(HEAD)" does: sorted by branch.sort, a detached
// HEAD first, refs with broken names or values left out.
func (r *Repository) Branches(ctx context.Context) ([]BranchLine, error) {
	head, err := r.headForBranches()
	if err != nil {
		return nil, err
	}
	found, err := r.refs.List("refs/heads/")
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(ref refs.Ref) bool { return ref.Broken })
	if err := r.SortRefs(ctx, "branch.sort", found); err != nil {
		return nil, err
	}
	strict, err := r.Config().Bool("core.warnambiguousrefs", true)
	if err != nil {
		return nil, err
	}
	shortener := r.refs.NewShortener(strict)
	lines := make([]BranchLine, 0, len(found)+1)
	if head.Detached {
		lines = append(lines, BranchLine{Name: r.headDescription(), Ref: "HEAD", ID: head.ID, Head: true})
	}
	for i, ref := range found {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		lines = append(lines, BranchLine{
			Name: shortener.Shorten(ref.Name), Ref: ref.Name, ID: ref.ID,
			Head: !head.Unborn && ref.Name == head.Ref,
		})
	}
	return lines, nil
}

func (r *Repository) headForBranches() (Head, error) {
	head, err := r.Head()
	if err != nil {
		return Head{}, errors.New("Failed to resolve HEAD as a valid ref.")
	}
	if !head.Detached && !strings.HasPrefix(head.Ref, "refs/heads/") {
		return Head{}, errors.New("HEAD not found below refs/heads!")
	}
	return head, nil
}

// SortRefs orders refs by the keys of a setting such as branch.sort, the last
// one first; equal ones by name (git-branch(1), --sort).
func (r *Repository) SortRefs(ctx context.Context, setting string, found []refs.Ref) error {
	keys := r.Config().All(setting)
	if len(keys) == 0 {
		return nil
	}
	slices.Reverse(keys)
	order := make([]func(x, y refs.Ref) int, 0, len(keys))
	for _, key := range keys {
		compare, err := r.refOrder(ctx, setting, key, found)
		if err != nil {
			return err
		}
		order = append(order, compare)
	}
	slices.SortStableFunc(found, func(x, y refs.Ref) int {
		for _, compare := range order {
			if c := compare(x, y); c != 0 {
				return c
			}
		}
		return strings.Compare(x.Name, y.Name)
	})
	return nil
}

func (r *Repository) refOrder(ctx context.Context, setting, key string, found []refs.Ref) (func(x, y refs.Ref) int, error) {
	name, descending := strings.CutPrefix(key, "-")
	var compare func(x, y refs.Ref) int
	switch name {
	case "refname":
		compare = func(x, y refs.Ref) int { return strings.Compare(x.Name, y.Name) }
	case "version:refname", "v:refname":
		compare = func(x, y refs.Ref) int { return compareVersions(x.Name, y.Name) }
	case "objectname":
		compare = func(x, y refs.Ref) int { return slices.Compare(x.ID[:], y.ID[:]) }
	case "committerdate", "authordate", "taggerdate", "creatordate":
		dates, err := r.refDates(ctx, found, name)
		if err != nil {
			return nil, err
		}
		compare = func(x, y refs.Ref) int { return cmp.Compare(dates[x.ID], dates[y.ID]) }
	default:
		return nil, fmt.Errorf("%s: sorting by '%s' is not supported", setting, name)
	}
	if descending {
		ascending := compare
		compare = func(x, y refs.Ref) int { return ascending(y, x) }
	}
	return compare, nil
}

// refDates returns the dates that a key sorts by, by object; 0 where an object
// has no such date.
func (r *Repository) refDates(ctx context.Context, found []refs.Ref, key string) (map[plumbing.Hash]int64, error) {
	dates := make(map[plumbing.Hash]int64, len(found))
	for _, ref := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kind, data, err := r.objects.Read(ref.ID)
		if err != nil {
			return nil, fmt.Errorf("missing object %s for %s", ref.ID, ref.Name)
		}
		line, err := dateLine(ref.ID, kind, data, key)
		if err != nil {
			return nil, err
		}
		ident, _ := object.SplitIdent(line)
		dates[ref.ID] = ident.When()
	}
	return dates, nil
}

// dateLine returns the ident whose date a key means; nil when the object has
// none.
func dateLine(id plumbing.Hash, kind plumbing.ObjectType, data []byte, key string) ([]byte, error) {
	switch kind {
	case plumbing.CommitObject:
		commit, err := object.ParseCommit(id, data)
		switch key {
		case "authordate":
			return commit.Author, err
		case "taggerdate":
			return nil, err
		}
		return commit.Committer, err
	case plumbing.TagObject:
		tag, err := object.ParseTag(id, data)
		if key == "taggerdate" || key == "creatordate" {
			return tag.Tagger, err
		}
		return nil, err
	}
	return nil, nil
}

// compareVersions orders names as "version:refname" does: runs of digits by
// their number, a run with leading zeros as a fraction.
func compareVersions(x, y string) int {
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] == y[i] {
			continue
		}
		return compareVersionsAt(x, y, i)
	}
	return cmp.Compare(len(x), len(y))
}

// compareVersionsAt compares from the first difference, knowing the digits
// before it.
func compareVersionsAt(x, y string, at int) int {
	start := at
	for start > 0 && isDigit(x[start-1]) {
		start--
	}
	xDigits, yDigits := digitRun(x[start:]), digitRun(y[start:])
	if len(xDigits) == 0 || len(yDigits) == 0 || x[start] == '0' || y[start] == '0' {
		return cmp.Compare(x[at], y[at])
	}
	if len(xDigits) != len(yDigits) {
		return cmp.Compare(len(xDigits), len(yDigits))
	}
	return cmp.Compare(x[at], y[at])
}

func digitRun(s string) string {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
