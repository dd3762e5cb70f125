package reader

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/pathspec"
)

// Side is one of the states of the files that Changes compares: Tree(id),
// IndexSide, WorkTreeSide or Empty.
type Side interface{ side() }

// Tree is the side of a tree object, by its id.
type Tree plumbing.Hash

type fixedSide int

const (
	// Empty is the side without any file: what precedes a root commit.
	Empty fixedSide = iota
	// IndexSide is the content of the index, intent-to-add entries left out.
	IndexSide
	// WorkTreeSide is the content of the tracked files of the work tree.
	WorkTreeSide
)

func (Tree) side()      {}
func (fixedSide) side() {}

// Kind says how a path changed; its values are the letters of git-diff(1),
// option --diff-filter. The zero value means unchanged.
type Kind byte

// The kinds of a change.
const (
	Unchanged   Kind = 0
	Added       Kind = 'A'
	Copied      Kind = 'C'
	Deleted     Kind = 'D'
	Modified    Kind = 'M'
	Renamed     Kind = 'R'
	TypeChanged Kind = 'T'
	Unmerged    Kind = 'U'
)

// Entry is one side of a change.
type Entry struct {
	Path    string        // slash separated, relative to the top of the work tree
	Mode    uint32        // git's mode, as 0100644; 0 when this side lacks the path
	ID      plumbing.Hash // of the blob, link text or submodule commit
	IDKnown bool          // false for work tree content that was not hashed

	content *[]byte // of a work tree file, when it was read and kept
}

// Present reports whether the side has the path.
func (e Entry) Present() bool { return e.Mode != 0 }

// Change is one path that differs between two sides, or with Renamed and
// Copied a pair of paths.
//
// An unmerged path gives a change of kind Unmerged, whose Stages hold the
// common ancestor's, our and their entry and whose New has the mode of the
// work tree file, if compared. Between index and work tree a second change
// follows for the same path when our entry differs from the file, as in
// git diff --name-status.
type Change struct {
	Old, New Entry
	Kind     Kind
	Score    int // similarity of Renamed and Copied, 0 to 60000

	Stages    [3]Entry       // of Unmerged: stages 1, 2, 3
	Submodule SubmoduleState // of a submodule's work tree
}

// SubmoduleState says in which ways a submodule's work tree differs from the
// commit that the index names.
type SubmoduleState struct {
	Commits   bool // another commit is checked out
	Modified  bool // tracked files of it are changed
	Untracked bool // it holds untracked files
}

// dirty reports changes inside the submodule.
func (s SubmoduleState) dirty() bool { return s.Modified || s.Untracked }

// SubmoduleIgnore is the value of diff.ignoreSubmodules, submodule.NAME.ignore
// and the option --ignore-submodules.
type SubmoduleIgnore string

// What to ignore in submodules; the zero value leaves it to the configuration.
const (
	IgnoreNone      SubmoduleIgnore = "none"
	IgnoreUntracked SubmoduleIgnore = "untracked"
	IgnoreDirty     SubmoduleIgnore = "dirty"
	IgnoreAll       SubmoduleIgnore = "all"
)

// ChangeOptions selects and refines what Changes yields. The zero value
// compares all paths and pairs no renames.
type ChangeOptions struct {
	Paths *pathspec.Spec // nil: all
	Below string         // only paths that begin with it, as "a/b/"; renames are looked for among them

	Renames     bool // pair deletions with additions
	Copies      bool // and modified files with additions
	CopyHarder  bool // and unmodified files with additions
	RenameLimit int  // 0: 1000; negative: no limit
	MinScore    int  // 0: 30000, half alike

	// KeepSameContent yields work tree files whose stat data says changed
	// although their content does not differ, as git status and
	// git diff-files do but git diff does not.
	KeepSameContent bool

	// Cleaner is what the caller is going to read the work tree's contents
	// with (SideReader): what is read to compare them is shared with it. Nil
	// when nothing is going to be read.
	Cleaner *Cleaner

	// RefuseLinkedSubmodules fails where a symbolic link stands in the place of
	// a submodule that is to be looked into, as git status and patches do.
	RefuseLinkedSubmodules bool

	// IgnoreSubmodules overrides diff.ignoreSubmodules, .gitmodules and
	// submodule.NAME.ignore.
	IgnoreSubmodules SubmoduleIgnore
	// submoduleDefault applies where nothing is configured; "" is
	// IgnoreUntracked, as for git diff.
	submoduleDefault SubmoduleIgnore
}

// Modes of entries that a work tree can have.
const (
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeSymlink    = 0o120000
	modeGitlink    = 0o160000
	modeDir        = 0o040000
	modeTypeMask   = 0o170000
)
