package sandbox

import (
	"context"
	"runtime"
	"time"
)

// stepsPerCheck is how many steps a Budget lets pass between two looks at the clock.
const stepsPerCheck = 64

// Budget bounds one operation: its context's time, and the limits on what it walks and answers. On
// wasip1 and js nothing interrupts a loop that computes, so a context's deadline never fires in
// one; a Budget compares the deadline with the clock itself, and lets other goroutines run.
//
// It belongs to one goroutine. A nil *Budget bounds nothing.
type Budget struct {
	ctx    clocked
	limits Limits

	steps   int
	commits int
	output  int64
}

// WithClock returns a context whose Err compares the deadline with the clock and lets other
// goroutines run, where nothing else would make a loop that computes notice either. On hosts that
// interrupt such loops it returns ctx itself.
func WithClock(ctx context.Context) context.Context {
	if runtime.GOARCH != "wasm" {
		return ctx
	}
	return newClocked(ctx)
}

// clocked is a context that looks at the clock itself.
type clocked struct {
	context.Context
	deadline time.Time // zero when there is none
}

func newClocked(ctx context.Context) clocked {
	deadline, _ := ctx.Deadline()
	return clocked{ctx, deadline}
}

// Err is context.Context's.
func (c clocked) Err() error {
	if runtime.GOARCH == "wasm" {
		runtime.Gosched()
	}
	if err := c.Context.Err(); err != nil {
		return err
	}
	if !c.deadline.IsZero() && !time.Now().Before(c.deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

// NewBudget returns the budget of an operation that may take until ctx is done.
func NewBudget(ctx context.Context, limits Limits) *Budget {
	return &Budget{ctx: newClocked(ctx), limits: limits.WithDefaults()}
}

// Step counts a small piece of work, some microseconds: it looks at the clock at every 64th call. It
// returns context.Canceled or context.DeadlineExceeded when the time is over.
func (b *Budget) Step() error {
	if b == nil {
		return nil
	}
	if b.steps++; b.steps%stepsPerCheck != 0 {
		return nil
	}
	return b.Check()
}

// Check looks at the clock at once. It is for pieces of work of a millisecond and more.
func (b *Budget) Check() error {
	if b == nil {
		return nil
	}
	return b.ctx.Err()
}

// Commit counts a commit that is walked, which is a step too. Beyond Limits.Commits it returns a
// *LimitError.
func (b *Budget) Commit() error {
	if b == nil {
		return nil
	}
	if b.commits++; b.commits > b.limits.Commits {
		return &LimitError{Limit: "Commits", Max: int64(b.limits.Commits)}
	}
	return b.Step()
}

// Output counts bytes that are answered, which is a step too. Beyond Limits.OutputBytes it returns a
// *LimitError.
func (b *Budget) Output(bytes int) error {
	if b == nil {
		return nil
	}
	if int64(bytes) > b.limits.OutputBytes-b.output {
		return &LimitError{Limit: "OutputBytes", Max: b.limits.OutputBytes}
	}
	b.output += int64(bytes)
	return b.Step()
}
