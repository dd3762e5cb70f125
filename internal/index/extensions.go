package index

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxTreeDepth bounds the nesting of a cache tree; a deeper one is taken as damaged.
const maxTreeDepth = 4096

// parseExtensions reads what follows the entries. Unknown extensions are skipped when they are optional (upper case).
func (x *Index) parseExtensions(data []byte) (*link, error) {
	var split *link
	for len(data) >= 8 {
		name, size := string(data[:4]), binary.BigEndian.Uint32(data[4:])
		if int64(size) > int64(len(data)-8) {
			return nil, corrupt("index file corrupt")
		}
		body := data[8 : 8+size]
		data = data[8+size:]
		switch name {
		case "TREE":
			x.CacheTree = parseCacheTree(body)
		case "REUC":
			x.ResolveUndo = parseResolveUndo(body)
		case "UNTR":
			x.Untracked = body
		case "FSMN":
			x.FSMonitor = body
		case "sdir":
			x.Sparse = true
		case "link":
			var err error
			if split, err = parseLink(body); err != nil {
				return nil, err
			}
		default:
			if name[0] < 'A' || name[0] > 'Z' {
				return nil, corruptError("index uses %s extension, which we do not understand", name)
			}
		}
	}
	return split, nil
}

// CacheTree is one directory of the TREE extension: the tree that its entries make, if they are unchanged since.
type CacheTree struct {
	Name     string        // one path component; "" for the top
	Entries  int           // number of index entries below; -1 when the id is not valid any more
	ID       plumbing.Hash // of the tree; zero when not valid
	Children []CacheTree
}

// Valid reports whether ID is the tree of the directory's entries.
func (t *CacheTree) Valid() bool { return t != nil && t.Entries >= 0 }

// Child returns the sub-directory of that name, nil when there is none.
func (t *CacheTree) Child(name string) *CacheTree {
	if t == nil {
		return nil
	}
	for i := range t.Children {
		if t.Children[i].Name == name {
			return &t.Children[i]
		}
	}
	return nil
}

// parseCacheTree returns nil for a damaged extension, as git does: it is only an aid.
func parseCacheTree(data []byte) *CacheTree {
	var root CacheTree
	if rest, ok := root.parse(data, 0); !ok || len(rest) != 0 || root.Name != "" {
		return nil
	}
	return &root
}

// parse reads the directory and its children: "name NUL entries SP children LF [id]".
func (t *CacheTree) parse(data []byte, depth int) (rest []byte, ok bool) {
	name, data, found := bytes.Cut(data, []byte{0})
	line, data, foundLine := bytes.Cut(data, []byte{'\n'})
	entries, children, foundSpace := bytes.Cut(line, []byte{' '})
	if !found || !foundLine || !foundSpace || depth > maxTreeDepth {
		return nil, false
	}
	count, err := strconv.ParseInt(string(children), 10, 32)
	// A child takes six bytes at least, which bounds what is allocated for a number.
	if err != nil || count < 0 || count > int64(len(data)/6) {
		return nil, false
	}
	number, err := strconv.ParseInt(string(entries), 10, 32)
	if err != nil {
		return nil, false
	}
	t.Name, t.Entries = stringOf(name), int(max(number, -1))
	if t.Entries >= 0 {
		if len(data) < hashSize {
			return nil, false
		}
		t.ID = plumbing.Hash(data[:hashSize])
		data = data[hashSize:]
	}
	if count > 0 {
		t.Children = make([]CacheTree, count)
	}
	for i := range t.Children {
		if data, ok = t.Children[i].parse(data, depth+1); !ok {
			return nil, false
		}
	}
	return data, true
}

// ResolveUndo is one path of the REUC extension: the stages that it had before its conflict was resolved.
// A mode of 0 means that the stage was absent.
type ResolveUndo struct {
	Name  string
	Modes [3]uint32
	IDs   [3]plumbing.Hash
}

// parseResolveUndo reads as many records as are whole.
func parseResolveUndo(data []byte) []ResolveUndo {
	var records []ResolveUndo
	for len(data) > 0 {
		var r ResolveUndo
		var ok bool
		if data, ok = r.parse(data); !ok {
			break
		}
		records = append(records, r)
	}
	return records
}

func (r *ResolveUndo) parse(data []byte) (rest []byte, ok bool) {
	name, data, found := bytes.Cut(data, []byte{0})
	if !found {
		return nil, false
	}
	r.Name = stringOf(name)
	for i := range r.Modes {
		var mode []byte
		mode, data, _ = bytes.Cut(data, []byte{0})
		value, err := strconv.ParseUint(string(mode), 8, 32)
		if err != nil {
			return nil, false
		}
		r.Modes[i] = uint32(value)
	}
	for i, mode := range r.Modes {
		if mode == 0 {
			continue
		}
		if len(data) < hashSize {
			return nil, false
		}
		r.IDs[i] = plumbing.Hash(data[:hashSize])
		data = data[hashSize:]
	}
	return data, true
}
