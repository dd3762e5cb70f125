//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package sandbox

import "errors"

func openHost(path string) (handle, error) {
	return nil, errors.New("sandbox: this host is not built yet")
}
func isReadOnlyFS(err error) bool { return false }
