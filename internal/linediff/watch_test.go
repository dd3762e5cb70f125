package linediff_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/linediff"
)

// TestStop gives up soon after it is told to, at whatever step it is told, and
// works as before afterwards.
func TestStop(t *testing.T) {
	var old, new bytes.Buffer
	for i := range 60_000 {
		fmt.Fprintf(&old, "line %d\n", i*7919%20_011)
		fmt.Fprintf(&new, "line %d\n", i*104_729%20_011)
	}
	var d linediff.Differ
	for _, algorithm := range []linediff.Algorithm{linediff.Myers, linediff.Minimal, linediff.Patience, linediff.Histogram} {
		for _, after := range []int{0, 1, 5, 20, 100} {
			asked, last := 0, time.Now()
			var longest time.Duration
			d.Diff(old.Bytes(), new.Bytes(), linediff.Options{Algorithm: algorithm, Stop: func() bool {
				longest, last = max(longest, time.Since(last)), time.Now()
				asked++
				return asked > after
			}})
			require.LessOrEqual(t, asked, after+1, "asked again after it said stop")
			t.Logf("%v after %d: asked %d times, at most %v apart", algorithm, after, asked, longest)
		}
	}
	require.Len(t, d.Diff([]byte("a\nb\n"), []byte("a\nc\n"), linediff.Options{}), 1)
}
