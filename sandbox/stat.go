package sandbox

import "io/fs"

// Time is a file's time stamp as stat(2) tells it: seconds since 1970 and nanoseconds within them.
type Time struct {
	Sec  int64
	Nsec uint32
}

// Before says whether t is earlier than u.
func (t Time) Before(u Time) bool { return t.Sec < u.Sec || t.Sec == u.Sec && t.Nsec < u.Nsec }

// Stat is what lstat(2) tells of a file. What a host does not know is zero.
type Stat struct {
	Mode         fs.FileMode // type and permissions
	Size         int64
	MTime, CTime Time
	Dev, Ino     uint64
	UID, GID     uint32
}

// IsRegular says whether it is a regular file.
func (s *Stat) IsRegular() bool { return s.Mode.IsRegular() }

// IsDir says whether it is a directory.
func (s *Stat) IsDir() bool { return s.Mode.IsDir() }

// IsSymlink says whether it is a symbolic link.
func (s *Stat) IsSymlink() bool { return s.Mode&fs.ModeSymlink != 0 }

// Entry is a name in a directory and its type, without permissions.
type Entry struct {
	Name string
	Type fs.FileMode
}
