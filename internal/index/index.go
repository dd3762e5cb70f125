package index

import (
	"errors"

	"github.com/go-git/go-git/v5/plumbing"
)

// Modes of an entry, as the index format document lists them.
const (
	ModeFile       = 0o100644
	ModeExecutable = 0o100755
	ModeSymlink    = 0o120000
	ModeGitlink    = 0o160000
	ModeDir        = 0o040000 // a sparse directory
	modeTypeMask   = 0o170000
)

// Time is a time stamp as the index keeps it: seconds and nanoseconds, each cut to 32 bits.
type Time struct{ Sec, Nsec uint32 }

// Before reports whether t is earlier than other.
func (t Time) Before(other Time) bool {
	return t.Sec < other.Sec || t.Sec == other.Sec && t.Nsec < other.Nsec
}

// Entry is one path of the index in one stage.
type Entry struct {
	CTime, MTime                Time
	Dev, Ino, UID, GID, Size    uint32
	Mode                        uint32
	ID                          plumbing.Hash
	Stage                       uint8
	AssumeValid, SkipWorktree   bool
	IntentToAdd, FSMonitorValid bool
	Name                        string // below the top of the work tree; a sparse directory ends in a slash
}

// IsSparseDir reports whether the entry stands for a whole directory outside the sparse checkout.
func (e *Entry) IsSparseDir() bool { return e.Mode&modeTypeMask == ModeDir }

// Options of Parse; the zero value verifies the checksum and refuses a split index.
type Options struct {
	// MTime is the index file's own modification time, for Racy.
	MTime Time
	// SkipChecksum leaves the trailing checksum unverified.
	SkipChecksum bool
	// Shared reads the file sharedindex.<id> beside the index; nil refuses a split index.
	Shared func(id plumbing.Hash) ([]byte, error)
}

// Index is a parsed index, sorted by name and stage as in the file.
type Index struct {
	Version     uint32
	Entries     []Entry
	CacheTree   *CacheTree
	ResolveUndo []ResolveUndo
	Untracked   []byte        // the UNTR extension, raw
	FSMonitor   []byte        // the FSMN extension, raw
	SplitBase   plumbing.Hash // id of the shared index, zero when the index is whole
	Sparse      bool          // the sdir extension: entries may be sparse directories
	Checksum    plumbing.Hash // as read; zero under index.skipHash
	MTime       Time
}

// CacheTree is a directory of the TREE extension.
type CacheTree struct {
	Name     string // one path component; "" for the top
	Entries  int    // index entries covered, -1 when invalid
	ID       plumbing.Hash
	Children []*CacheTree
}

// ResolveUndo is one path of the REUC extension: its stages before the conflict was resolved.
type ResolveUndo struct {
	Name  string
	Modes [3]uint32
	IDs   [3]plumbing.Hash
}

// Parse reads an index.
func Parse(data []byte, opts Options) (*Index, error) {
	return nil, errors.New("index: not built yet")
}

// Find returns the position of name in that stage, or where it would be inserted.
func (x *Index) Find(name string, stage uint8) (int, bool) { return 0, false }

// DirRange returns the half-open range of the entries below dir ("" is everything).
func (x *Index) DirRange(dir string) (from, to int) { return 0, 0 }
