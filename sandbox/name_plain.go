//go:build !windows

package sandbox

// hostNames says that the host gives names a meaning beyond slashes and dots.
const hostNames = false

func hostFault(string) string       { return "" }
func singleOnHost(string) bool      { return true }
func samePath(old, new string) bool { return old == new }
