package reader

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
)

// workIndex returns the index as the work tree is compared with it: sparse
// directories that exist nevertheless are expanded to their files.
func (r *Repository) workIndex(ctx context.Context) (*index.Index, error) {
	ix, err := r.Index()
	if err != nil || !ix.Sparse {
		return ix, err
	}
	top, err := r.WorkTree()
	if err != nil {
		return nil, err
	}
	return r.expandSparse(ctx, ix, func(e *index.Entry) bool {
		_, err := top.Lstat(e.Name[:len(e.Name)-1])
		return err == nil
	})
}

// expandSparse returns the index with those sparse directories replaced by
// their files for which expand holds; all of them, if it holds for one.
func (r *Repository) expandSparse(ctx context.Context, ix *index.Index, expand func(*index.Entry) bool) (*index.Index, error) {
	any := false
	for i := range ix.Entries {
		if ix.Entries[i].IsSparseDir() && expand(&ix.Entries[i]) {
			any = true
			break
		}
	}
	if !any {
		return ix, nil
	}
	full := *ix
	full.CacheTree, full.Sparse, full.Entries = nil, false, nil
	for i := range ix.Entries {
		e := ix.Entries[i]
		if !e.IsSparseDir() {
			full.Entries = append(full.Entries, e)
			continue
		}
		w := treeWalk{repo: r, ctx: ctx, emit: func(c Change) error {
			full.Entries = append(full.Entries, index.Entry{Name: c.New.Path, Mode: c.New.Mode, ID: c.New.ID, SkipWorktree: true})
			return nil
		}}
		if err := w.trees(plumbing.ZeroHash, e.ID, e.Name, 0); err != nil {
			return nil, err
		}
	}
	return &full, nil
}
