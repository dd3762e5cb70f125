package reader

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/pathspec"
)

// UntrackedMode is how Status treats untracked files (git-status(1),
// --untracked-files).
type UntrackedMode string

// The zero value of UntrackedMode takes status.showUntrackedFiles.
const (
	UntrackedNo     UntrackedMode = "no"
	UntrackedNormal UntrackedMode = "normal"
	UntrackedAll    UntrackedMode = "all"
)

// IgnoredMode is how Status treats ignored files (git-status(1), --ignored).
type IgnoredMode string

// The zero value of IgnoredMode is IgnoredNo.
const (
	IgnoredNo          IgnoredMode = "no"
	IgnoredTraditional IgnoredMode = "traditional"
	IgnoredMatching    IgnoredMode = "matching"
)

// StatusOptions selects what Status looks at; the zero value is git status
// without options.
type StatusOptions struct {
	Paths     *pathspec.Spec // nil: all
	Untracked UntrackedMode
	Ignored   IgnoredMode

	IgnoreSubmodules SubmoduleIgnore
	// NoBranch leaves the upstream of the branch alone: Branch.Upstream,
	// Ahead and Behind stay empty.
	NoBranch bool
	// QuickBranch honours status.aheadBehind, as the formats for people do:
	// when it is false, Branch.Ahead and Behind are not counted.
	QuickBranch bool
	// Operation asks for Status.Operation and Sparse, which only the long
	// format shows.
	Operation bool
}

// Status is the state of the work tree and the index, as git status shows it.
type Status struct {
	Branch    StatusBranch
	Entries   []StatusEntry // tracked paths that differ, sorted by Path
	Untracked []string      // sorted; a directory as a whole ends in a slash
	Ignored   []string      // sorted, likewise

	Prefix    string        // of the directory that the repository was opened in
	Mode      UntrackedMode // the mode that was in force
	Operation Operation     // with StatusOptions.Operation
	Stashes   int           // entries of the stash, if status.showStash wants them shown
	Sparse    Sparseness    // with StatusOptions.Operation
}

// Clean reports whether nothing tracked differs.
func (s *Status) Clean() bool { return len(s.Entries) == 0 }

// StatusBranch is the head of a status.
type StatusBranch struct {
	ID       plumbing.Hash // HEAD's commit, zero when Unborn
	Name     string        // of the branch below refs/heads/, "" when Detached
	Detached bool
	Unborn   bool // no commit yet

	UpstreamRef   string // full name, "" without upstream
	Upstream      string // as short as is unambiguous
	Gone          bool   // the upstream is configured but does not exist
	Ahead, Behind int    // commits on one side only
	// Compared is false when Ahead and Behind were not counted
	// (status.aheadBehind=false) although the commits differ.
	Compared bool
}

// StatusEntry is a tracked path whose HEAD, index and work tree differ.
type StatusEntry struct {
	Path    string
	OldPath string // of a renamed or copied path, else ""
	// Index is the change from HEAD to the index, WorkTree from the index to
	// the work tree.
	Index, WorkTree Kind
	RenameKind      Kind // Renamed or Copied when OldPath is set
	Score           int  // similarity in percent, when OldPath is set

	HeadMode, IndexMode, WorkTreeMode uint32
	HeadID, IndexID                   plumbing.Hash
	Submodule                         SubmoduleState

	// Conflict says which stages an unmerged path has: bit 0 the common
	// ancestor's, bit 1 ours, bit 2 theirs. Stages holds them.
	Conflict uint8
	Stages   [3]Entry
}

// IsSubmodule reports whether the path is a submodule on any side.
func (e *StatusEntry) IsSubmodule() bool {
	return e.HeadMode == modeGitlink || e.IndexMode == modeGitlink || e.WorkTreeMode == modeGitlink
}

// Operation is what is under way in a work tree.
type Operation struct {
	Merge      bool
	Am         bool
	AmEmpty    bool // the patch that am stopped at is empty
	Rebase     bool // a rebase that is not interactive
	CherryPick bool
	Revert     bool
	Bisect     bool
	// Concluding is set when the next commit concludes a merge or a pick.
	Concluding bool

	Interactive *InteractiveRebase // nil when there is none

	RebaseBranch, Onto string // of a rebase; "" when HEAD was detached
	BisectStart        string // where the bisection started from
	// CherryPickID and RevertID are abbreviated; "" between two commits.
	CherryPickID, RevertID string

	DetachedFrom string // what HEAD was detached from, "" if that is not known
	DetachedAt   bool   // HEAD is still there
}

// InteractiveRebase is the state of an interactive rebase.
type InteractiveRebase struct {
	Done, Todo  []string // commands with abbreviated ids
	DoneFile    string   // where all of Done stand
	TodoMissing bool
	// Splitting is set when a commit is being split rather than edited.
	Splitting bool
	// Stopped is set when a message for the next commit is prepared.
	Stopped bool
}

// Sparseness is the state of a sparse checkout.
type Sparseness struct {
	Active  bool
	Index   bool // a sparse index, so Percent is unknown
	Percent int  // of tracked files present
}
