package sandbox

import "strings"

// checkName says why a name is not a path below a directory, or nil. It holds for whole names;
// split takes them apart.
func checkName(name string) error {
	if why := nameFault(name); why != "" {
		return &NameError{Name: name, Why: why}
	}
	return nil
}

func nameFault(name string) string {
	if name == "" {
		return "empty"
	}
	for {
		part, rest, more := strings.Cut(name, "/")
		if why := componentFault(part); why != "" {
			return why
		}
		if !more {
			return ""
		}
		name = rest
	}
}

func componentFault(part string) string {
	switch part {
	case "":
		return "empty component"
	case ".", "..":
		return "component '" + part + "'"
	}
	if strings.IndexByte(part, 0) >= 0 {
		return "NUL byte"
	}
	return hostFault(part)
}

// plainName says whether a name is a single good component, cheaply: every look-up asks.
func plainName(name string) bool {
	if strings.IndexByte(name, '/') >= 0 || strings.IndexByte(name, 0) >= 0 {
		return false
	}
	return name != "" && name != "." && name != ".." && (!hostNames || singleOnHost(name))
}

// join appends a name to an absolute path.
func join(dir, name string) string {
	if strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}
