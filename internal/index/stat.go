package index

import "github.com/ingit-dev/ingit/sandbox"

// StatOptions are the settings that change how stat data is compared; the zero value is git's default.
type StatOptions struct {
	IgnoreCTime   bool // core.trustctime=false
	MinimalStat   bool // core.checkStat=minimal
	IgnoreExec    bool // core.fileMode=false
	FakedSymlinks bool // core.symlinks=false: a link is checked out as a plain file
}

// Change says in what an entry and a file's stat data differ; zero means that they agree.
type Change uint8

const (
	// TypeChanged means another type: a link in place of a file, a directory in place of a link.
	TypeChanged Change = 1 << iota
	// ModeChanged means another execute bit.
	ModeChanged
	// DataChanged means that the content may differ and has to be looked at.
	DataChanged
)

// emptyBlob is the id of the blob without content.
var emptyBlob = [hashSize]byte{0xe6, 0x9d, 0xe2, 0x9b, 0xb2, 0xd1, 0xd6, 0x43, 0x4b, 0x8b, 0x29, 0xae, 0x77, 0x5a, 0xd8, 0xc2, 0xe4, 0x8c, 0x53, 0x91}

// MatchStat compares the entry with a file as git does: seconds but not nanoseconds, no device number.
// It looks at neither the flags nor the racy time, and takes any directory for an unchanged submodule.
func (e *Entry) MatchStat(st *sandbox.Stat, opts StatOptions) Change {
	var change Change
	switch e.Mode & modeType {
	case ModeGitlink:
		if !st.IsDir() {
			return TypeChanged
		}
		return 0
	case ModeSymlink:
		if !st.IsSymlink() && !(opts.FakedSymlinks && st.IsRegular()) {
			change = TypeChanged
		}
	default:
		if !st.IsRegular() {
			change = TypeChanged
		} else if !opts.IgnoreExec && (uint32(st.Mode)^e.Mode)&0o100 != 0 {
			change = ModeChanged
		}
	}
	if e.statDiffers(st, opts) || e.Size == 0 && e.ID != emptyBlob {
		change |= DataChanged
	}
	return change
}

// statDiffers follows the fields that git compares in its usual builds.
func (e *Entry) statDiffers(st *sandbox.Stat, opts StatOptions) bool {
	if e.MTime.Sec != uint32(st.MTime.Sec) || e.Size != uint32(st.Size) {
		return true
	}
	if opts.MinimalStat {
		return false
	}
	return !opts.IgnoreCTime && e.CTime.Sec != uint32(st.CTime.Sec) ||
		e.UID != st.UID || e.GID != st.GID || e.Ino != uint32(st.Ino)
}

// SetStat takes over a file's stat data, as is done when its content is known to be the entry's.
func (e *Entry) SetStat(st *sandbox.Stat) {
	e.CTime = Time{uint32(st.CTime.Sec), st.CTime.Nsec}
	e.MTime = Time{uint32(st.MTime.Sec), st.MTime.Nsec}
	e.Dev, e.Ino, e.UID, e.GID, e.Size = uint32(st.Dev), uint32(st.Ino), st.UID, st.GID, uint32(st.Size)
}

// Racy reports whether the file may have been changed after the entry was written without its stat data showing it,
// because the index is no younger than the file. Such an entry's content has to be compared (git's "racy git" document).
func (x *Index) Racy(e *Entry) bool {
	return x.MTime.Sec != 0 && x.MTime.Sec <= e.MTime.Sec && !e.IsGitlink()
}
