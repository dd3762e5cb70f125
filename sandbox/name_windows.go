package sandbox

import (
	"path/filepath"
	"strings"
)

// hostNames says that the host gives names a meaning beyond slashes and dots.
const hostNames = true

// hostFault refuses what Windows would read as another path: backslashes, streams and drives,
// device names, and the trailing dots and spaces that it drops.
func hostFault(part string) string {
	switch {
	case strings.ContainsAny(part, `\:`):
		return "backslash or colon"
	case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
		return "trailing dot or space"
	case !filepath.IsLocal(part):
		return "reserved name"
	}
	return ""
}

func singleOnHost(name string) bool {
	return !strings.ContainsAny(name, "/\x00") && componentFault(name) == ""
}

func samePath(old, new string) bool { return strings.EqualFold(old, new) }
