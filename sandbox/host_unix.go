//go:build linux || darwin || freebsd || netbsd || openbsd

package sandbox

import (
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

const (
	dirFlags  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fileFlags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY
)

// unixDir is a directory by its descriptor, -1 once it is closed.
type unixDir struct {
	fd      atomic.Int32
	reading sync.Mutex // guards the descriptor's position
	read    bool       // the position is not at the beginning
	local   bool       // looking names up does not wait for another machine
}

func newUnixDir(fd int) *unixDir {
	d := &unixDir{}
	d.fd.Store(int32(fd))
	return d
}

func openHost(path string) (handle, error) {
	fd, err := openat(unix.AT_FDCWD, path, dirFlags, 0)
	if err != nil {
		return nil, err
	}
	d := newUnixDir(fd)
	d.local = isLocal(fd)
	return d, nil
}

// openat is openat(2), begun again when a signal interrupts it.
func openat(dir int, name string, flags int, perm uint32) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, flags, perm)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func (d *unixDir) at() int { return int(d.fd.Load()) }

func (d *unixDir) close() error {
	fd := d.fd.Swap(-1)
	if fd < 0 {
		return os.ErrClosed
	}
	return unix.Close(int(fd))
}

func (d *unixDir) reopen() (handle, error) {
	fd, err := openat(d.at(), ".", dirFlags, 0)
	if err == unix.EACCES {
		fd, err = openSearchOnly(d.at(), ".")
	}
	if err != nil {
		return nil, err
	}
	again := newUnixDir(fd)
	again.local = d.local
	return again, nil
}

func (d *unixDir) openDir(name string) (handle, error) {
	fd, local, err := d.openChild(name)
	if err == unix.EACCES {
		fd, err = openSearchOnly(d.at(), name)
	}
	if err != nil {
		return nil, d.kindError(name, err, ErrNotDir)
	}
	child := newUnixDir(fd)
	child.local = local
	return child, nil
}

// kindError says what stands in the way where the host's error is vague: systems differ in the
// error for a link that is opened without following.
func (d *unixDir) kindError(name string, err, wrongKind error) error {
	switch err {
	case unix.ENOTDIR, unix.ELOOP, unix.EMLINK, unix.EFTYPE, unix.ENXIO:
	default:
		return err
	}
	st, statErr := d.lstat(name)
	switch {
	case statErr != nil:
		return err
	case st.IsSymlink():
		return ErrSymlink
	}
	return wrongKind
}

func (d *unixDir) self() (Stat, error) {
	var st unix.Stat_t
	if err := unix.Fstat(d.at(), &st); err != nil {
		return Stat{}, err
	}
	return statOf(&st), nil
}

func (d *unixDir) readlink(name string) (string, error) {
	for size := 256; ; size *= 2 {
		buf := make([]byte, size)
		n, err := unix.Readlinkat(d.at(), name, buf)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return "", err
		case n < size:
			return string(buf[:n]), nil
		}
	}
}

func (d *unixDir) openFile(name string) (fileHandle, Stat, error) {
	fd, err := openat(d.at(), name, fileFlags, 0)
	if err != nil {
		return nil, Stat{}, d.kindError(name, err, ErrNotRegular)
	}
	return newUnixFile(fd)
}

// newUnixFile takes an open descriptor, or closes it when it is no regular file.
func newUnixFile(fd int) (fileHandle, Stat, error) {
	f := &unixFile{}
	f.fd.Store(int32(fd))
	st, err := f.stat()
	if err == nil && !st.IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		f.Close()
		return nil, Stat{}, err
	}
	return f, st, nil
}

func (d *unixDir) create(name string, perm fs.FileMode) (fileHandle, error) {
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := openat(d.at(), name, flags, permBits(perm))
	if err != nil {
		return nil, err
	}
	f := &unixFile{}
	f.fd.Store(int32(fd))
	return f, nil
}

func (d *unixDir) openAppend(name string, perm fs.FileMode) (fileHandle, error) {
	const flags = unix.O_WRONLY | unix.O_APPEND | unix.O_CREAT | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	fd, err := openat(d.at(), name, flags, permBits(perm))
	if err != nil {
		return nil, d.kindError(name, err, ErrNotRegular)
	}
	f, _, err := newUnixFile(fd)
	return f, err
}

func (d *unixDir) rename(old string, to handle, new string) error {
	return unix.Renameat(d.at(), old, to.(*unixDir).at(), new)
}

