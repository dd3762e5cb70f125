package prio_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/prio"
)

type ticket struct{ rank, number int }

func byRank(x, y ticket) int { return cmp.Compare(x.rank, y.rank) }

func TestQueueGivesOutByRankThenByArrival(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	q := prio.Queue[ticket]{Rank: byRank}
	var want []ticket
	for i := range 1000 {
		item := ticket{random.IntN(20), i}
		want = append(want, item)
		q.Push(item)
	}
	slices.SortStableFunc(want, byRank)
	require.Equal(t, len(want), q.Len())
	for _, item := range want {
		require.Equal(t, item, q.First())
		require.Equal(t, item, q.Pop())
	}
	require.Zero(t, q.Len())
}

func TestQueueWithoutRankIsAStack(t *testing.T) {
	var q prio.Queue[string]
	q.Push("a")
	q.Push("b")
	require.Equal(t, "b", q.Pop())
	q.Push("c")
	require.Equal(t, "c", q.Pop())
	require.Equal(t, "a", q.Pop())
	require.Zero(t, q.Len())
}
