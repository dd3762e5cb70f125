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
		o.Paths.Empty() && o.Follow == "" && o.Pickaxe == "" && o.PickaxeRegex == "" && o.Match.empty()
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
	p := a.paint(ctx)
	var stack []uint32
	met := 0
	reach := func(n uint32) {
		if m := p.of(n); *m == 0 {
			*m = fromOne
			stack = append(stack, n)
			met++
		}
	}
	for _, id := range tips {
		reach(a.number(id))
	}
	for steps := 1; len(stack) > 0; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if met > max {
			return 0, &sandbox.LimitError{Limit: "Commits", Max: int64(max)}
		}
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		c, err := a.commit(n)
		if err != nil {
			return 0, err
		}
		if merge := len(c.Parents) > 1; opts.Merges == MergesShown || merge == (opts.Merges == MergesOnly) {
			count++
		}
		for _, parent := range c.Parents {
			if reach(parent); opts.FirstParent {
				break
			}
		}
	}
	return count, nil
}
