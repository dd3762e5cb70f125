package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
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

// openBeneath is openat2(2), which Linux has since 5.6: no link is followed anywhere in the name.
func (d *unixDir) openBeneath(name string, flags, resolve uint64) (int, error) {
	fd, err := unix.Openat2(d.at(), name, &unix.OpenHow{
		Flags:   flags,
		Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_BENEATH | resolve,
	})
	if err != nil && err != unix.ENOENT {
		return -1, errWalk
	}
	return fd, err
}

func (d *unixDir) openDirPath(name string) (handle, error) {
	const flags = unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC
	fd, local, err := -1, false, errWalk
	if d.local {
		fd, err = d.openBeneath(name, flags, unix.RESOLVE_NO_XDEV)
		local = err == nil
	}
	if err == errWalk {
		fd, err = d.openBeneath(name, flags, 0)
	}
	if err != nil {
		return nil, err
	}
	child := newUnixDir(fd)
	child.local = local
	return child, nil
}

func (d *unixDir) openFilePath(name string) (fileHandle, Stat, error) {
	fd, err := d.openBeneath(name, fileFlags, 0)
	if err != nil {
		return nil, Stat{}, err
	}
	return newUnixFile(fd)
}

// isLocal says that the descriptor's file system keeps its names on this machine. Calls into it
// return soon, so that they need not let the scheduler know, which costs as much as a look-up.
func isLocal(fd int) bool {
	var st unix.Statfs_t
	if unix.Fstatfs(fd, &st) != nil {
		return false
	}
	switch int64(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC,
		unix.OVERLAYFS_SUPER_MAGIC:
		return true
	}
	return false
}

// openChild opens a directory without following a link. It is local where its parent is and no
// other file system is mounted there.
func (d *unixDir) openChild(name string) (fd int, local bool, err error) {
	if d.local {
		fd, err = unix.Openat2(d.at(), name, &unix.OpenHow{Flags: dirFlags, Resolve: unix.RESOLVE_NO_XDEV})
		switch err {
		case unix.EXDEV, unix.ENOSYS, unix.EPERM, unix.EINTR, unix.EAGAIN:
		default:
			return fd, true, err
		}
	}
	fd, err = openat(d.at(), name, dirFlags, 0)
	return fd, false, err
}

// exchange is renameat2(2). A file system without the flag says that it is invalid.
func (d *unixDir) exchange(old string, to handle, new string) error {
	err := unix.Renameat2(d.at(), old, to.(*unixDir).at(), new, unix.RENAME_EXCHANGE)
	if err == unix.EINVAL || err == unix.ENOSYS {
		return errors.ErrUnsupported
	}
	return err
}

// createUnnamed opens an O_TMPFILE, which not every file system has.
func (d *unixDir) createUnnamed(perm fs.FileMode) (fileHandle, error) {
	fd, err := openat(d.at(), ".", unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, permBits(perm))
	switch err {
	case nil:
	case unix.EOPNOTSUPP, unix.EISDIR, unix.EINVAL, unix.ENOENT:
		return nil, errors.ErrUnsupported
	default:
		return nil, err
	}
	f := &unixFile{}
	f.fd.Store(int32(fd))
	return f, nil
}

// link goes through the descriptor's own entry in /proc, the only way that needs no privilege.
func (f *unixFile) link(to handle, name string) error {
	err := unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(f.at()), to.(*unixDir).at(), name, unix.AT_SYMLINK_FOLLOW)
	if err == unix.ENOENT { // no /proc
		return errors.ErrUnsupported
	}
	return err
}

// direntBuffers hold what getdents64(2) returns.
var direntBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

func (d *unixDir) readDir() ([]Entry, error) {
	entries, _, err := d.readDirUnless(-1, nil)
	return entries, err
}

// readDirUnless reads with getdents64(2) through the directory's own descriptor, whose position it
// guards.
func (d *unixDir) readDirUnless(known int, into []Entry) (entries []Entry, more bool, err error) {
	d.reading.Lock()
	defer d.reading.Unlock()
	if d.read {
		if _, err := unix.Seek(d.at(), 0, unix.SEEK_SET); err != nil {
			return nil, false, err
		}
	}
	d.read = true
	buf := direntBuffers.Get().(*[]byte)
	defer direntBuffers.Put(buf)
	if *buf, err = d.records((*buf)[:0]); err != nil {
		return nil, false, err
	}
	if countNames(*buf) == known {
		return nil, false, nil
	}
	entries, err = d.appendEntries(into, *buf)
	return entries, true, err
}

// records appends all records of the directory.
func (d *unixDir) records(buf []byte) ([]byte, error) {
	for {
		buf = slices.Grow(buf, 16<<10)
		n, err := d.getdents(buf[len(buf):cap(buf)])
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EBADF && d.at() >= 0: // opened by openSearchOnly
			return nil, unix.EACCES
		case err != nil || n <= 0:
			return buf, err
		}
		buf = buf[:len(buf)+n]
	}
}

// countNames counts the records of names that are not "." and "..", nor ".git".
func countNames(buf []byte) int {
	count := 0
	for len(buf) > direntHeader {
		name := buf[direntHeader:]
		if !(name[0] == '.' && len(name) > 4 && (name[1] == 0 || name[1] == '.' && name[2] == 0 || string(name[1:5]) == "git\x00")) {
			count++
		}
		size := binary.NativeEndian.Uint16(buf[16:])
		if size <= direntHeader || int(size) > len(buf) {
			break // appendEntries says so
		}
		buf = buf[size:]
	}
	return count
}

// direntHeader is the length of a record before its name.
const direntHeader = 19

// appendEntries reads records of struct linux_dirent64: inode, offset (8 bytes each), length of the
// record (2), type (1), name and NUL. The names are slices of one string.
func (d *unixDir) appendEntries(entries []Entry, buf []byte) ([]Entry, error) {
	text := string(buf)
	entries = slices.Grow(entries, len(buf)/32)
	for at := 0; at < len(buf); {
		record := buf[at:]
		if len(record) <= direntHeader {
			return nil, unix.EIO
		}
		size := int(binary.NativeEndian.Uint16(record[16:]))
		if size <= direntHeader || size > len(record) {
			return nil, unix.EIO
		}
		length := bytes.IndexByte(record[direntHeader:size], 0)
		if length < 0 {
			return nil, unix.EIO
		}
		name := text[at+direntHeader : at+direntHeader+length]
		at += size
		if name == "." || name == ".." {
			continue
		}
		kind, ok := direntType(record[18])
		if !ok {
			st, err := d.lstat(name)
			if err != nil {
				continue // it is gone
			}
			kind = st.Mode.Type()
		}
		entries = append(entries, Entry{Name: name, Type: kind})
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
