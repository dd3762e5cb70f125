package linediff

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDiffLines holds the ways that know lines to those that look for them.
func TestDiffLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	text := func(words []string) (data []byte) {
		for _, w := range words {
			data = append(data, w...)
		}
		return data
	}
	words := []string{"a\n", "b\n", "\n", "long line of text\n", "x", "\tindented\n", "a"}
	var d, whole Differ
	for range 3000 {
		var old []string
		for range rng.IntN(600) {
			old = append(old, words[min(rng.IntN(40), len(words)-1)])
		}
		new := append([]string{}, old...)
		for range rng.IntN(4) {
			at := rng.IntN(len(new) + 1)
			new = append(append(new[:at:at], words[rng.IntN(len(words))]), new[min(len(new), at+rng.IntN(3)):]...)
		}
		var before, after, like Lines
		before.Split(text(old))
		after.Split(text(new))
		like.SplitLike(after.Data, &before)
		require.Equal(t, after.starts, like.starts, "%q %q", before.Data, after.Data)
		opts := Options{ZeroContext: rng.IntN(2) == 0, Algorithm: Algorithm(rng.IntN(4)), Whitespace: Whitespace(rng.IntN(3))}
		want := append([]Change{}, whole.Diff(before.Data, after.Data, opts)...)
		require.Equal(t, want, append([]Change{}, d.DiffLines(&before, &like, opts)...))
		require.Equal(t, whole.Old.Count(), d.Old.Count())
		require.Equal(t, whole.New.starts, d.New.starts)
		if rng.IntN(3) == 0 {
			require.Equal(t, want, append([]Change{}, d.Diff(before.Data, after.Data, opts)...))
			require.Equal(t, after.starts, like.starts)
		}
	}
}
