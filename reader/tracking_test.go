package reader_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// TestAheadBehindRandom compares the counts with git's in random histories
// whose dates tie and, a little, go backwards.
func TestAheadBehindRandom(t *testing.T) {
	fixtures.RequireGit(t)
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 1))
		dir := fixtures.Init(t)
		stream := fixtures.NewStream()
		var marks []int
		const commits = 60
		for i := range commits {
			var parents []int
			for range min(len(marks), 1+rng.IntN(3)/2) {
				parents = append(parents, marks[len(marks)-1-rng.IntN(min(len(marks), 6))])
			}
			if len(parents) == 2 && parents[0] == parents[1] {
				parents = parents[:1]
			}
			marks = append(marks, stream.Commit(fixtures.Commit{
				Ref: fmt.Sprintf("refs/heads/b%d", i), Parents: parents, When: fixtures.Clock + int64(i/4), Message: fmt.Sprint(i),
				Changes: []fixtures.FileChange{{Path: "f", Content: fmt.Sprint(i)}},
			}))
		}
		fixtures.Command{Dir: dir, Input: stream.Bytes()}.Must(t, "fast-import", "--quiet")
		if seed%2 == 1 {
			fixtures.Git(t, dir, "commit-graph", "write", "--reachable")
		}
		for range 12 {
			ours, theirs := rng.IntN(commits), rng.IntN(commits)
			fixtures.Git(t, dir, "symbolic-ref", "HEAD", fmt.Sprintf("refs/heads/b%d", ours))
			fixtures.Git(t, dir, "config", fmt.Sprintf("branch.b%d.remote", ours), ".")
			fixtures.Git(t, dir, "config", fmt.Sprintf("branch.b%d.merge", ours), fmt.Sprintf("refs/heads/b%d", theirs))
			want := string(fixtures.Git(t, dir, "rev-list", "--left-right", "--count", fmt.Sprintf("b%d...b%d", ours, theirs)))
			status, err := openAt(t, dir, "").Status(context.Background(), reader.StatusOptions{})
			require.NoError(t, err)
			got := fmt.Sprintf("%d\t%d\n", status.Branch.Ahead, status.Branch.Behind)
			assert.Equal(t, want, got, "seed %d: b%d...b%d", seed, ours, theirs)
		}
	}
}
