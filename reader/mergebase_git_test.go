package reader_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// TestMergeBasesByDefinition asks for all pairs of commits of made-up histories,
// with and without a commit-graph that git has written, and compares with what
// the sets of ancestors say: a best common ancestor is none of another one.
func TestMergeBasesByDefinition(t *testing.T) {
	fixtures.RequireGit(t)
	seed, ctx := fixtures.Seed(t), context.Background()
	for round := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, round))
		dir := fixtures.Init(t)
		h := randomCommits(t, dir, r, 10+r.IntN(40))
		randomGraph(t, dir, r, h.ids)
		repo := mustOpen(t, dir)
		for i, one := range h.ids {
			for j, two := range h.ids {
				where := fmt.Sprintf("seed %d round %d: %d and %d in %s", seed, round, i, j, dir)
				var want, got []string
				for _, n := range h.best(func(n int) bool { return h.reach[i][n] && h.reach[j][n] }) {
					want = append(want, h.ids[n].String())
				}
				found, err := repo.MergeBases(ctx, one, two)
				require.NoError(t, err, where)
				for _, id := range found {
					got = append(got, id.String())
				}
				require.ElementsMatch(t, want, got, where)
				is, err := repo.IsAncestor(ctx, one, two)
				require.NoError(t, err, where)
				require.Equal(t, h.reach[j][i], is, where)
			}
		}
		h.compareLists(t, repo, r)
	}
}

// compareLists asks which of some commits none of the others leads to.
func (h *madeUpHistory) compareLists(t *testing.T, repo *reader.Repository, r *rand.Rand) {
	for range 50 {
		numbers := r.Perm(len(h.ids))[:2+r.IntN(5)]
		var asked, want []plumbing.Hash
		heads := h.best(func(n int) bool { return slices.Contains(numbers, n) })
		for _, n := range numbers {
			if asked = append(asked, h.ids[n]); slices.Contains(heads, n) {
				want = append(want, h.ids[n])
			}
		}
		got, err := repo.Independent(context.Background(), asked...)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// madeUpHistory are commits without content, and which lead to which.
type madeUpHistory struct {
	ids   []plumbing.Hash
	reach []map[int]bool // the ancestors of each, and itself
}

// randomCommits writes commits with up to three parents, most of them near, and
// dates that are not always in order.
func randomCommits(t *testing.T, dir string, r *rand.Rand, n int) *madeUpHistory {
	h := &madeUpHistory{}
	tree := writeTree(t, dir, nil)
	for i := range n {
		text, reach := fmt.Sprintf("tree %s\n", tree), map[int]bool{i: true}
		for range min(i, []int{1, 1, 1, 2, 2, 3}[r.IntN(6)]) {
			parent := max(0, i-1-r.IntN(1+r.IntN(12)))
			text += fmt.Sprintf("parent %s\n", h.ids[parent])
			for ancestor := range h.reach[parent] {
				reach[ancestor] = true
			}
		}
		date := 1600000000 + i*10 - r.IntN(2)*r.IntN(100)
		text += fmt.Sprintf("author A <a@x> %d +0000\ncommitter A <a@x> %d +0000\n\n%d\n", date, date, i)
		h.ids = append(h.ids, writeObject(t, dir, "commit", []byte(text)))
		h.reach = append(h.reach, reach)
	}
	return h
}

// best returns the members of a set of commits that no other member leads to.
func (h *madeUpHistory) best(member func(n int) bool) (best []int) {
	for n := range h.ids {
		leads := false
		for other, reach := range h.reach {
			leads = leads || other != n && member(other) && reach[n]
		}
		if member(n) && !leads {
			best = append(best, n)
		}
	}
	return best
}
