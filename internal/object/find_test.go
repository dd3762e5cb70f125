package object_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/object"
)

// findSlowly is FindEntry without short cuts.
func findSlowly(tree []byte, name string) (object.TreeEntry, bool, error) {
	it := object.NewTreeIter(tree)
	for {
		e, ok, err := it.Next()
		if err != nil || !ok {
			return object.TreeEntry{}, false, err
		}
		if len(e.Name) > len(name) {
			continue
		}
		if c := strings.Compare(name[:len(e.Name)], string(e.Name)); c < 0 {
			return object.TreeEntry{}, false, nil
		} else if c == 0 && len(e.Name) == len(name) {
			return e, true, nil
		}
	}
}

func TestFindEntryInOddTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	modes := []string{"100644", "40000", "100755", "120000", "160000", "040000", "0100644", "", "8", "100648", "1006440"}
	for range 20000 {
		var tree []byte
		for i := range rng.IntN(8) {
			mode := modes[min(rng.IntN(60), rng.IntN(len(modes)))]
			name := string(rune('a'+i)) + strings.Repeat("x", rng.IntN(4))
			if rng.IntN(30) == 0 {
				name = ""
			}
			tree = fmt.Appendf(tree, "%s %s\x00", mode, name)
			for range 20 {
				tree = append(tree, byte(rng.IntN(3))<<5)
			}
		}
		if len(tree) > 0 && rng.IntN(6) == 0 {
			tree[rng.IntN(len(tree))] = byte(rng.IntN(256))
		}
		if rng.IntN(10) == 0 {
			tree = tree[:rng.IntN(len(tree)+1)]
		}
		for _, name := range []string{"a", "c", "cx", "exx", "z", ""} {
			want, wantOK, wantErr := findSlowly(tree, name)
			got, ok, err := object.FindEntry(tree, name)
			require.Equal(t, wantErr, err, "%q in %q", name, tree)
			require.Equal(t, wantOK, ok)
			require.Equal(t, want, got)
		}
	}
}
