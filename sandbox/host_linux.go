package sandbox

import (
	"encoding/binary"
	"io/fs"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// openSearchOnly opens a directory that may be passed through but not read.
func openSearchOnly(dir int, name string) (int, error) {
	return openat(dir, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
}

// chmodUnreadable changes a mode through the descriptor's own entry in /proc, the only way that
// follows no link on every kernel.
func chmodUnreadable(dir int, name string, bits uint32) error {
	fd, err := openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return ErrSymlink
	}
	return unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), bits)
}

// direntBuffers hold what getdents64(2) returns.
var direntBuffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

func (d *unixDir) readDir() ([]Entry, error) {
	// Positions belong to the open file description: read through one that nobody else uses.
	fd, err := openat(d.at(), ".", dirFlags, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	buf := direntBuffers.Get().(*[32 << 10]byte)
	defer direntBuffers.Put(buf)
	var entries []Entry
	for {
		n, err := unix.Getdents(fd, buf[:])
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return entries, err
		}
		if entries, err = d.appendEntries(entries, buf[:n]); err != nil {
			return nil, err
		}
	}
}

// appendEntries reads records of struct linux_dirent64: inode, offset (8 bytes each), length of the
// record (2), type (1), name and NUL.
func (d *unixDir) appendEntries(entries []Entry, buf []byte) ([]Entry, error) {
	// One string holds all names of the buffer: a name is a slice of it.
	for len(buf) > 19 {
		size := int(binary.NativeEndian.Uint16(buf[16:]))
		if size < 20 || size > len(buf) {
			return nil, unix.EIO
		}
		name := buf[19:size]
		for i, c := range name {
			if c == 0 {
				name = name[:i]
				break
			}
		}
		kind := buf[18]
		buf = buf[size:]
		if len(name) == 1 && name[0] == '.' || len(name) == 2 && name[0] == '.' && name[1] == '.' {
			continue
		}
		e := Entry{Name: string(name)}
		var ok bool
		if e.Type, ok = direntType(kind); !ok {
			st, err := d.lstat(e.Name)
			if err != nil {
				continue // it is gone
			}
			e.Type = st.Mode.Type()
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func direntType(kind byte) (fs.FileMode, bool) {
	switch kind {
	case unix.DT_REG:
		return 0, true
	case unix.DT_DIR:
		return fs.ModeDir, true
	case unix.DT_LNK:
		return fs.ModeSymlink, true
	case unix.DT_FIFO:
		return fs.ModeNamedPipe, true
	case unix.DT_SOCK:
		return fs.ModeSocket, true
	case unix.DT_CHR:
		return fs.ModeDevice | fs.ModeCharDevice, true
	case unix.DT_BLK:
		return fs.ModeDevice, true
	}
	return 0, false
}
