package object

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Modes of tree entries, as git writes them.
const (
	ModeTree       = 0o040000
	ModeFile       = 0o100644
	ModeExecutable = 0o100755
	ModeSymlink    = 0o120000
	ModeGitlink    = 0o160000

	modeType = 0o170000
)

// git's sentences about damaged trees (tree-walk.c).
var (
	ErrTreeTooShort  = errors.New("too-short tree object")
	ErrTreeMode      = errors.New("malformed mode in tree entry")
	ErrTreeEmptyName = errors.New("empty filename in tree entry")
)

// TreeEntry is one line of a tree. Name points into the tree's data.
type TreeEntry struct {
	Mode uint32 // canonical, see CanonMode
	Raw  uint32 // as it stands in the tree
	Name []byte
	ID   plumbing.Hash
}

// IsTree reports whether the entry is a directory.
func (e TreeEntry) IsTree() bool { return e.Mode == ModeTree }

// TreeIter reads the entries of a tree in the order they stand.
type TreeIter struct{ rest []byte }

// NewTreeIter returns an iterator over a tree's data.
func NewTreeIter(data []byte) TreeIter { return TreeIter{data} }

// Rest returns the data of the entries to come.
func (t *TreeIter) Rest() []byte { return t.rest }

// Next returns the next entry; false at the end. Errors are git's: a tree is
// damaged when an entry has no name, an odd mode or no room for its id.
func (t *TreeIter) Next() (TreeEntry, bool, error) {
	if len(t.rest) == 0 {
		return TreeEntry{}, false, nil
	}
	e, size, err := parseEntry(t.rest)
	if err != nil {
		t.rest = nil
		return TreeEntry{}, false, err
	}
	t.rest = t.rest[size:]
	return e, true, nil
}

const idSize = len(plumbing.Hash{})

// parseEntry reads the entry at the head of data and says how long it is.
func parseEntry(data []byte) (e TreeEntry, size int, err error) {
	// Both the shortest entry and git's trick: the byte before the last id
	// ends a name, so no search runs past the data.
	if len(data) < idSize+3 || data[len(data)-idSize-1] != 0 {
		return e, 0, ErrTreeTooShort
	}
	var n int
	switch { // nearly all entries have one of these
	case string(data[:7]) == "100644 ":
		e.Mode, n = ModeFile, 7
	case string(data[:6]) == "40000 ":
		e.Mode, n = ModeTree, 6
	case string(data[:7]) == "100755 ":
		e.Mode, n = ModeExecutable, 7
	}
	e.Raw = e.Mode
	if n == 0 {
		var ok bool
		if e.Raw, n, ok = parseMode(data); !ok {
			return e, 0, ErrTreeMode
		}
		e.Mode = CanonMode(e.Raw)
	}
	end := bytes.IndexByte(data[n:], 0)
	if end == 0 {
		return e, 0, ErrTreeEmptyName
	}
	size = n + end + 1 + idSize
	e.Name, e.ID = data[n:n+end], plumbing.Hash(data[n+end+1:size])
	return e, size, nil
}

// parseMode reads octal digits up to a space and returns the place after it.
// Like git it takes any number of digits, none too.
func parseMode(data []byte) (mode uint32, n int, ok bool) {
	if data[0] == ' ' {
		return 0, 0, false
	}
	for i, c := range data {
		if c == ' ' {
			return mode, i + 1, true
		}
		if c < '0' || c > '7' {
			return 0, 0, false
		}
		mode = mode<<3 + uint32(c-'0')
	}
	return 0, 0, false
}

// CanonMode maps a mode to one of the five that git works with: any regular
// file is 100644 or, with the owner's execute bit, 100755; what is neither
// file, link nor directory is a gitlink.
func CanonMode(mode uint32) uint32 {
	switch mode & modeType {
	case 0o100000:
		if mode&0o100 != 0 {
			return ModeExecutable
		}
		return ModeFile
	case ModeSymlink:
		return ModeSymlink
	case ModeTree:
		return ModeTree
	}
	return ModeGitlink
}

// FindEntry returns the entry called name; false when there is none. Entries
// before it are scanned, not decoded. In a tree out of order it finds what git
// finds: the search ends at the first name, no longer than name, that sorts
// after it.
func FindEntry(tree []byte, name string) (TreeEntry, bool, error) {
	for len(tree) > 0 {
		n, size, err := skipEntry(tree)
		if err != nil {
			return TreeEntry{}, false, err
		}
		entry := tree[n : size-idSize-1]
		if len(entry) > len(name) || name[0] > entry[0] {
			tree = tree[size:]
			continue
		}
		switch c := strings.Compare(name[:len(entry)], string(entry)); {
		case c < 0:
			return TreeEntry{}, false, nil
		case c == 0 && len(entry) == len(name):
			e, _, err := parseEntry(tree)
			return e, err == nil, err
		}
		tree = tree[size:]
	}
	return TreeEntry{}, false, nil
}

// skipEntry returns where the name of the entry at the head of data begins,
// and how long the entry is, with the errors of parseEntry.
func skipEntry(data []byte) (name, size int, err error) {
	switch {
	case len(data) < idSize+3 || data[len(data)-idSize-1] != 0:
		return 0, 0, ErrTreeTooShort
	case string(data[:7]) == "100644 " || string(data[:7]) == "100755 ":
		name = 7
	case string(data[:6]) == "40000 ":
		name = 6
	default:
		var ok bool
		if _, name, ok = parseMode(data); !ok {
			return 0, 0, ErrTreeMode
		}
	}
	end := bytes.IndexByte(data[name:], 0)
	if end == 0 {
		return 0, 0, ErrTreeEmptyName
	}
	return name, name + end + 1 + idSize, nil
}

// SkipEqual moves two iterators beyond the entries ahead that are equal byte
// for byte. Damaged entries stay ahead.
func SkipEqual(old, new *TreeIter) {
	if len(new.rest) <= idSize || new.rest[len(new.rest)-idSize-1] != 0 {
		return
	}
	same := commonPrefix(old.rest, new.rest)
	for {
		_, size, err := skipEntry(old.rest)
		if err != nil || size > same {
			return
		}
		old.rest, new.rest, same = old.rest[size:], new.rest[size:], same-size
	}
}

// commonPrefix returns how many bytes are equal at the heads of two slices.
func commonPrefix(x, y []byte) int {
	n := min(len(x), len(y))
	i := 0
	for i+8 <= n {
		if d := binary.LittleEndian.Uint64(x[i:]) ^ binary.LittleEndian.Uint64(y[i:]); d != 0 {
			return i + bits.TrailingZeros64(d)/8
		}
		i += 8
	}
	for i < n && x[i] == y[i] {
		i++
	}
	return i
}

// CompareNames orders two tree entries as git sorts trees: by bytes, a
// directory's name as if a slash followed it.
func CompareNames(old []byte, oldTree bool, new []byte, newTree bool) int {
	n := min(len(old), len(new))
	if c := bytes.Compare(old[:n], new[:n]); c != 0 {
		return c
	}
	return int(after(old, n, oldTree)) - int(after(new, n, newTree))
}

// after is the byte that follows the first n of a name.
func after(name []byte, n int, tree bool) byte {
	switch {
	case n < len(name):
		return name[n]
	case tree:
		return '/'
	}
	return 0
}
