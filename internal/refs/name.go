package refs

import (
	"fmt"
	"strings"
)

// NameError is a name that no ref may have.
type NameError struct{ Name string }

// Error quotes the name.
func (e *NameError) Error() string { return fmt.Sprintf("'%s' is not a valid ref name", e.Name) }

// CheckName says whether name can be a ref's full name, by the rules of
// git-check-ref-format(1) with at least one slash; otherwise a *NameError.
func CheckName(name string) error {
	if !strings.Contains(name, "/") || !ValidName(name) {
		return &NameError{Name: name}
	}
	return nil
}

// ValidName applies the same rules without asking for a slash, as git does for
// HEAD and for names that a user typed.
func ValidName(name string) bool {
	if name == "" || name == "@" || name[len(name)-1] == '.' || name[len(name)-1] == '/' {
		return false
	}
	start := 0
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c <= ' ' || c == 0x7f:
			return false
		case c == '/':
			if !validComponent(name[start:i]) {
				return false
			}
			start = i + 1
		case c == '~' || c == '^' || c == ':' || c == '?' || c == '*' || c == '[' || c == '\\':
			return false
		case c == '.' && i+1 < len(name) && name[i+1] == '.':
			return false
		case c == '@' && i+1 < len(name) && name[i+1] == '{':
			return false
		}
	}
	return validComponent(name[start:])
}

func validComponent(c string) bool {
	return c != "" && c[0] != '.' && !strings.HasSuffix(c, ".lock")
}

// safe says whether a name that breaks the rules could at least never lead
// out of the ref directories; git stops at one that could.
func safe(name string) bool {
	rest, ok := strings.CutPrefix(name, "refs/")
	if !ok {
		return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	}
	for _, c := range strings.Split(rest, "/") {
		if c == "" || c == "." || c == ".." {
			return false
		}
	}
	return true
}

// IsPseudo says whether name has the form of the refs beside refs/: HEAD,
// ORIG_HEAD, MERGE_HEAD and the like.
func IsPseudo(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return name != ""
}

// PerWorktree says whether each work tree has its own ref of that name
// (git-worktree(1), "REFS").
func PerWorktree(name string) bool {
	return IsPseudo(name) ||
		strings.HasPrefix(name, "refs/worktree/") ||
		strings.HasPrefix(name, "refs/bisect/") ||
		strings.HasPrefix(name, "refs/rewritten/")
}

// place is the directory that holds a ref, and the ref's path in it.
type place struct {
	common bool   // the common directory, or else the work tree's own
	path   string // below that directory
}

// locate finds the place of a name, including other work trees' refs
// ("worktrees/NAME/HEAD", "main-worktree/HEAD").
func locate(name string) place {
	if PerWorktree(name) {
		return place{path: name}
	}
	if own, ok := strings.CutPrefix(name, "main-worktree/"); ok && PerWorktree(own) {
		return place{common: true, path: own}
	}
	return place{common: true, path: name}
}
