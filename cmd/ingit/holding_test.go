package main

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestHolding writes an answer in pieces of all lengths: what was held back and
// what streamed are the answer, and nothing comes out before it is too long.
func TestHolding(t *testing.T) {
	r := rand.New(rand.NewPCG(fixtures.Seed(t), 0))
	for range 20 {
		var out, want bytes.Buffer
		h := &holding{to: &out}
		for total, end := 0, r.IntN(2*holdBytes); total < end; {
			piece := make([]byte, r.IntN(1<<r.IntN(20)))
			for i := range piece {
				piece[i] = byte(r.Uint32())
			}
			want.Write(piece)
			_, err := h.Write(piece)
			require.NoError(t, err)
			if total += len(piece); total <= holdBytes {
				require.Zero(t, out.Len())
			} else {
				require.Equal(t, want.Len(), out.Len())
			}
		}
		require.NoError(t, h.flush())
		require.True(t, bytes.Equal(want.Bytes(), out.Bytes()))
	}
}
