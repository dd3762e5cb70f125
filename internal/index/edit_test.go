package index

import (
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"
)

func names(x *Index) []string {
	var names []string
	for i := range x.Entries {
		names = append(names, x.Entries[i].Name)
	}
	return names
}

func TestApplyMergesSortedChanges(t *testing.T) {
	entry := func(name string, stage uint8) Entry { return Entry{Name: name, Stage: stage, Mode: ModeFile} }
	x := &Index{Entries: []Entry{entry("a", 0), entry("c", 1), entry("c", 2), entry("c", 3), entry("d/e", 0), entry("z", 0)}}
	for _, c := range []struct {
		name    string
		changes []PathChange
		want    []string
	}{
		{"nothing", nil, []string{"a", "c", "c", "c", "d/e", "z"}},
		{"add", []PathChange{{"0", []Entry{entry("0", 0)}}, {"b", []Entry{entry("b", 0)}}, {"zz", []Entry{entry("zz", 0)}}},
			[]string{"0", "a", "b", "c", "c", "c", "d/e", "z", "zz"}},
		{"resolve and drop", []PathChange{{"a", nil}, {"c", []Entry{entry("c", 0)}}, {"nowhere", nil}}, []string{"c", "d/e", "z"}},
		{"all away", []PathChange{{"a", nil}, {"c", nil}, {"d/e", nil}, {"z", nil}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			clone := x.Clone()
			clone.Apply(c.changes)
			require.Equal(t, c.want, names(clone))
			require.Len(t, x.Entries, 6, "the original stays")
		})
	}
}

func TestApplyInvalidatesAlongThePath(t *testing.T) {
	id := plumbing.ComputeHash(plumbing.TreeObject, nil)
	x := &Index{
		Entries: []Entry{{Name: "d/e/f"}, {Name: "d/g"}, {Name: "h/i"}},
		CacheTree: &CacheTree{Entries: 3, ID: id, Children: []CacheTree{
			{Name: "d", Entries: 2, ID: id, Children: []CacheTree{{Name: "e", Entries: 1, ID: id}}},
			{Name: "h", Entries: 1, ID: id},
		}},
	}
	clone := x.Clone()
	clone.Apply([]PathChange{{Name: "d/e", Entries: []Entry{{Name: "d/e"}}}, {Name: "d/e/f"}})
	require.False(t, clone.CacheTree.Valid())
	require.False(t, clone.CacheTree.Child("d").Valid())
	require.Nil(t, clone.CacheTree.Child("d").Child("e"), "a directory that became a file")
	require.True(t, clone.CacheTree.Child("h").Valid())
	require.True(t, x.CacheTree.Child("d").Child("e").Valid(), "the original stays")
}
