package reader

import (
	"strings"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/internal/pathspec"
)

// filters ask the commit-graph which commits surely left paths alone
// (gitformat-commit-graph(5), "Bloom filters"). Nil ones know of none.
type filters struct {
	table *commitgraph.Graph
	keys  []commitgraph.Key
}

// newFilters returns the filters for a pathspec: for plain paths, and for
// patterns below a fixed directory, which stands for them.
func newFilters(table *commitgraph.Graph, spec *pathspec.Spec) *filters {
	if table == nil || !table.HasFilters() || spec.Empty() {
		return nil
	}
	f := &filters{table: table}
	for _, item := range spec.Items() {
		if item.Magic&^(pathspec.Top|pathspec.Literal) != 0 {
			return nil
		}
		path := item.Path
		if !item.Literal && item.Magic&pathspec.Literal == 0 {
			path = path[:strings.LastIndexByte(path[:fixed(path)], '/')+1]
		}
		if path = strings.TrimSuffix(path, "/"); path == "" {
			return nil
		}
		f.keys = append(f.keys, commitgraph.NewKey(path))
	}
	return f
}

// fixed returns how much of a pattern is no wildcard.
func fixed(pattern string) int {
	if n := strings.IndexAny(pattern, `*?[\`); n >= 0 {
		return n
	}
	return len(pattern)
}

// unchanged reports whether a commit surely has the same at all paths as its
// first parent has, or nothing at all if it has no parent.
func (f *filters) unchanged(n *node) bool {
	if f == nil || n.place == 0 {
		return false
	}
	for _, key := range f.keys {
		if f.table.Changed(n.place-1, key) != commitgraph.No {
			return false
		}
	}
	return true
}
