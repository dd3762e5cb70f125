//go:build linux && (amd64 || arm64)

package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// lstat is fstatat(2) called with a path on the stack: the library's call allocates one per file.
func (d *unixDir) lstat(name string) (Stat, error) {
	var buf [64]byte // cleared each time, so no longer than most names need
	if len(name) >= len(buf) {
		return d.lstatLong(name)
	}
	copy(buf[:], name)
	var st unix.Stat_t
	for {
		var errno syscall.Errno
		if d.local {
			_, _, errno = syscall.RawSyscall6(sysFstatat, uintptr(d.at()), uintptr(unsafe.Pointer(&buf)),
				uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		} else {
			_, _, errno = syscall.Syscall6(sysFstatat, uintptr(d.at()), uintptr(unsafe.Pointer(&buf)),
				uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		}
		switch errno {
		case 0:
			return statOf(&st), nil
		case unix.EINTR:
			continue
		}
		return Stat{}, errno
	}
}

func (d *unixDir) lstatLong(name string) (Stat, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.at(), name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return Stat{}, err
	}
	return statOf(&st), nil
}

// getdents is getdents64(2).
func (d *unixDir) getdents(buf []byte) (int, error) {
	if !d.local {
		return unix.Getdents(d.at(), buf)
	}
	n, _, errno := syscall.RawSyscall(unix.SYS_GETDENTS64, uintptr(d.at()), uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
