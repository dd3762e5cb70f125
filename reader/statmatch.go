package reader

import (
	"io/fs"
	"runtime"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/sandbox"
)

// fewStatFields says that the host reports no owner, inode or status change
// time that an index written by git could agree with, so that comparing them
// would only make every file look changed.
const fewStatFields = runtime.GOOS == "wasip1" || runtime.GOOS == "js"

// emptyBlob is the id of the blob without content.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// statRules decides whether an index entry's recorded stat data still fits the
// file (git-update-index(1), "Using assume unchanged bit" and core.checkStat,
// core.trustctime, core.fileMode, core.symlinks in git-config(1)). Time stamps
// are compared to the second, as git does unless built otherwise: other
// programs leave inexact nanoseconds in the index.
type statRules struct {
	allFields  bool // core.checkStat is not minimal
	trustCTime bool
	fileMode   bool
	symlinks   bool
	indexTime  uint32 // seconds of the index file's own time stamp
	emptyBlob  plumbing.Hash
}

func newStatRules(cfg *gitconfig.Config, ix *index.Index) (statRules, error) {
	rules := statRules{allFields: !fewStatFields, indexTime: ix.MTime.Sec, emptyBlob: plumbing.NewHash(emptyBlob)}
	for _, setting := range []struct {
		key  string
		into *bool
	}{
		{"core.trustctime", &rules.trustCTime},
		{"core.filemode", &rules.fileMode},
		{"core.symlinks", &rules.symlinks},
	} {
		value, err := cfg.Bool(setting.key, true)
		if err != nil {
			return rules, err
		}
		*setting.into = value
	}
	if fewStatFields {
		rules.fileMode = false // the host's permissions are made up
	}
	if check, ok := cfg.Get("core.checkstat"); ok && strings.EqualFold(check, "minimal") {
		rules.allFields = false
	}
	return rules, nil
}

// statChange says what about a file differs from its index entry.
type statChange uint8

const (
	statTouched statChange = 1 << iota // times, owner or inode: the content may be the same
	statData
	statMode
	statType
)

// compare reports how st differs from what the entry recorded.
func (r *statRules) compare(e *index.Entry, st *sandbox.Stat) statChange {
	change := r.compareType(e, st)
	if e.MTime.Sec != uint32(st.MTime.Sec) {
		change |= statTouched
	}
	if r.allFields {
		if r.trustCTime && e.CTime.Sec != uint32(st.CTime.Sec) {
			change |= statTouched
		}
		if e.UID != st.UID || e.GID != st.GID || e.Ino != uint32(st.Ino) {
			change |= statTouched
		}
	}
	if e.Size != uint32(st.Size) || e.Size == 0 && e.ID != r.emptyBlob {
		change |= statData
	}
	return change
}

func (r *statRules) compareType(e *index.Entry, st *sandbox.Stat) statChange {
	regular := st.Mode.IsRegular()
	if e.Mode&modeTypeMask == modeSymlink {
		if st.Mode&fs.ModeSymlink != 0 || !r.symlinks && regular {
			return 0
		}
		return statType
	}
	change := statChange(0)
	if !regular {
		change |= statType
	}
	if r.fileMode && (e.Mode^uint32(st.Mode.Perm()))&0o100 != 0 {
		change |= statMode
	}
	return change
}

// racy reports that the entry is as young as the index itself, so that a later
// change of the file may have left the same stat data.
func (r *statRules) racy(e *index.Entry) bool {
	return r.indexTime != 0 && r.indexTime <= e.MTime.Sec
}

// sameDir reports that a directory is as the untracked cache saw it, and older
// than the index.
func (r *statRules) sameDir(d *index.UntrackedDir, st *sandbox.Stat) bool {
	if r.indexTime != 0 && r.indexTime <= d.MTime.Sec {
		return false
	}
	if d.MTime.Sec != uint32(st.MTime.Sec) || d.Size != uint32(st.Size) {
		return false
	}
	return !r.allFields || (!r.trustCTime || d.CTime.Sec == uint32(st.CTime.Sec)) &&
		d.UID == st.UID && d.GID == st.GID && d.Ino == uint32(st.Ino)
}

// fits reports that stat data shows the file to be as the entry has it.
func (r *statRules) fits(e *index.Entry, st *sandbox.Stat) bool {
	return r.compare(e, st) == 0 && !r.racy(e)
}

// mode returns the mode that the file has for git, given its entry: a work
// tree without links or executable bits keeps the recorded ones.
func (r *statRules) mode(e *index.Entry, st *sandbox.Stat) uint32 {
	regular := st.Mode.IsRegular()
	if !r.symlinks && regular && e.Mode == modeSymlink {
		return modeSymlink
	}
	if !r.fileMode && regular {
		if e.Mode&modeTypeMask == modeFile&modeTypeMask {
			return object.CanonMode(e.Mode)
		}
		return modeFile
	}
	return modeOf(st)
}

// modeOf returns git's mode for a file; what is neither link nor directory
// counts as a regular file.
func modeOf(st *sandbox.Stat) uint32 {
	switch {
	case st.Mode&fs.ModeSymlink != 0:
		return modeSymlink
	case st.Mode.IsDir():
		return modeGitlink
	case st.Mode.Perm()&0o100 != 0:
		return modeExecutable
	}
	return modeFile
}
