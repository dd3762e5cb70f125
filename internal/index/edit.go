package index

import (
	"slices"
	"strings"
)

// PathChange is what a path shall be in the index: its entries in the order of their stages, or none to drop it.
type PathChange struct {
	Name    string
	Entries []Entry
}

// Clone returns an index that can be changed without changing x; the names are shared.
func (x *Index) Clone() *Index {
	clone := *x
	clone.Entries = slices.Clone(x.Entries)
	clone.ResolveUndo = slices.Clone(x.ResolveUndo)
	clone.CacheTree = x.CacheTree.clone()
	return &clone
}

func (t *CacheTree) clone() *CacheTree {
	if t == nil {
		return nil
	}
	clone := *t
	clone.Children = slices.Clone(t.Children)
	for i := range clone.Children {
		clone.Children[i] = *clone.Children[i].clone()
	}
	return &clone
}

// Apply makes the changes in one pass and invalidates the cache tree along their paths. The changes are sorted by name, each
// name once. What a path's new kind makes impossible (a file in a directory's place) is the caller's to drop.
func (x *Index) Apply(changes []PathChange) {
	if len(changes) == 0 {
		return
	}
	merged := make([]Entry, 0, len(x.Entries)+len(changes))
	rest := x.Entries
	for _, c := range changes {
		at, _ := slices.BinarySearchFunc(rest, c.Name, func(e Entry, name string) int { return strings.Compare(e.Name, name) })
		merged = append(merged, rest[:at]...)
		for rest = rest[at:]; len(rest) > 0 && rest[0].Name == c.Name; {
			rest = rest[1:]
		}
		merged = append(merged, c.Entries...)
		x.CacheTree.Invalidate(c.Name)
	}
	x.Entries = append(merged, rest...)
}

// Invalidate forgets the trees that path is part of. It is fine on nil.
func (t *CacheTree) Invalidate(path string) {
	for t != nil {
		t.Entries = -1
		name, below, isDir := strings.Cut(path, "/")
		if !isDir {
			t.drop(path)
			return
		}
		t, path = t.Child(name), below
	}
}

// drop removes the child of a directory that became something else.
func (t *CacheTree) drop(name string) {
	t.Children = slices.DeleteFunc(t.Children, func(c CacheTree) bool { return c.Name == name })
}
