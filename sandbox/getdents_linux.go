//go:build linux && !amd64 && !arm64

package sandbox

import "golang.org/x/sys/unix"

// getdents is getdents64(2).
func (d *unixDir) getdents(buf []byte) (int, error) { return unix.Getdents(d.at(), buf) }
