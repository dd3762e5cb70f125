//go:build (linux && !amd64 && !arm64) || darwin || freebsd || netbsd || openbsd

package sandbox

import "golang.org/x/sys/unix"

func (d *unixDir) lstat(name string) (Stat, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(d.at(), name, &st, unix.AT_SYMLINK_NOFOLLOW)
		switch err {
		case nil:
			return statOf(&st), nil
		case unix.EINTR:
			continue
		}
		return Stat{}, err
	}
}
