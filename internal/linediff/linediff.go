package linediff

// Algorithm chooses how lines are matched. The zero value is git's default.
type Algorithm uint8

// The algorithms of diff.algorithm in git-config(1).
const (
	Myers     Algorithm = iota // greedy, with git's cut-offs on costly inputs
	Minimal                    // Myers without the cut-offs
	Patience                   // longest increasing sequence of lines unique on both sides
	Histogram                  // patience, extended to rare lines
)

// Whitespace relaxes when two lines are equal. Flags can be combined; All
// covers Change, which covers EOL, which covers CRAtEOL.
type Whitespace uint8

// The whitespace options of git-diff(1).
const (
	IgnoreAll     Whitespace = 1 << iota // --ignore-all-space
	IgnoreChange                         // --ignore-space-change
	IgnoreEOL                            // --ignore-space-at-eol
	IgnoreCRAtEOL                        // --ignore-cr-at-eol
)

// Options of a diff. The zero value is git's default behaviour.
type Options struct {
	Algorithm         Algorithm
	Whitespace        Whitespace
	NoIndentHeuristic bool // diff.indentHeuristic=false

	// ZeroContext must be set when the changes are shown or used without
	// context lines (-U0, blame): git then cuts the common tail first,
	// which can lead to other changes.
	ZeroContext bool

	// Stop is asked now and then whether to give up; nil never does. Diff
	// then returns no changes, which says nothing about the texts.
	Stop func() bool
}

// Change replaces OldCount lines from OldStart by NewCount lines from
// NewStart. Lines count from 0; one of the counts may be 0.
type Change struct {
	OldStart, OldCount, NewStart, NewCount int
}

// Diff returns the changes that turn old into new, in order and compacted as
// git compacts them.
func Diff(old, new []byte, opts Options) []Change {
	var d Differ
	return d.Diff(old, new, opts)
}
