package sandbox

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestBudgetCounts(t *testing.T) {
	b := NewBudget(context.Background(), Limits{Commits: 3, OutputBytes: 10})
	for range 3 {
		require.NoError(t, b.Commit())
	}
	require.Equal(t, &LimitError{Limit: "Commits", Max: 3}, b.Commit())
	require.NoError(t, b.Output(10))
	require.NoError(t, b.Output(0))
	require.Equal(t, &LimitError{Limit: "OutputBytes", Max: 10}, b.Output(1))
	none := NewBudget(context.Background(), Limits{Commits: -1, OutputBytes: -1})
	require.NoError(t, none.Output(1<<30))
	require.NoError(t, none.Output(1<<30))
	require.NoError(t, none.Commit())
}

func TestBudgetEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := NewBudget(ctx, Limits{})
	require.NoError(t, b.Check())
	cancel()
	require.Equal(t, context.Canceled, b.Check())
	require.Equal(t, context.Canceled, stepOn(b))
}

// stepOn takes at most as many steps as must lead to a look at the clock.
func stepOn(b *Budget) error {
	for range stepsPerCheck {
		if err := b.Step(); err != nil {
			return err
		}
	}
	return nil
}

// silent is a context whose deadline never fires, as in a loop on wasip1.
type silent struct {
	context.Context
	deadline time.Time
}

func (s silent) Deadline() (time.Time, bool) { return s.deadline, true }

func TestBudgetReadsTheClockItself(t *testing.T) {
	past := silent{context.Background(), time.Now().Add(-time.Second)}
	require.Equal(t, context.DeadlineExceeded, stepOn(NewBudget(past, Limits{})))
	future := silent{context.Background(), time.Now().Add(time.Hour)}
	require.NoError(t, stepOn(NewBudget(future, Limits{})))
}

func TestNoBudgetBoundsNothing(t *testing.T) {
	var b *Budget
	require.NoError(t, b.Check())
	require.NoError(t, b.Step())
	require.NoError(t, b.Commit())
	require.NoError(t, b.Output(1))
}

func BenchmarkBudgetStep(b *testing.B) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	budget := NewBudget(ctx, Limits{})
	for b.Loop() {
		_ = budget.Step()
	}
}
