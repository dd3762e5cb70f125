// Package dotgit knows by which other names file systems find the files that
// mean something to git: HFS+ ignores case and some code points, NTFS ignores
// case, what stands behind a colon, and dots and spaces at the end, and makes
// up short names (git-config(1), core.protectHFS and core.protectNTFS).
package dotgit

import "strings"

// File is a file of a work tree that git reads.
type File int

// The files, and the names that NTFS makes up for them: the first letters with
// a number, and a hash where there are many.
const (
	Modules    File = iota // .gitmodules
	Attributes             // .gitattributes
	Ignore                 // .gitignore
	Mailmap                // .mailmap
)

// String returns the file's usual name.
func (f File) String() string {
	return [...]string{".gitmodules", ".gitattributes", ".gitignore", ".mailmap"}[f]
}

// hashed is how a short name of the file begins that is made of a hash.
func (f File) hashed() string {
	return [...]string{"gi7eba", "gi7d29", "gi250a", "maba30"}[f]
}

// HFS reports whether HFS+ takes a name for the file's.
func (f File) HFS(name string) bool { return folded(name) == f.String() }

// NTFS reports whether NTFS takes a name for the file's.
func (f File) NTFS(name string) bool {
	base := ntfsBase(name)
	if base == f.String() {
		return true
	}
	stem, digits, ok := strings.Cut(base, "~")
	if !ok || len(stem)+1+len(digits) != len("gitmod~1") || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	if stem == f.String()[1:7] {
		return digits[0] >= '1' && digits[0] <= '4'
	}
	return strings.HasPrefix(f.hashed(), stem) && digits[0] != '0'
}

// HFSGit reports whether HFS+ takes a name for .git.
func HFSGit(name string) bool { return folded(name) == ".git" }

// NTFSGit reports whether NTFS takes a name for .git.
func NTFSGit(name string) bool {
	base := ntfsBase(name)
	return base == ".git" || base == "git~1"
}

// folded returns a name as HFS+ compares it, as far as git cares: without the
// code points that it ignores, ASCII letters in lower case.
func folded(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 0x200c && c <= 0x200f, c >= 0x202a && c <= 0x202e, c >= 0x206a && c <= 0x206f, c == 0xfeff:
			return -1
		}
		return lower(c)
	}, name)
}

// ntfsBase returns a name as NTFS finds it.
func ntfsBase(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return strings.Map(lower, strings.TrimRight(name, ". "))
}

func lower(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
