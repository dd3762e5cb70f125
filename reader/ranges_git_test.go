package reader_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

func TestRangesEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	for round := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, round))
		dir := fixtures.Init(t)
		ids := randomHistory(t, dir, r, 40, false)
		write(t, dir, ".git/refs/heads/main", ids[39].String()+"\n")
		randomGraph(t, dir, r, ids)
		write(t, dir, ".git/refs/heads/side", ids[r.IntN(40)].String()+"\n")
		repo := mustOpen(t, dir)
		ctx := context.Background()
		for range 12 {
			one, two := ids[r.IntN(40)].String(), ids[r.IntN(40)].String()
			for _, revs := range [][]string{{one + ".." + two}, {one + "..." + two}, {".." + one}, {one + ".."}, {"...side"}, {one, "^" + two}, {one + "^@"}, {one + "^!"}, {one + "^-"}, {one + "^-2"}, {"side^@", "^main~3"}, {"nope..main"}} {
				t.Logf("seed %d round %d %q", seed, round, revs)
				answer := fixtures.Ask(t, dir, append(append([]string{"log"}, logFormat...), append(revs, "--")...)...)
				var args []sandbox.Rev
				for _, rev := range revs {
					args = append(args, sandbox.Rev(rev))
				}
				selection, err := repo.ResolveRange(ctx, args...)
				if answer.Code != 0 {
					require.Error(t, err)
					continue
				}
				require.NoError(t, err)
				if len(selection.Tips) == 0 {
					continue
				}
				var opts reader.LogOptions
				opts.Select(selection)
				text, err := logText(t, repo, opts)
				require.NoError(t, err)
				require.Equal(t, string(answer.Out), text)
			}
			answer := fixtures.Ask(t, dir, "merge-base", "--all", one, two)
			bases, err := repo.MergeBases(ctx, plumbing.NewHash(one), plumbing.NewHash(two))
			require.NoError(t, err)
			var lines []string
			for _, id := range bases {
				lines = append(lines, id.String())
			}
			require.Equal(t, strings.Fields(string(answer.Out)), append([]string{}, lines...))
			answer = fixtures.Ask(t, dir, "rev-list", "--count", one, two)
			n, err := repo.Count(ctx, reader.LogOptions{Tips: []plumbing.Hash{plumbing.NewHash(one), plumbing.NewHash(two)}})
			require.NoError(t, err)
			require.Equal(t, strings.TrimSpace(string(answer.Out)), strconv.Itoa(n))
		}
	}
}
