package reader_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// TestLastCommitsEqualGit compares with git log -1 of each path.
func TestLastCommitsEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	for round := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, round))
		dir := fixtures.Init(t)
		ids := randomTrees(t, dir, r, 10+r.IntN(50))
		write(t, dir, ".git/refs/heads/main", ids[len(ids)-1].String()+"\n")
		randomGraph(t, dir, r, ids)
		repo := mustOpen(t, dir)
		for _, opts := range []reader.ListTreeOptions{{}, {Recursive: true}, {Path: "d/"}, {Path: "d/e/", Recursive: true}} {
			tip := ids[len(ids)-1-r.IntN(4)]
			found, err := repo.LastCommits(context.Background(), tip, opts)
			require.NoError(t, err)
			listed := 0
			for _, err := range repo.ListTree(context.Background(), tip, opts) {
				require.NoError(t, err)
				listed++
			}
			require.Len(t, found, listed)
			for _, f := range found {
				want := strings.TrimSpace(string(fixtures.Git(t, dir, "log", "-1", "--format=%H", tip.String(), "--", f.Entry.Path)))
				require.Equal(t, want, f.Commit.String(), "seed %d round %d: %s of %s in %s", seed, round, f.Entry.Path, tip, dir)
			}
		}
	}
}