func (d *unixDir) remove(name string) error { return unix.Unlinkat(d.at(), name, 0) }

func (d *unixDir) rmdir(name string) error { return unix.Unlinkat(d.at(), name, unix.AT_REMOVEDIR) }

func (d *unixDir) mkdir(name string, perm fs.FileMode) error {
	return unix.Mkdirat(d.at(), name, permBits(perm))
}

func (d *unixDir) symlink(target, name string) error { return unix.Symlinkat(target, d.at(), name) }

// chmod goes through an open descriptor, as not every system can change a mode without following
// links. A file that its mode keeps from being read is opened for its place only.
func (d *unixDir) chmod(name string, perm fs.FileMode) error {
	fd, err := openat(d.at(), name, fileFlags, 0)
	if err == unix.EACCES {
		return chmodUnreadable(d.at(), name, permBits(perm))
	}
	if err != nil {
		return d.kindError(name, err, ErrNotRegular)
	}
	defer unix.Close(fd)
	return unix.Fchmod(fd, permBits(perm))
}

func (d *unixDir) sync() error { return unix.Fsync(d.at()) }

// unixFile is a regular file by its descriptor, -1 once it is closed.
type unixFile struct{ fd atomic.Int32 }

func (f *unixFile) at() int { return int(f.fd.Load()) }

// maxIO bounds one read or write: some systems refuse two gigabytes and more.
const maxIO = 1 << 30

func (f *unixFile) Read(p []byte) (int, error) {
	return readWith(p, func(p []byte) (int, error) { return unix.Read(f.at(), p) })
}

func (f *unixFile) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		n, err := readWith(p[done:], func(p []byte) (int, error) {
			return unix.Pread(f.at(), p, off+int64(done))
		})
		done += n
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

func readWith(p []byte, read func([]byte) (int, error)) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	p = p[:min(len(p), maxIO)]
	for {
		n, err := read(p)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (f *unixFile) write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		n, err := unix.Write(f.at(), p[done:min(len(p), done+maxIO)])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

func (f *unixFile) sync() error { return unix.Fsync(f.at()) }

func (f *unixFile) chmod(perm fs.FileMode) error { return unix.Fchmod(f.at(), permBits(perm)) }

func (f *unixFile) stat() (Stat, error) {
	var st unix.Stat_t
	if err := unix.Fstat(f.at(), &st); err != nil {
		return Stat{}, err
	}
	return statOf(&st), nil
}

func (f *unixFile) Close() error {
	fd := f.fd.Swap(-1)
	if fd < 0 {
		return os.ErrClosed
	}
	return unix.Close(int(fd))
}

func (f *unixFile) mapping(size int64) ([]byte, func() error, error) {
	if size == 0 {
		return nil, func() error { return nil }, nil
	}
	if int64(int(size)) != size {
		return nil, nil, unix.EFBIG
	}
	data, err := unix.Mmap(f.at(), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return unix.Munmap(data) }, nil
}

func permBits(perm fs.FileMode) uint32 {
	bits := uint32(perm.Perm())
	if perm&fs.ModeSetgid != 0 {
		bits |= unix.S_ISGID
	}
	return bits
}

func statOf(st *unix.Stat_t) Stat {
	return Stat{
		Mode:  fileMode(uint32(st.Mode)),
		Size:  st.Size,
		MTime: Time{int64(st.Mtim.Sec), uint32(st.Mtim.Nsec)},
		CTime: Time{int64(st.Ctim.Sec), uint32(st.Ctim.Nsec)},
		Dev:   uint64(st.Dev),
		Ino:   uint64(st.Ino),
		UID:   st.Uid,
		GID:   st.Gid,
	}
}

func fileMode(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	case unix.S_IFBLK:
		m |= fs.ModeDevice
	case unix.S_IFCHR:
		m |= fs.ModeDevice | fs.ModeCharDevice
	default:
		m |= fs.ModeIrregular
	}
	if mode&unix.S_ISUID != 0 {
		m |= fs.ModeSetuid
	}
	if mode&unix.S_ISGID != 0 {
		m |= fs.ModeSetgid
	}
	if mode&unix.S_ISVTX != 0 {
		m |= fs.ModeSticky
	}
	return m
}

// isReadOnlyFS says whether a writing call failed because the file system is read-only.
func isReadOnlyFS(err error) bool { return err == unix.EROFS }

const errIsDir = unix.EISDIR
