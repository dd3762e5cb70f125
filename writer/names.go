package writer

import (
	"strings"
	"unicode"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
)

// pathRules refuses names that some platform would take for the git directory, or for more than a name: what
// core.protectNTFS and core.protectHFS ask for (git-config(1)).
type pathRules struct{ ntfs, hfs bool }

func newPathRules(config *gitconfig.Config) (pathRules, error) {
	ntfs, err := config.Bool("core.protectNTFS", true)
	if err != nil {
		return pathRules{}, err
	}
	hfs, err := config.Bool("core.protectHFS", false)
	return pathRules{ntfs, hfs}, err
}

// check returns an *index.InvalidPathError for a path that may be neither in the index nor in the work tree.
func (r pathRules) check(path string, mode uint32) error {
	if !index.ValidPath(path) || strings.ContainsRune(path, 0) {
		return &index.InvalidPathError{Name: path}
	}
	link := mode == index.ModeSymlink
	for part := range strings.SplitSeq(path, "/") {
		if r.trap(part, link) {
			return &index.InvalidPathError{Name: path}
		}
	}
	return nil
}

// trap reports whether a component means .git to some file system, or .gitmodules when that would be a link.
func (r pathRules) trap(part string, link bool) bool {
	if link && strings.EqualFold(part, ".gitmodules") {
		return true
	}
	if r.hfs {
		if plain := withoutIgnorable(part); plain == ".git" || link && plain == ".gitmodules" {
			return true
		}
	}
	if !r.ntfs {
		return false
	}
	for rest := part; ; {
		name, after, more := strings.Cut(rest, `\`)
		if ntfsGit(name) || link && ntfsGitmodules(name) {
			return true
		}
		if !more {
			return false
		}
		rest = after
	}
}

// withoutIgnorable returns a name as HFS+ compares it: without the code points that it ignores, in lower case.
func withoutIgnorable(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// ntfsBase returns a name as NTFS finds it: without a stream's name, and without dots and spaces at its end.
func ntfsBase(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return strings.ToLower(strings.TrimRight(name, ". "))
}

func ntfsGit(name string) bool {
	base := ntfsBase(name)
	return base == ".git" || base == "git~1"
}

// ntfsGitmodules also knows the short names that NTFS makes up for .gitmodules.
func ntfsGitmodules(name string) bool {
	base := ntfsBase(name)
	if base == ".gitmodules" {
		return true
	}
	stem, digits, ok := strings.Cut(base, "~")
	if !ok || len(stem)+1+len(digits) != len("gitmod~1") || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	return stem == "gitmod" && digits[0] >= '1' && digits[0] <= '4' || strings.HasPrefix("gi7eba", stem) && digits[0] != '0'
}
