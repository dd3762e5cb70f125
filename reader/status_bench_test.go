package reader_test

import (
	"context"
	"os"
	"testing"

	"github.com/ingit-dev/ingit/reader"
)

// BenchmarkStatus times the status of the work tree that INGIT_BENCH_REPO
// names, with the repository open and opened anew.
func BenchmarkStatus(b *testing.B) {
	dir := os.Getenv("INGIT_BENCH_REPO")
	if dir == "" {
		b.Skip("INGIT_BENCH_REPO names no work tree")
	}
	repo := openAt(b, dir, "")
	b.Run("warm", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := repo.Status(context.Background(), reader.StatusOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cold", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r := openAt(b, dir, "")
			if _, err := r.Status(context.Background(), reader.StatusOptions{}); err != nil {
				b.Fatal(err)
			}
			r.Close()
		}
	})
}
