package blame_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/blame"
)

// BenchmarkFile blames INGIT_BLAME_FILE at HEAD of the repository INGIT_BLAME_REPO.
func BenchmarkFile(b *testing.B) {
	dir, file := os.Getenv("INGIT_BLAME_REPO"), os.Getenv("INGIT_BLAME_FILE")
	if dir == "" {
		b.Skip("INGIT_BLAME_REPO names no repository")
	}
	r := open(b, dir)
	head, err := r.Head()
	require.NoError(b, err)
	for b.Loop() {
		_, err := blame.File(context.Background(), r, head.ID, file, blame.Options{})
		require.NoError(b, err)
	}
}
