package history

import (
	"crypto/sha256"
	"io"
	"testing"
)

func TestStreamRepeats(t *testing.T) {
	var sums [2][32]byte
	for i := range sums {
		h := sha256.New()
		if err := Write(h, Params{Commits: 300, Files: 50}); err != nil {
			t.Fatal(err)
		}
		sums[i] = [32]byte(h.Sum(nil))
	}
	if sums[0] != sums[1] {
		t.Error("two runs gave two streams")
	}
}

func BenchmarkWrite(b *testing.B) {
	for b.Loop() {
		if err := Write(io.Discard, Params{Commits: 2_000}); err != nil {
			b.Fatal(err)
		}
	}
}
