package blame

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/reader"
)

// origin is a file in a commit.
type origin struct {
	commit   *commit
	file     *file
	mode     uint32
	blob     plumbing.Hash
	trail    []plumbing.Hash // the trees that lead to it from the commit's; nil: not known
	suspects []entry         // by source line
	previous *origin
	data     []byte          // the content while it is needed
	lines    *linediff.Lines // of data, once they were looked for
	read     bool            // data is there
	keep     bool            // data is somebody else's, too
}

func (o *origin) public() *Origin {
	return &Origin{Commit: o.commit.id, Path: o.file.path, Boundary: o.commit.boundary}
}

// file is a path, taken apart.
type file struct {
	path  string
	names []string
	key   commitgraph.Key // for filters, once keyed
	keyed bool
}

func (b *blamer) file(path string) *file {
	f := b.files[path]
	if f == nil {
		f = &file{path: path, names: strings.Split(path, "/")}
		b.files[path] = f
	}
	return f
}

// originOf returns the origin of a file in a commit if it is known already.
func (c *commit) originOf(f *file) *origin {
	for _, o := range c.origins {
		if o.file == f {
			return o
		}
	}
	return nil
}

// addOrigin returns the origin of a file in a commit, a new one if need be.
func (b *blamer) addOrigin(c *commit, f *file, mode uint32, blob plumbing.Hash, trail []plumbing.Hash) *origin {
	o := c.originOf(f)
	if o == nil {
		o = &origin{commit: c, file: f, mode: mode, blob: blob, trail: trail}
		c.origins = append(c.origins, o)
	}
	return o
}

// committedFile returns the origin that blame starts at.
func (b *blamer) committedFile(id plumbing.Hash, path string) (*origin, error) {
	name := b.name
	if name == "" {
		name = id.String()
	}
	c := b.history.commit(id)
	if ok, err := b.history.load(c); err != nil || !ok {
		if err == nil {
			_, _, err = b.history.reader.Header(id)
		}
		return nil, err
	}
	f := b.file(path)
	found, err := b.lookUp(c, f, nil)
	if err != nil {
		return nil, err
	}
	if !found.isBlob() {
		return nil, &PathError{Path: path, Rev: name}
	}
	return b.addOrigin(c, f, found.mode, found.blob, found.trail), nil
}

// place is what stands at a path; its mode is 0 where nothing does.
type place struct {
	mode  uint32
	blob  plumbing.Hash
	trail []plumbing.Hash
}

func (p place) isBlob() bool {
	return p.mode != 0 && p.mode != object.ModeTree && p.mode != object.ModeGitlink
}

// lookUp finds what stands at a path in a commit. Known is an origin of the
// same file in a child of the commit, or nil: where the same trees lead there,
// they are not read again.
func (b *blamer) lookUp(c *commit, f *file, known *origin) (place, error) {
	tree := c.tree
	trail := []plumbing.Hash(nil)
	if len(f.names) > 1 {
		trail = make([]plumbing.Hash, 0, len(f.names))
	}
	for depth, name := range f.names {
		if known != nil && (depth < len(known.trail) && known.trail[depth] == tree || depth == 0 && known.commit.tree == tree) {
			return place{known.mode, known.blob, append(trail, known.trail[min(depth, len(known.trail)):]...)}, nil
		}
		if len(f.names) > 1 {
			trail = append(trail, tree)
		}
		entry, ok, err := b.findIn(tree, name)
		if err != nil || !ok {
			return place{}, err
		}
		if depth == len(f.names)-1 {
			return place{entry.Mode, entry.ID, trail}, nil
		}
		if entry.Mode != object.ModeTree {
			return place{}, nil
		}
		tree = entry.ID
	}
	return place{}, nil
}

func (b *blamer) findIn(tree plumbing.Hash, name string) (object.TreeEntry, bool, error) {
	kind, data, err := b.history.reader.Read(tree)
	if err != nil {
		return object.TreeEntry{}, false, err
	}
	if kind != plumbing.TreeObject {
		return object.TreeEntry{}, false, &reader.TypeError{ID: tree, Have: kind, Want: plumbing.TreeObject}
	}
	return object.FindEntry(data, name)
}

// inParent finds the same file in a parent of the origin's commit. It is nil
// where the parent has none, or a link for a file; lacking says that there is
// nothing at the path.
func (b *blamer) inParent(parent *commit, o *origin) (found *origin, lacking bool, err error) {
	if known := parent.originOf(o.file); known != nil {
		return known, false, nil
	}
	if b.surelySame(parent, o) {
		return b.addOrigin(parent, o.file, o.mode, o.blob, nil), false, nil
	}
	p, err := b.lookUp(parent, o.file, o)
	if err != nil {
		return nil, false, err
	}
	const kind = 0o170000
	switch {
	case p.mode == 0 || p.mode == object.ModeTree:
		return nil, true, nil
	case p.mode&kind != o.mode&kind:
		return nil, false, nil
	}
	return b.addOrigin(parent, o.file, p.mode, p.blob, p.trail), false, nil
}

// surelySame asks the commit-graph's filter, which knows about first parents.
func (b *blamer) surelySame(parent *commit, o *origin) bool {
	c := o.commit
	if b.children != nil || !c.inGraph || !b.history.graph.HasFilters() || c.parents[0] != parent {
		return false
	}
	if !o.file.keyed {
		o.file.key, o.file.keyed = commitgraph.NewKey(o.file.path), true
	}
	return b.history.graph.Changed(c.position, o.file.key) == commitgraph.No
}

// content returns an origin's content.
func (b *blamer) content(o *origin) ([]byte, error) {
	if o.read {
		return o.data, nil
	}
	kind, data, err := b.history.reader.Read(o.blob)
	if err != nil {
		return nil, err
	}
	if kind != plumbing.BlobObject {
		return nil, &reader.TypeError{ID: o.blob, Have: kind, Want: plumbing.BlobObject}
	}
	var buffer []byte
	if n := len(b.buffers); n > 0 {
		buffer, b.buffers = b.buffers[n-1], b.buffers[:n-1]
	}
	if cap(buffer) < len(data) {
		buffer = make([]byte, 0, len(data)+len(data)/8)
	}
	o.data, o.read = append(buffer[:0], data...), true
	return o.data, nil
}

// release gives an origin's content back.
func (b *blamer) release(o *origin) {
	if o.read && o.commit.id.IsZero() {
		return // it can't be read again
	}
	if o.read && !o.keep {
		b.buffers = append(b.buffers, o.data)
	}
	if o.lines != nil {
		b.spare = append(b.spare, o.lines)
	}
	o.data, o.lines, o.read, o.keep = nil, nil, false, false
}

// handOver moves the content from one origin to another with the same one.
func (b *blamer) handOver(from, to *origin) {
	if from.read && !to.read {
		to.data, to.lines, to.read, to.keep = from.data, from.lines, true, from.keep
		from.data, from.lines, from.read, from.keep = nil, nil, false, false
	}
}

// linesOf returns the lines of an origin, whose content is there. They are much
// like those of another one, if one is given.
func (b *blamer) linesOf(o *origin, like *linediff.Lines) *linediff.Lines {
	if o.lines != nil {
		return o.lines
	}
	if n := len(b.spare); n > 0 {
		o.lines, b.spare = b.spare[n-1], b.spare[:n-1]
	} else {
		o.lines = new(linediff.Lines)
	}
	if like == nil {
		o.lines.Split(o.data)
	} else {
		o.lines.SplitLike(o.data, like)
	}
	return o.lines
}
