//go:build darwin || freebsd || netbsd || openbsd

package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// openSearchOnly would open a directory that may be passed through but not read; these systems have
// no common way.
func openSearchOnly(int, string) (int, error) { return -1, unix.EACCES }

// chmodUnreadable has no way either that follows no link.
func chmodUnreadable(int, string, uint32) error { return unix.EACCES }

// readDir leaves the system's record formats to the os package, and asks for types itself: the package
// would ask by path.
func (d *unixDir) readDir() ([]Entry, error) {
	fd, err := openat(d.at(), ".", dirFlags, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(names))
	for _, name := range names {
		st, err := d.lstat(name)
		if err != nil {
			continue // it is gone
		}
		entries = append(entries, Entry{Name: name, Type: st.Mode.Type()})
	}
	return entries, nil
}

func isLocal(int) bool { return false }

func (d *unixDir) openChild(name string) (fd int, local bool, err error) {
	fd, err = openat(d.at(), name, dirFlags, 0)
	return fd, false, err
}
