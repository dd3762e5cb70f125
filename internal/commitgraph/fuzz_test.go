package commitgraph

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/mapped"
)

// FuzzGraph looks everything up that a damaged file offers.
func FuzzGraph(f *testing.F) {
	seed, err := os.ReadFile("testdata/commit-graph")
	require.NoError(f, err)
	f.Add(seed)
	key := NewKey("a/b")
	f.Fuzz(func(t *testing.T, data []byte) {
		l, ok := parse(mapped.Bytes(data))
		if !ok {
			return
		}
		g := newGraph([]*layer{l})
		for pos := range g.total {
			c, _ := g.Commit(pos, nil)
			for _, p := range c.Parents {
				require.Less(t, p, g.total)
			}
			id, err := g.ID(pos)
			require.NoError(t, err)
			g.Find(id)
			g.Changed(pos, key)
		}
	})
}
