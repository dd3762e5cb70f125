package index

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// UntrackedCache is the UNTR extension: which untracked names git found in each directory, and what shows that nothing
// has changed there since (gitformat-index(5), "Untracked cache").
type UntrackedCache struct {
	Ident         string        // the work tree and system that it is for, up to the first NUL
	InfoExclude   plumbing.Hash // of info/exclude as it was, see UntrackedDir.ExcludeID
	ExcludesFile  plumbing.Hash // of core.excludesFile
	Flags         uint32        // how untracked directories were looked at: UntrackedAsDirs, or 0 for file by file
	ExcludePerDir string        // the name of the ignore files
	Root          *UntrackedDir // nil when nothing is known yet
}

// UntrackedAsDirs are the Flags of a cache that shows an untracked directory by its name, and an empty one not at all.
const UntrackedAsDirs = 1<<1 | 1<<2

// UntrackedDir is one directory of an untracked cache.
type UntrackedDir struct {
	Name      string // one path component; "" for the top
	Names     []string
	Dirs      []UntrackedDir // that git looks into, sorted by name unless the cache is damaged
	Valid     bool           // Stat and Names are known
	CheckOnly bool           // looked at only for whether there is anything untracked

	CTime, MTime        Time
	Ino, UID, GID, Size uint32
	// ExcludeID identifies the directory's ignore file: the id that the index has for it while it is unchanged, else that of
	// a blob of its content and one more LF; zero when there is none.
	ExcludeID plumbing.Hash

	unsorted bool // Dirs are out of order
}

// Lists returns the sub-directory of that name that is among Dirs. While they are sorted it is the same as Child: out of
// order, git looks into a directory without finding what it knows of it.
func (d *UntrackedDir) Lists(name string) *UntrackedDir {
	if !d.unsorted {
		return d.Child(name)
	}
	for i := range d.Dirs {
		if d.Dirs[i].Name == name {
			return &d.Dirs[i]
		}
	}
	return nil
}

// Child returns the sub-directory of that name, nil when git would find none.
func (d *UntrackedDir) Child(name string) *UntrackedDir {
	if d == nil {
		return nil
	}
	for first, last := 0, len(d.Dirs); first < last; {
		middle := int(uint(first+last) / 2)
		switch c := strings.Compare(name, d.Dirs[middle].Name); {
		case c == 0:
			return &d.Dirs[middle]
		case c < 0:
			last = middle
		default:
			first = middle + 1
		}
	}
	return nil
}

const (
	untrackedStat = 36 // bytes of a file's stat data
	untrackedHead = 2*untrackedStat + 4 + 2*hashSize
)

// UntrackedCache decodes the untracked cache; nil when there is none or it is damaged, which git takes for the same.
func (x *Index) UntrackedCache() *UntrackedCache {
	data := x.Untracked
	if len(data) <= 1 || data[len(data)-1] != 0 {
		return nil
	}
	data = data[:len(data)-1]
	size, n := varint(data)
	if n == 0 || size > uint64(len(data)-n) {
		return nil
	}
	ident, rest := data[n:n+int(size)], data[n+int(size):]
	if len(rest) < untrackedHead+1 {
		return nil
	}
	ident, _, _ = bytes.Cut(ident, []byte{0})
	c := &UntrackedCache{Ident: stringOf(ident), Flags: binary.BigEndian.Uint32(rest[2*untrackedStat:])}
	copy(c.InfoExclude[:], rest[untrackedHead-2*hashSize:])
	copy(c.ExcludesFile[:], rest[untrackedHead-hashSize:])
	name, rest, found := bytes.Cut(rest[untrackedHead:], []byte{0})
	c.ExcludePerDir = stringOf(name)
	if !found {
		return nil
	}
	if len(rest) == 0 {
		return c
	}
	count, n := varint(rest)
	if n == 0 || count == 0 && n != len(rest) {
		return nil
	}
	if count > 0 && !c.parseDirs(rest[n:], count) {
		return nil
	}
	return c
}

// parseDirs reads the directories: first the names of all, then which of them have what, then stat data and ids.
func (c *UntrackedCache) parseDirs(data []byte, count uint64) bool {
	if count > uint64(len(data)/3) {
		return false
	}
	room := make([]UntrackedDir, count)
	p := untrackedParser{data: data, room: room[1:], dirs: make([]*UntrackedDir, 0, count)}
	c.Root = &room[0]
	if !p.dir(c.Root, 0) || uint64(len(p.dirs)) != count {
		return false
	}
	var bitmaps [3]bitmap // of the directories that are valid, are only checked, and have an ignore file
	for i := range bitmaps {
		var ok bool
		if bitmaps[i], p.data, ok = parseBitmap(p.data); !ok {
			return false
		}
	}
	return p.each(bitmaps[1], func(d *UntrackedDir) bool { d.CheckOnly = true; return true }) &&
		p.each(bitmaps[0], p.stat) && p.each(bitmaps[2], p.excludeID) && len(p.data) == 0
}

// untrackedParser holds what is left of the data and of the room for directories, and these in their order.
type untrackedParser struct {
	data []byte
	room []UntrackedDir
	dirs []*UntrackedDir
}

// dir reads a directory's names and then its sub-directories.
func (p *untrackedParser) dir(d *UntrackedDir, depth int) bool {
	names, ok := p.number()
	dirs, okay := p.number()
	if !ok || !okay || dirs > len(p.room) || depth > maxTreeDepth {
		return false
	}
	if d.Name, ok = p.text(); !ok {
		return false
	}
	d.Dirs, p.room = p.room[:dirs:dirs], p.room[dirs:]
	for range names {
		name, ok := p.text()
		if !ok {
			return false
		}
		d.Names = append(d.Names, name)
	}
	p.dirs = append(p.dirs, d)
	for i := range d.Dirs {
		if !p.dir(&d.Dirs[i], depth+1) {
			return false
		}
		d.unsorted = d.unsorted || i > 0 && d.Dirs[i-1].Name > d.Dirs[i].Name
	}
	return true
}

// number reads how many items follow, which take a byte each at least.
func (p *untrackedParser) number() (int, bool) {
	value, n := varint(p.data)
	p.data = p.data[n:]
	return int(value), n > 0 && value <= uint64(len(p.data))
}

func (p *untrackedParser) text() (string, bool) {
	text, rest, found := bytes.Cut(p.data, []byte{0})
	p.data = rest
	return stringOf(text), found
}

// each calls do for the directories whose bit is set, until it returns false.
func (p *untrackedParser) each(bits bitmap, do func(*UntrackedDir) bool) bool {
	for at := range bits.ones {
		if at >= len(p.dirs) || !do(p.dirs[at]) {
			return false
		}
	}
	return true
}

func (p *untrackedParser) stat(d *UntrackedDir) bool {
	if len(p.data) < untrackedStat {
		return false
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(p.data[at:]) }
	d.CTime, d.MTime = Time{word(0), word(4)}, Time{word(8), word(12)}
	d.Ino, d.UID, d.GID, d.Size = word(20), word(24), word(28), word(32)
	d.Valid, p.data = true, p.data[untrackedStat:]
	return true
}

func (p *untrackedParser) excludeID(d *UntrackedDir) bool {
	if len(p.data) < hashSize {
		return false
	}
	copy(d.ExcludeID[:], p.data)
	p.data = p.data[hashSize:]
	return true
}
