//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package sandbox

func openHost(path string) (handle, error) { return openRoot(path) }
