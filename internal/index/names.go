package index

import (
	"encoding/binary"
	"math/bits"
	"runtime"
	"strings"
	"unsafe"
)

// checkNames verifies that the entries are in order and that no name escapes. Both look only at what differs
// from the name before.
func checkNames(entries []Entry) error {
	return inHalves(len(entries), func(from, to int) error {
		previous := ""
		if from > 0 {
			previous = entries[from-1].Name
		}
		for i := from; i < to; i++ {
			e := &entries[i]
			common := commonPrefix(previous, e.Name)
			if i > 0 {
				if err := checkOrder(&entries[i-1], e, common); err != nil {
					return err
				}
			}
			if !validFrom(e, common) {
				return &InvalidPathError{e.Name}
			}
			previous = e.Name
		}
		return nil
	})
}

// checkOrder reports, in git's words, a pair of neighbours that is out of order. common is the length of their common prefix.
func checkOrder(old, e *Entry, common int) error {
	if common == len(old.Name) && common == len(e.Name) {
		switch {
		case old.Stage == 0:
			return corrupt("multiple stage entries for merged file '%s'", old.Name)
		case old.Stage > e.Stage:
			return corrupt("unordered stage entries for '%s'", old.Name)
		}
		return nil
	}
	if common == len(e.Name) || common < len(old.Name) && old.Name[common] > e.Name[common] {
		return corrupt("unordered stage entries in index")
	}
	return nil
}

// commonPrefix returns how many bytes the two start with in common.
func commonPrefix(old, name string) int {
	n := min(len(old), len(name))
	i := 0
	for ; i+8 <= n; i += 8 {
		if diff := word(old, i) ^ word(name, i); diff != 0 {
			return i + bits.TrailingZeros64(diff)/8
		}
	}
	for ; i < n && old[i] == name[i]; i++ {
	}
	return i
}

// word returns eight bytes of s from i on, which must be there.
func word(s string, i int) uint64 {
	return binary.LittleEndian.Uint64(unsafe.Slice(unsafe.StringData(s), len(s))[i:])
}

// validFrom checks the components of the entry's name from the one that holds the byte at position from;
// those before it are known to be good.
func validFrom(e *Entry, from int) bool {
	name := e.Name
	if e.IsSparseDir() {
		if from == len(name) && from > 0 {
			from--
		}
		name = strings.TrimSuffix(name, "/")
	}
	start := strings.LastIndexByte(name[:min(from, len(name))], '/') + 1
	for {
		end := strings.IndexByte(name[start:], '/')
		if end < 0 {
			return ValidComponent(name[start:])
		}
		if !ValidComponent(name[start : start+end]) {
			return false
		}
		start += end + 1
	}
}

// ValidPath reports whether every component of path is valid.
func ValidPath(path string) bool { return validFrom(&Entry{Name: path}, 0) }

// ValidComponent reports whether name can be one component of a path: not empty, ".", ".." or ".git" in any case,
// without NUL, and on Windows without what that system takes for a separator or a drive.
func ValidComponent(name string) bool {
	if name == "" || name[0] == '.' && isDots(name) {
		return false
	}
	if runtime.GOOS == "windows" && strings.ContainsAny(name, `\:`) {
		return false
	}
	return strings.IndexByte(name, 0) < 0
}

func isDots(name string) bool {
	return name == "." || name == ".." || len(name) == 4 && strings.EqualFold(name, ".git")
}
