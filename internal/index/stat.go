package index

// Stat is what a file system says about a file, cut to the index's 32 bits where it has only those.
type Stat struct {
	CTime, MTime       Time
	Ino, UID, GID      uint32
	Size               uint32
	Regular, Exec      bool // Exec: the owner's x bit
	Symlink, Directory bool
}

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
func (e *Entry) MatchStat(st *Stat, opts StatOptions) Change {
	var change Change
	switch e.Mode & modeType {
	case ModeGitlink:
		if !st.Directory {
			return TypeChanged
		}
		return 0
	case ModeSymlink:
		if !st.Symlink && !(opts.FakedSymlinks && st.Regular) {
			change = TypeChanged
		}
	default:
		if !st.Regular {
			change = TypeChanged
		} else if !opts.IgnoreExec && st.Exec != (e.Mode&0o100 != 0) {
			change = ModeChanged
		}
	}
	if e.statDiffers(st, opts) || e.Size == 0 && e.ID != emptyBlob {
		change |= DataChanged
	}
	return change
}

// statDiffers follows the fields that git compares in its usual builds.
func (e *Entry) statDiffers(st *Stat, opts StatOptions) bool {
	if e.MTime.Sec != st.MTime.Sec || e.Size != st.Size {
		return true
	}
	if opts.MinimalStat {
		return false
	}
	return !opts.IgnoreCTime && e.CTime.Sec != st.CTime.Sec || e.UID != st.UID || e.GID != st.GID || e.Ino != st.Ino
}

// Racy reports whether the file may have been changed after the entry was written without its stat data showing it,
// because the index is no younger than the file. Such an entry's content has to be compared (git's "racy git" document).
func (x *Index) Racy(e *Entry) bool {
	return x.MTime.Sec != 0 && x.MTime.Sec <= e.MTime.Sec && !e.IsGitlink()
}
