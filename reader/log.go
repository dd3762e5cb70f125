package reader

import (
	"context"
	"errors"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/refs"
)

// Commit is a commit of a walk. It and its data belong to the walk: they hold
// until the loop goes on.
type Commit struct {
	ID   plumbing.Hash
	Data []byte // the raw object
	Left bool   // reached from the left of LogOptions.Symmetric, as git rev-list --left-right marks it
	// Lines are the changes to the lines of LogOptions.Lines; none for a merge.
	Lines []LineChange

	// Changes are those that a walk with LogOptions.Changes chose the commit
	// for; nil in other walks.
	Changes []Change

	node *node
}

// UnbornError is a branch that has no commit yet.
type UnbornError struct{ Branch string }

// Error is git's sentence, without "fatal: ".
func (e *UnbornError) Error() string {
	return "your current branch '" + e.Branch + "' does not have any commits yet"
}

// Log walks history as git log does: newest committer date first, equal dates
// in the order in which the walk met them (git-log(1), "Commit Ordering"). An
// error ends the walk; a missing parent is a *MissingCommitError.
func (r *Repository) Log(ctx context.Context, opts LogOptions) iter.Seq2[*Commit, error] {
	return r.log(ctx, opts, false)
}

// log is Log; bare leaves out the commits' text.
func (r *Repository) log(ctx context.Context, opts LogOptions, bare bool) iter.Seq2[*Commit, error] {
	if len(opts.Lines) > 0 && opts.Order == OrderDefault {
		opts.Order = OrderTopo // a commit's lines are known when all its children were looked at
	}
	return func(yield func(*Commit, error) bool) {
		w, err := r.newWalk(ctx, opts)
		if err != nil {
			yield(nil, err)
			return
		}
		defer w.graph.reader.Close()
		w.bare = bare || opts.IDs
		w.graph.keep = !bare && opts.showsMost()
		switch {
		case opts.judged():
			r.filterByDiff(w, yield)
		case opts.Reverse:
			w.backwards(yield)
		default:
			w.run(yield)
		}
	}
}

// headTip returns HEAD's commit as the one tip of a walk.
func (r *Repository) headTip() ([]plumbing.Hash, error) {
	head, err := r.Head()
	if broken := (*refs.BrokenError)(nil); errors.As(err, &broken) {
		return nil, errors.New("your current branch appears to be broken")
	} else if err != nil {
		return nil, err
	}
	if head.Unborn {
		return nil, &UnbornError{Branch: head.Branch}
	}
	return []plumbing.Hash{head.ID}, nil
}

// run yields the commits that pass every filter, after Skip and up to Limit.
func (w *walk) run(yield func(*Commit, error) bool) {
	next, err := w.source()
	if err != nil {
		yield(nil, err)
		return
	}
	skip, left := w.opts.Skip, w.opts.Limit
	var commit Commit
	for (w.opts.Limit == 0 || left > 0) && !w.lines.done() {
		n, err := next()
		if err != nil {
			yield(nil, err)
			return
		}
		if n == nil {
			return
		}
		wanted, err := w.wanted(n)
		if err != nil {
			yield(nil, err)
			return
		}
		if !wanted || skip > 0 {
			if wanted {
				skip--
			}
			w.graph.release(n)
			continue
		}
		left--
		if !w.bare {
			if err := w.fill(n); err != nil {
				yield(nil, err)
				return
			}
		}
		commit = w.commit(n)
		if !yield(&commit, nil) {
			return
		}
		w.graph.release(n)
	}
}

func (w *walk) commit(n *node) Commit {
	return Commit{ID: n.id, Data: n.data, Left: n.flags&leftSide != 0, Lines: w.lines.shown(n), node: n}
}

// fill reads a commit's text if the walk does not hold it.
func (w *walk) fill(n *node) error {
	if n.data != nil {
		return nil
	}
	data, err := w.graph.read(n.id)
	if err == nil {
		n.data = append(w.graph.buffer(), data...)
	}
	return err
}

// wanted applies the filters; that which needs a commit's text comes last.
func (w *walk) wanted(n *node) (bool, error) {
	o := &w.opts
	if n.flags&(uninteresting|treeSame) != 0 {
		return false, nil
	}
	if w.lines != nil {
		if changed, err := w.lines.process(n); err != nil || !changed {
			return false, err
		}
	}
	switch {
	case o.Until != 0 && int64(n.date) > o.Until,
		o.Merges == MergesOnly && len(n.parents) < 2,
		o.Merges == MergesNone && len(n.parents) > 1:
		return false, nil
	}
	if w.matcher != nil {
		if err := w.fill(n); err != nil {
			return false, err
		}
		return w.matcher.match(n.data), nil
	}
	return true, nil
}
