package linediff_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/linediff"
)

// FuzzDiff holds the changes to what they must be for any input: in order,
// apart, not empty, and turning old into new.
func FuzzDiff(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc\nb"), uint8(0))
	f.Add([]byte("\n\n\r\n x\n"), []byte("x\n\n"), uint8(5))
	f.Add([]byte("same"), []byte("same\n"), uint8(130))
	f.Fuzz(func(t *testing.T, old, new []byte, mode uint8) {
		opts := linediff.Options{
			Algorithm: linediff.Algorithm(mode & 3), Whitespace: linediff.Whitespace(mode >> 2 & 15),
			NoIndentHeuristic: mode&64 != 0, ZeroContext: mode&128 != 0,
		}
		var d linediff.Differ
		changes := d.Diff(old, new, opts)
		rebuilt := rebuild(t, &d, changes, opts.Whitespace)
		if opts.Whitespace == 0 {
			require.Equal(t, d.New.Data, rebuilt)
		}
		hunks := linediff.NewHunks(changes, &d.Old, &d.New, linediff.HunkOptions{Context: int(mode >> 4), InterHunk: int(mode & 3)})
		shown := 0
		for h, ok := hunks.Next(); ok; h, ok = hunks.Next() {
			shown += len(h.Changes)
		}
		require.Equal(t, len(changes), shown)
	})
}

// rebuild applies the changes to the old text.
func rebuild(t *testing.T, d *linediff.Differ, changes []linediff.Change, w linediff.Whitespace) []byte {
	rebuilt := []byte{}
	i, j := 0, 0
	for n, c := range changes {
		require.True(t, c.OldStart > i && c.NewStart > j || n == 0 && c.OldStart == c.NewStart, "changes touch")
		require.True(t, c.OldCount > 0 || c.NewCount > 0, "empty change")
		require.Equal(t, c.OldStart-i, c.NewStart-j)
		for k := range c.OldStart - i {
			require.True(t, w.Equal(d.Old.Line(i+k), d.New.Line(j+k)))
		}
		rebuilt = append(rebuilt, d.Old.Range(i, c.OldStart)...)
		rebuilt = append(rebuilt, d.New.Range(c.NewStart, c.NewStart+c.NewCount)...)
		i, j = c.OldStart+c.OldCount, c.NewStart+c.NewCount
	}
	require.Equal(t, d.Old.Count()-i, d.New.Count()-j)
	return append(rebuilt, d.Old.Range(i, d.Old.Count())...)
}

// bigPair is a text of n lines and one with a twentieth of its lines changed.
func bigPair(n int) (old, new []byte) {
	r := rand.New(rand.NewPCG(1, 2))
	var a, b bytes.Buffer
	for i := range n {
		line := fmt.Sprintf("\tline %d of many, %d\n", i, r.IntN(1000))
		a.WriteString(line)
		if r.IntN(20) == 0 {
			line = fmt.Sprintf("\tother line %d\n", r.IntN(n))
		}
		b.WriteString(line)
	}
	return a.Bytes(), b.Bytes()
}

// BenchmarkDiff compares texts of 100,000 lines, 5% of them changed. With
// LINEDIFF_WRITE=DIR the texts are written there, to compare with git diff
// --no-index.
func BenchmarkDiff(b *testing.B) {
	old, new := bigPair(100_000)
	writePair(b, old, new)
	var d linediff.Differ
	b.SetBytes(int64(len(old) + len(new)))
	for b.Loop() {
		d.Diff(old, new, linediff.Options{})
	}
}

func writePair(b *testing.B, old, new []byte) {
	if dir := os.Getenv("LINEDIFF_WRITE"); dir != "" {
		require.NoError(b, os.WriteFile(filepath.Join(dir, "old"), old, 0o666))
		require.NoError(b, os.WriteFile(filepath.Join(dir, "new"), new, 0o666))
	}
}
