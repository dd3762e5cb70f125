package reader

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/pathspec"
)

// LogOptions selects the commits of Log and their order (git-log(1)). The zero
// value walks from HEAD.
type LogOptions struct {
	Tips        []plumbing.Hash    // where to start, commits or tags; nil: HEAD
	Exclude     []plumbing.Hash    // these and their ancestors are left out
	ExcludeAt   []int              // for each of Exclude, how many of Tips were given before it; nil: none
	Symmetric   [][2]plumbing.Hash // pairs of Tips that came from LEFT...RIGHT
	Limit       int                // at most so many commits; 0: all
	Skip        int                // leave out so many at the start
	FirstParent bool               // follow first parents only
	Order       Order
	Reverse     bool // oldest first, after Limit has chosen

	Paths  *pathspec.Spec // only commits that change these, history simplified; nil: all
	Follow string         // one path below the top, followed through renames; not with Paths
	Flat   bool           // with Paths: each commit by its own change, history as it is

	// Lines follows ranges of lines (git-log(1), option -L); not with Paths or
	// Follow. Function returns, for a path, what tells the lines that begin a
	// function; nil, in both places, stands for git's default rule. A pickaxe
	// then only chooses, as in git, where a file may come from that is new.
	Lines    []LineRange
	Function func(path string) (func(line []byte) bool, error)

	Since, Until int64 // committer dates, seconds since 1970; 0: no bound
	Merges       Merges
	Match        MessageMatch

	Pickaxe      string // -S: the number of occurrences changes in some file
	PickaxeRegex string // -G: some added or removed line matches

	// Changes asks, with Follow or a pickaxe, for the changes of each commit
	// that are shown then: those of the followed path, with what it was renamed
	// or copied from, or those that the pickaxe picks.
	Changes bool

	// IDs says that Commit.Data is not wanted; it is nil then, unless the walk
	// had to look at it.
	IDs bool
}

// Select makes the walk one of what revisions and ranges stand for.
func (o *LogOptions) Select(s Selection) {
	o.Tips, o.Exclude, o.ExcludeAt, o.Symmetric = s.Tips, s.Exclude, s.ExcludeAt, s.Symmetric
	if o.Tips == nil {
		o.Tips = []plumbing.Hash{} // nil would be HEAD
	}
}

// LineRange is a range of lines of a file, as it is in the one tip of a walk.
type LineRange struct {
	Range string // "10,20", "/EXPRESSION/,+5", ":FUNCTION"
	Path  string // relative to the top
	Name  string // what errors call the path; "": Path
}

// Order is the order of a walk.
type Order uint8

// The orders of git-log(1), "Commit Ordering". The zero value is git's
// default: by date, as the walk meets the commits.
const (
	OrderDefault    Order = iota
	OrderDate             // no parent before its children, else by date
	OrderTopo             // lines of history together
	OrderAuthorDate       // like OrderDate, by the author's date
)

// Merges says what becomes of merge commits.
type Merges uint8

// The zero value shows merges like other commits.
const (
	MergesShown Merges = iota
	MergesOnly
	MergesNone
)

// PatternType says how the patterns of a search are read (git-config(1),
// grep.patternType).
type PatternType uint8

// The zero value takes the configured type, which is PatternBasic unless set.
const (
	PatternConfigured PatternType = iota
	PatternBasic
	PatternExtended
	PatternFixed
)

// MessageMatch selects commits by their text. Patterns of one kind are
// alternatives; the kinds must all match.
type MessageMatch struct {
	Author, Committer []string // match "Name <mail>"
	Grep              []string // match a line of the message
	Type              PatternType
	IgnoreCase        bool
	AllMatch          bool // every pattern of Grep must match
	Invert            bool // no pattern of Grep may match
}

func (m *MessageMatch) empty() bool {
	return len(m.Author) == 0 && len(m.Committer) == 0 && len(m.Grep) == 0
}

// limited says whether a walk must be computed whole before its first commit.
func (o *LogOptions) limited() bool { return len(o.Exclude) > 0 || o.Order != OrderDefault }

// judged says whether commits are chosen by the changes they make.
func (o *LogOptions) judged() bool {
	return o.Follow != "" || o.Flat || len(o.Lines) == 0 && (o.Pickaxe != "" || o.PickaxeRegex != "")
}

// showsMost says whether a walk shows most commits that it meets, as it meets
// them, so that their text is best read at once. A walk that is computed whole
// must not hold every commit's text.
func (o *LogOptions) showsMost() bool {
	return !o.limited() && !o.Reverse && o.Paths.Empty() && !o.judged()
}
