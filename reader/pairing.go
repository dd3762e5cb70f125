package reader

import (
	"context"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/renames"
)

// pairedChanges emits the changes with additions paired to what they were
// renamed or copied from.
func (r *Repository) pairedChanges(ctx context.Context, old, new Side, opts ChangeOptions, emit func(Change) error) error {
	var chunks [][]Change // a slice that grows is there twice at times: much when a hostile tree leads up to the limit
	last := make([]Change, 0, 16)
	err := r.compareSides(ctx, old, new, opts, func(c Change) error {
		if len(last) == cap(last) {
			chunks, last = append(chunks, last), make([]Change, 0, min(2*cap(last), changeChunk))
		}
		last = append(last, c)
		return nil
	})
	if err != nil {
		return err
	}
	changes := last
	if chunks != nil {
		changes = slices.Concat(append(chunks, last)...)
	}
	if changes, err = r.pair(ctx, changes, old, new, opts); err != nil {
		return err
	}
	for _, c := range changes {
		if err := emit(c); err != nil {
			return err
		}
	}
	return nil
}

// changeChunk is how many changes are collected in one piece at most.
const changeChunk = 512

// pair joins additions with deletions and, for copies, other changes.
func (r *Repository) pair(ctx context.Context, changes []Change, old, new Side, opts ChangeOptions) ([]Change, error) {
	candidates := make([]renames.Candidate, 0, len(changes))
	places := make([]int, 0, len(changes))
	added, sources := 0, 0
	for i := range changes {
		c := &changes[i]
		if c.Kind == Unmerged {
			if !c.takesRename(new, opts) {
				continue
			}
			if err := r.identifyWork(ctx, &c.New); err != nil {
				return nil, err
			}
			added++
		} else if c.Kind == Added {
			added++
		} else if c.Kind == Deleted || opts.Copies {
			sources++
		}
		candidate := renames.Candidate{New: renameEntry(c.New)}
		if c.Kind != Unmerged {
			candidate.Old = renameEntry(c.Old)
		}
		candidates = append(candidates, candidate)
		places = append(places, i)
	}
	if added == 0 || sources == 0 && !opts.CopyHarder {
		return changes, nil
	}
	if opts.CopyHarder {
		unchanged, err := r.unchanged(ctx, old, changes, opts)
		if err != nil {
			return nil, err
		}
		candidates, places = mergeUnchanged(candidates, places, unchanged)
	}
	pairs, err := renames.Detect(ctx, candidates, renames.Options{
		MinScore: opts.MinScore, Limit: opts.RenameLimit, Copies: opts.Copies || opts.CopyHarder, CopiesHarder: opts.CopyHarder,
	}, r.renameContents(ctx, old, new))
	if err != nil {
		return nil, err
	}
	return joinPairs(changes, candidates, places, pairs), nil
}

// takesRename reports that git takes the work tree file of an unmerged path for
// an addition when it looks for renames. Those that a patch shows combined never
// get that far.
func (c *Change) takesRename(new Side, opts ChangeOptions) bool {
	combined := c.Stages[1].Present() && c.Stages[2].Present() && !opts.KeepSameContent
	return new == WorkTreeSide && c.New.Present() && c.New.Mode != modeGitlink && !combined
}

// identifyWork fills in the id of a work tree file that may be gone by now.
func (r *Repository) identifyWork(ctx context.Context, e *Entry) error {
	ix, err := r.Index()
	if err != nil {
		return err
	}
	top, err := r.WorkTree()
	if err != nil {
		return err
	}
	st, err := top.Lstat(e.Path)
	if err != nil {
		return vanished(e.Path, err)
	}
	e.ID, err = r.conversions(ctx, ix).hash(top, e.Path, e.Path, &st)
	e.IDKnown = err == nil
	return err
}

func renameEntry(e Entry) renames.Entry {
	return renames.Entry{Path: e.Path, Mode: e.Mode, ID: e.ID}
}

// renameContents reads what the detection compares: objects by their id, and
// work tree files by their path.
func (r *Repository) renameContents(ctx context.Context, old, new Side) renames.Contents {
	inWorkTree := func(e renames.Entry) bool {
		return (old == WorkTreeSide || new == WorkTreeSide) && !r.Objects().Has(e.ID)
	}
	read := func(e renames.Entry) ([]byte, error) {
		side := Side(IndexSide)
		if inWorkTree(e) {
			side = WorkTreeSide
		}
		return r.Content(ctx, side, Entry{Path: e.Path, Mode: e.Mode, ID: e.ID, IDKnown: true})
	}
	return renames.Contents{
		Read: read,
		Size: func(e renames.Entry) (int64, error) {
			if inWorkTree(e) {
				data, err := read(e)
				return int64(len(data)), err
			}
			_, size, err := r.Objects().Header(e.ID)
			return size, blobError(e.ID, err)
		},
	}
}

// joinPairs replaces additions by renames and copies, and drops the deletions
// that were renamed away.
func joinPairs(changes []Change, candidates []renames.Candidate, places []int, pairs []renames.Pair) []Change {
	moved := make([]bool, len(changes))
	for _, p := range pairs {
		c := &changes[places[p.Dest]]
		source := candidates[p.Source].Old
		c.Old = Entry{Path: source.Path, Mode: source.Mode, ID: source.ID, IDKnown: true}
		c.Score = p.Score
		switch {
		case c.Kind == Unmerged: // and stays so
		case p.Copy:
			c.Kind = Copied
		default:
			c.Kind = Renamed
		}
		if at := places[p.Source]; at >= 0 && changes[at].Kind == Deleted {
			moved[at] = true
			moved[places[p.Dest]] = c.Old == c.New // of a path that a tree names twice
		}
	}
	kept := changes[:0]
	for i := range changes {
		if !moved[i] {
			kept = append(kept, changes[i])
		}
	}
	return slices.Clip(kept)
}

// unchanged returns the files of the old side that are the same on the new
// one, for CopyHarder.
func (r *Repository) unchanged(ctx context.Context, old Side, changes []Change, opts ChangeOptions) ([]renames.Entry, error) {
	changed := make(map[string]bool, len(changes))
	for i := range changes {
		changed[changes[i].Old.Path] = true
	}
	var same []renames.Entry
	err := r.compareSides(ctx, Empty, old, ChangeOptions{Paths: opts.Paths}, func(c Change) error {
		if c.Kind == Added && !changed[c.New.Path] {
			same = append(same, renameEntry(c.New))
		}
		return nil
	})
	return same, err
}

// mergeUnchanged puts unchanged files among the candidates, in path order.
func mergeUnchanged(candidates []renames.Candidate, places []int, unchanged []renames.Entry) ([]renames.Candidate, []int) {
	type placed struct {
		candidate renames.Candidate
		place     int
	}
	all := make([]placed, 0, len(candidates)+len(unchanged))
	for i, c := range candidates {
		all = append(all, placed{c, places[i]})
	}
	for _, e := range unchanged {
		all = append(all, placed{renames.Candidate{Old: e, New: e}, -1})
	}
	path := func(p placed) string {
		if p.candidate.New.Mode != 0 {
			return p.candidate.New.Path
		}
		return p.candidate.Old.Path
	}
	slices.SortStableFunc(all, func(x, y placed) int { return strings.Compare(path(x), path(y)) })
	candidates, places = candidates[:0], places[:0]
	for _, p := range all {
		candidates, places = append(candidates, p.candidate), append(places, p.place)
	}
	return candidates, places
}
