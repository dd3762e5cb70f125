package index

import (
	"cmp"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Modes of an entry, as gitformat-index(5) lists them.
const (
	ModeFile       = 0o100644
	ModeExecutable = 0o100755
	ModeSymlink    = 0o120000
	ModeGitlink    = 0o160000
	ModeDir        = 0o040000 // a sparse directory

	modeType = 0o170000
)

// Time is a time stamp as the index keeps it: seconds and nanoseconds, each cut to 32 bits.
type Time struct{ Sec, Nsec uint32 }

// Entry is one path of the index in one stage.
type Entry struct {
	CTime, MTime             Time
	Dev, Ino, UID, GID, Size uint32
	Mode                     uint32
	ID                       plumbing.Hash
	Stage                    uint8 // 0, or 1 to 3 in a conflict
	AssumeValid              bool
	SkipWorktree             bool
	IntentToAdd              bool
	Name                     string // relative to the top of the work tree; a sparse directory ends in a slash
}

// IsSparseDir reports whether the entry stands for a whole directory outside the sparse checkout.
func (e *Entry) IsSparseDir() bool { return e.Mode&modeType == ModeDir }

// IsGitlink reports whether the entry is a submodule's commit.
func (e *Entry) IsGitlink() bool { return e.Mode&modeType == ModeGitlink }

// Index is a parsed index. The entries are sorted by name and stage.
type Index struct {
	Version     uint32
	Entries     []Entry
	CacheTree   *CacheTree // nil when absent or damaged
	ResolveUndo []ResolveUndo
	Untracked   []byte        // the UNTR extension as stored
	FSMonitor   []byte        // the FSMN extension as stored
	SplitBase   plumbing.Hash // id of the shared index; zero when the index is whole
	Sparse      bool          // sparse directories may occur
	Checksum    plumbing.Hash // as stored; zero under index.skipHash
	MTime       Time          // of the file, see Racy
}

// compare orders by name, then stage, as the index is sorted.
func compare(name string, stage uint8, e *Entry) int {
	if c := strings.Compare(name, e.Name); c != 0 {
		return c
	}
	return cmp.Compare(stage, e.Stage)
}

// Find returns the position of name in that stage and true, or the position where it belongs and false.
func (x *Index) Find(name string, stage uint8) (int, bool) {
	return sort.Find(len(x.Entries), func(i int) int { return compare(name, stage, &x.Entries[i]) })
}

// FindAny returns the position of the first entry of name in whatever stage, and whether there is one.
func (x *Index) FindAny(name string) (int, bool) {
	i, _ := x.Find(name, 0)
	return i, i < len(x.Entries) && x.Entries[i].Name == name
}

// DirRange returns the half-open range of the entries below dir, a path without a final slash; "" is everything.
// The sparse directory entry of dir itself is in the range.
func (x *Index) DirRange(dir string) (from, to int) {
	if dir == "" {
		return 0, len(x.Entries)
	}
	from, _ = x.Find(dir+"/", 0)
	to, _ = x.Find(dir+"0", 0) // "0" follows "/"
	return from, to
}

// HasDir reports whether some entry lies below dir.
func (x *Index) HasDir(dir string) bool {
	from, to := x.DirRange(dir)
	return from < to
}

// SparseDirOf returns the sparse directory entry that covers path, and whether there is one.
func (x *Index) SparseDirOf(path string) (*Entry, bool) {
	if !x.Sparse {
		return nil, false
	}
	for end := 0; ; end++ {
		slash := strings.IndexByte(path[end:], '/')
		if slash < 0 {
			return nil, false
		}
		end += slash
		if i, found := x.Find(path[:end+1], 0); found {
			return &x.Entries[i], true
		}
	}
}

// Unmerged reports whether any entry is in conflict.
func (x *Index) Unmerged() bool {
	for i := range x.Entries {
		if x.Entries[i].Stage != 0 {
			return true
		}
	}
	return false
}
