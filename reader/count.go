package reader

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// Count counts the commits that Log would yield (git-rev-list(1), --count).
func (r *Repository) Count(ctx context.Context, opts LogOptions) (int, error) {
	if opts.anyCommit() {
		if n, err := r.countReached(ctx, &opts); err == nil {
			return n, nil
		} // else the walk says what is wrong
	}
	n := 0
	for _, err := range r.log(ctx, opts, true) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// anyCommit says whether a walk shows whatever can be reached from its tips,
// or all merges, or none, so that neither dates nor texts matter.
func (o *LogOptions) anyCommit() bool {
	return len(o.Exclude) == 0 && o.Limit == 0 && o.Skip == 0 && o.Since == 0 && o.Until == 0 &&
		o.Paths.Empty() && !o.judged() && o.Match.empty()
}

func (r *Repository) countReached(ctx context.Context, opts *LogOptions) (count int, err error) {
	tips := opts.Tips
	if tips == nil {
		if tips, err = r.headTip(); err != nil {
			return 0, err
		}
	}
	ids := make([]plumbing.Hash, len(tips))
	for i, id := range tips {
		if ids[i], err = r.peelToCommit(id); err != nil {
			return 0, err
		}
	}
	max := r.Workspace().Policy().Limits.WithDefaults().Commits
	err = r.withAncestry(func(a *ancestry) (err error) {
		count, err = a.count(ctx, ids, opts, max)
		return err
	})
	return count, err
}

// count counts the commits that are reached from tips, if they are such as
// opts.Merges wants.
func (a *ancestry) count(ctx context.Context, tips []plumbing.Hash, opts *LogOptions, max int) (count int, err error) {
	reached := a.reach(ctx)
	for _, id := range tips {
		reached.add(a.number(id))
	}
	for steps := 1; ; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if reached.met > max {
			return 0, &sandbox.LimitError{Limit: "Commits", Max: int64(max)}
		}
		n, ok := reached.next()
		if !ok {
			return count, nil
		}
		parents, err := a.parentsOf(n)
		if err != nil {
			return 0, err
		}
		if merge := len(parents) > 1; opts.Merges == MergesShown || merge == (opts.Merges == MergesOnly) {
			count++
		}
		for _, parent := range parents {
			if reached.add(parent); opts.FirstParent {
				break
			}
		}
	}
}

// reached hands out commits that were reached, each once. Those outside the
// commit-graph come first, the last one reached at once: its data is likely to
// lie beside its child's. Those of the commit-graph come in the order in which
// they were reached: the processor fetches what the next ones need while it
// waits for one.
type reached struct {
	*painting
	level, below []uint32 // of the commit-graph: the ones on their turn, and those after them
	at           int      // in level
	met          int
}

func (a *ancestry) reach(ctx context.Context) *reached { return &reached{painting: a.paint(ctx)} }

// add adds a commit unless it was reached before.
func (r *reached) add(n uint32) {
	m := r.of(n)
	if *m != 0 {
		return
	}
	*m = fromOne
	r.met++
	if n < r.commits.placed {
		r.below = append(r.below, n)
	} else {
		r.stack = append(r.stack, n)
	}
}

// next returns the next commit; false when there is none.
func (r *reached) next() (n uint32, ok bool) {
	if last := len(r.stack) - 1; last >= 0 {
		n, r.stack = r.stack[last], r.stack[:last]
		return n, true
	}
	if r.at == len(r.level) {
		r.level, r.below, r.at = r.below, r.level[:0], 0
	}
	if len(r.level) == 0 {
		return 0, false
	}
	r.at++
	return r.level[r.at-1], true
}
