package reader

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

// ObjectCounts says how many objects a repository stores itself, and how
// (git-count-objects(1)). Sizes are in bytes.
type ObjectCounts struct {
	Loose         int
	LooseSize     int64 // on the disk, in whole blocks of 4096
	InPack        int   // one that is in several packs counts several times
	Packs         int
	PackSize      int64    // packs with their indexes
	PrunePackable int      // loose ones that are in a pack, too
	Garbage       int      // files that belong to no object
	GarbageSize   int64    // of these
	Alternates    []string // the stores that objects/info/alternates names
}

// CountObjects counts the objects of the repository's own store.
func (r *Repository) CountObjects(ctx context.Context) (ObjectCounts, error) {
	c := objectCounter{ctx: ctx}
	objects, err := r.CommonDir().OpenDirFollow("objects")
	if err != nil {
		return c.ObjectCounts, err
	}
	defer objects.Close()
	defer c.close()
	if err := c.countPacks(objects); err != nil {
		return c.ObjectCounts, err
	}
	for first := range 256 {
		if err := c.countLoose(objects, hex.EncodeToString([]byte{byte(first)})); err != nil {
			return c.ObjectCounts, err
		}
	}
	if c.Alternates, err = alternates(objects); err != nil {
		return c.ObjectCounts, err
	}
	for _, store := range c.Alternates {
		if err := c.countGarbage(r.Workspace(), store); err != nil {
			return c.ObjectCounts, err
		}
	}
	return c.ObjectCounts, nil
}

// countGarbage counts what belongs to no pack in a store that is borrowed from:
// git counts no more there.
func (c *objectCounter) countGarbage(ws *sandbox.Workspace, store string) error {
	objects, err := ws.OpenDir(store)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer objects.Close()
	there := objectCounter{ctx: c.ctx}
	defer there.close()
	err = there.countPacks(objects)
	c.Garbage += there.Garbage
	c.GarbageSize += there.GarbageSize
	return err
}

// alternates lists the stores that are borrowed from.
func alternates(objects *sandbox.Dir) (paths []string, err error) {
	data, err := objects.ReadFile("info/alternates", maxRuleFile)
	if err != nil {
		return nil, unlessUnreadable(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if !path.IsAbs(line) {
			line = path.Join(objects.Path(), line)
		}
		paths = append(paths, path.Clean(line))
	}
	return paths, nil
}

// objectCounter gathers the counts of one store.
type objectCounter struct {
	ObjectCounts
	ctx     context.Context
	indexes []*sandbox.File
}

func (c *objectCounter) close() {
	for _, f := range c.indexes {
		f.Close()
	}
}

// packKinds are the files that a pack may have beside it.
var packKinds = []string{".bitmap", ".idx", ".keep", ".mtimes", ".pack", ".promisor", ".rev"}

func (c *objectCounter) countPacks(objects *sandbox.Dir) error {
	dir, err := objects.OpenDir("pack")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	entries, err := dir.ReadDir()
	if err != nil {
		return err
	}
	files := map[string][]string{} // by the name without the kind
	for _, e := range entries {
		kind := path.Ext(e.Name)
		switch {
		case strings.HasPrefix(e.Name, "multi-pack-index"):
		case slices.Contains(packKinds, kind):
			base := strings.TrimSuffix(e.Name, kind)
			files[base] = append(files[base], kind)
		default:
			c.garbage(dir, e.Name)
		}
	}
	for base, kinds := range files {
		if !slices.Contains(kinds, ".pack") || !slices.Contains(kinds, ".idx") {
			for _, kind := range kinds {
				c.garbage(dir, base+kind)
			}
			continue
		}
		if err := c.countPack(dir, base); err != nil {
			return err
		}
	}
	return nil
}

func (c *objectCounter) countPack(dir *sandbox.Dir, base string) error {
	pack, err := dir.Lstat(base + ".pack")
	if err != nil {
		return err
	}
	index, err := dir.Open(base + ".idx")
	if err != nil {
		return err
	}
	c.indexes = append(c.indexes, index)
	c.Packs++
	c.PackSize += pack.Size + index.Size()
	c.InPack += int(fanout(index, 255))
	return nil
}

func (c *objectCounter) garbage(dir *sandbox.Dir, name string) {
	c.Garbage++
	if st, err := dir.Lstat(name); err == nil {
		c.GarbageSize += st.Size
	}
}

// blockSize is what file systems give files in.
const blockSize = 4096

func (c *objectCounter) countLoose(objects *sandbox.Dir, folder string) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	dir, err := objects.OpenDir(folder)
	if err != nil {
		return unlessUnreadable(err)
	}
	defer dir.Close()
	entries, err := dir.ReadDir()
	if err != nil {
		return err
	}
	for _, e := range entries {
		id, err := hex.DecodeString(folder + e.Name)
		st, statErr := dir.Lstat(e.Name)
		if err != nil || len(id) != 20 || statErr != nil || !st.IsRegular() {
			c.garbage(dir, e.Name)
			continue
		}
		c.Loose++
		c.LooseSize += (st.Size + blockSize - 1) / blockSize * blockSize
		if slices.ContainsFunc(c.indexes, func(f *sandbox.File) bool { return inIndex(f, id) }) {
			c.PrunePackable++
		}
	}
	return nil
}

// fanout returns how many ids of a pack's index begin with a byte up to first
// (gitformat-pack(5)); 0 when the file is damaged.
func fanout(f *sandbox.File, first int) uint32 {
	var word [4]byte
	if _, err := f.ReadAt(word[:], tableStart(f)+int64(first)*4); err != nil {
		return 0
	}
	return binary.BigEndian.Uint32(word[:])
}

// tableStart is where the fan-out table of a pack's index begins: only the
// second version has a header before it.
func tableStart(f *sandbox.File) int64 {
	var magic [4]byte
	if _, err := f.ReadAt(magic[:], 0); err == nil && string(magic[:]) == "\xfftOc" {
		return 8
	}
	return 0
}

// inIndex looks an id up in a pack's index.
func inIndex(f *sandbox.File, id []byte) bool {
	start, size, skip := tableStart(f)+1024, int64(len(id)), int64(0)
	if start == 1024 { // the first version has an offset before each id
		size, skip = size+4, 4
	}
	low, high := uint32(0), fanout(f, int(id[0]))
	if id[0] > 0 {
		low = fanout(f, int(id[0])-1)
	}
	var other [20]byte
	for low < high {
		middle := low + (high-low)/2
		if _, err := f.ReadAt(other[:], start+int64(middle)*size+skip); err != nil {
			return false
		}
		switch order := bytes.Compare(id, other[:]); {
		case order == 0:
			return true
		case order < 0:
			high = middle
		default:
			low = middle + 1
		}
	}
	return false
}
