//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !wasip1 && !js && !windows

package sandbox

import (
	"errors"
)

// isReadOnlyFS cannot tell here.
func isReadOnlyFS(error) bool { return false }

var errIsDir = errors.New("is a directory")
