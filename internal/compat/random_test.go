package compat

import (
	"fmt"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

// stepsPerSeed is how many states come of one seed, one after the other.
const stepsPerSeed = 25

// TestRandomStates compares states that seeds decide. Half of the seeds keep
// the tool open from step to step, which shows whether an open repository
// notices every change beneath it.
func TestRandomStates(t *testing.T) {
	fixtures.RequireGit(t)
	total := *states
	if testing.Short() {
		total /= 10
	}
	for i := range uint64((total + stepsPerSeed - 1) / stepsPerSeed) {
		n := *seed + i
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			walk(t, fixtures.NewRandom(t, n, knobs(n)), n%2 == 0)
		})
	}
}

// knobs are what the states of a seed may hold: of every five seeds three have
// one kind of trouble, one has none, and one has all together.
func knobs(seed uint64) fixtures.Knobs {
	all := seed%5 == 4 || *mixed
	return fixtures.Knobs{Attributes: all || seed%5 == 0, Sparse: all || seed%5 == 1, Submodules: all || seed%5 == 2}
}

// walk compares the states of one seed, up to the first difference.
func walk(t *testing.T, r *fixtures.Random, warm bool) {
	s := open(t, r.Dir)
	for range stepsPerSeed {
		r.Step()
		if !warm {
			_ = s.tool.Close()
			s = open(t, r.Dir)
		}
		if !s.check(t, r, everyState...) {
			return
		}
	}
}
