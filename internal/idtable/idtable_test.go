package idtable_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/idtable"
)

// table builds the bytes of a table with the given stride.
func table(ids []plumbing.Hash, stride int) (fanout, data []byte) {
	slices.SortFunc(ids, func(x, y plumbing.Hash) int { return bytes.Compare(x[:], y[:]) })
	n := 0
	for b := range 256 {
		for n < len(ids) && int(ids[n][0]) == b {
			n++
		}
		fanout = binary.BigEndian.AppendUint32(fanout, uint32(n))
	}
	for _, id := range ids {
		data = append(append(data, id[:]...), make([]byte, stride-len(id))...)
	}
	return fanout, data[:max(0, len(data)-(stride-20))]
}

// random ids, of which skew percent share their first bytes.
func random(r *rand.Rand, n, skew int) []plumbing.Hash {
	ids := make([]plumbing.Hash, n)
	for i := range ids {
		for k := range ids[i] {
			ids[i][k] = byte(r.Uint32())
		}
		if r.IntN(100) < skew {
			copy(ids[i][:], []byte{7, 7, 7, 7, 7, byte(r.IntN(2))})
		}
	}
	return ids
}

func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, 300, 5000} {
		for _, skew := range []int{0, 30, 100} {
			ids := random(r, n, skew)
			fanout, data := table(ids, 24)
			tab, ok := idtable.New(fanout, data, 24)
			require.True(t, ok)
			require.Equal(t, n, tab.Len())
			for i, id := range ids {
				pos, ok := tab.Find(id)
				require.True(t, ok)
				require.Equal(t, i, pos)
				id[19]++
				_, ok = tab.Find(id)
				require.Equal(t, slices.Contains(ids, id), ok)
			}
			for _, id := range random(r, 500, 50) {
				_, ok := tab.Find(id)
				require.False(t, ok)
			}
		}
	}
}

func TestPrefixes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	ids := random(r, 3000, 20)
	fanout, data := table(ids, 20)
	tab, _ := idtable.New(fanout, data, 20)
	for _, id := range append(random(r, 100, 50), ids[:200]...) {
		common := 0
		for _, other := range ids {
			if other != id {
				common = max(common, idtable.CommonDigits(id, other))
			}
		}
		assert.Equal(t, common, tab.Common(id))
		for digits := range 6 {
			var got []plumbing.Hash
			tab.WithPrefix(id, digits, func(id plumbing.Hash) bool { got = append(got, id); return true })
			want := slices.Clone(ids)
			want = slices.DeleteFunc(want, func(x plumbing.Hash) bool { return x.String()[:digits] != id.String()[:digits] })
			require.ElementsMatch(t, want, got)
		}
	}
}

func TestNewRefusesLies(t *testing.T) {
	fanout, data := table(random(rand.New(rand.NewPCG(3, 3)), 100, 0), 20)
	_, ok := idtable.New(fanout, data, 20)
	require.True(t, ok)
	_, ok = idtable.New(fanout, data[:len(data)-1], 20)
	assert.False(t, ok, "fewer ids than counted")
	_, ok = idtable.New(fanout[:1000], data, 20)
	assert.False(t, ok, "short fan-out")
	binary.BigEndian.PutUint32(fanout[40:], 1<<31)
	_, ok = idtable.New(fanout, data, 20)
	assert.False(t, ok, "falling fan-out")
}
