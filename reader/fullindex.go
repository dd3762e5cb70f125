package reader

import (
	"context"
	"errors"
	"io/fs"

	"github.com/ingit-dev/ingit/internal/ignore"
	"github.com/ingit-dev/ingit/internal/index"
)

// FullIndex is Index with every directory of a sparse index replaced by its
// files, which lie outside the sparse checkout. It must not be changed.
func (r *Repository) FullIndex(ctx context.Context) (*index.Index, error) {
	ix, err := r.Index()
	if err != nil || !ix.Sparse {
		return ix, err
	}
	return r.expandSparse(ctx, ix, func(*index.Entry) bool { return true })
}

// SparsePatterns tells which paths a sparse checkout holds (git-sparse-checkout(1)).
type SparsePatterns struct{ matcher *ignore.Matcher }

// SparsePatterns reads info/sparse-checkout; nil when core.sparseCheckout is
// off or the file is missing.
func (r *Repository) SparsePatterns() (*SparsePatterns, error) {
	on, err := r.Config().Bool("core.sparsecheckout", false)
	if err != nil || !on {
		return nil, err
	}
	fold, err := r.Config().Bool("core.ignorecase", false)
	if err != nil {
		return nil, err
	}
	data, err := readFile(r.GitDir(), "info/sparse-checkout")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &SparsePatterns{ignore.New(fold, ignore.Parse(data, "info/sparse-checkout", ""))}, nil
}

// Includes reports whether a file lies inside the sparse checkout: the last
// pattern that matches it decides, or else the nearest directory above it that
// a pattern matches.
func (p *SparsePatterns) Includes(path string) bool {
	for isDir := false; path != ""; isDir = true {
		if result := p.matcher.Match(path, isDir); result.Pattern != nil {
			return !result.Pattern.Negated
		}
		path = parentDir(path)
	}
	return false
}

func parentDir(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[:i]
		}
	}
	return ""
}
