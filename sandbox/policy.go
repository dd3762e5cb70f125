package sandbox

import (
	"fmt"
	"math"
)

// Mode says how request strings are validated.
type Mode int

const (
	// Strict refuses what could be an option or a shell command, as the reference tool does.
	Strict Mode = iota
	// Literal takes values as data: there is no argument vector or shell to inject into.
	Literal
)

// Policy says what the embedder permits. The zero value reads and writes inside the workspace only,
// validates strictly and has the default limits.
type Policy struct {
	ReadOnly   bool     // refuse every write with ErrReadOnly
	Allowed    []string // absolute directories beside the workspace that may be used too
	Validation Mode
	SkipHooks  bool // commit and checkout although the repository has hooks, which are never run
	Limits     Limits
}

// Limits bound what one operation may cost. In each field 0 means the default and a negative value
// no limit.
type Limits struct {
	OutputBytes  int64 // bytes of one answer; default: no limit
	ObjectBytes  int64 // bytes of one object or file held in memory; default 1 GiB
	DeltaDepth   int   // deltas from an object of a pack to its base; default 4096 (git packs at most 4095)
	TreeDepth    int   // directories inside each other in a tree; default 2048 (git's core.maxTreeDepth)
	Commits      int   // commits walked; default 50 million
	Changes      int   // paths that differ between two trees; default 400,000
	IncludeDepth int   // config files including each other; default 10, as in git
	Alternates   int   // object stores borrowing from each other; default 5, as in git
}

// WithDefaults returns the limits to compare with: defaults filled in, and the largest number where
// there is no limit.
func (l Limits) WithDefaults() Limits {
	return Limits{
		OutputBytes:  effective(l.OutputBytes, math.MaxInt64, math.MaxInt64),
		ObjectBytes:  effective(l.ObjectBytes, 1<<30, math.MaxInt64),
		DeltaDepth:   effective(l.DeltaDepth, 4096, math.MaxInt),
		TreeDepth:    effective(l.TreeDepth, 2048, math.MaxInt),
		Commits:      effective(l.Commits, 50_000_000, math.MaxInt),
		Changes:      effective(l.Changes, 400_000, math.MaxInt),
		IncludeDepth: effective(l.IncludeDepth, 10, math.MaxInt),
		Alternates:   effective(l.Alternates, 5, math.MaxInt),
	}
}

func effective[N int | int64](value, standard, none N) N {
	switch {
	case value == 0:
		return standard
	case value < 0:
		return none
	}
	return value
}

// LimitError says that an operation was stopped because it would have exceeded a limit.
type LimitError struct {
	Limit string // the field of Limits, for example "ObjectBytes"
	Max   int64
}

// Error names the limit and its value.
func (e *LimitError) Error() string { return fmt.Sprintf("limit %s of %d exceeded", e.Limit, e.Max) }
