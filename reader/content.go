package reader

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/convert"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// FilterError says that a path's content passes through a filter driver, a
// program, which is never run.
type FilterError struct{ Driver, Path string }

// Error names the driver and the path.
func (e *FilterError) Error() string {
	return fmt.Sprintf("%s: cannot run the filter driver '%s'", e.Path, e.Driver)
}

// HashError is git's answer to a tracked path that is a FIFO, a socket or a
// device by now. It wraps sandbox.ErrNotRegular.
type HashError struct{ Path string }

// Error is git's sentence.
func (e *HashError) Error() string { return "cannot hash " + e.Path }

// Unwrap returns sandbox.ErrNotRegular.
func (e *HashError) Unwrap() error { return sandbox.ErrNotRegular }

// ErrChanged says that a file of the work tree was found and then gone or of
// another kind: somebody changes the work tree at the same time. Asked again,
// the question may have an answer.
var ErrChanged = errors.New("the work tree changed while it was read")

// vanished gives the error of a file that is gone by now, or a link, its meaning.
func vanished(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, sandbox.ErrNotDir) || errors.Is(err, sandbox.ErrSymlink) {
		return fmt.Errorf("%s: %w", path, ErrChanged)
	}
	return err
}

// contents turns work tree files into what git would store for them. It is
// safe for concurrent use.
type contents struct {
	ctx   context.Context
	repo  *Repository
	ix    *index.Index
	setup func() (*conversion, error)
	write bool         // objects are to be written: what would not survive is refused
	kept  atomic.Int64 // bytes that identify has kept
}

// conversion is what decides how a path is converted.
type conversion struct {
	attributes *attributes.Stack
	config     *convert.Config
}

func newContents(ctx context.Context, r *Repository, ix *index.Index) *contents {
	c := &contents{ctx: ctx, repo: r, ix: ix}
	c.setup = sync.OnceValues(func() (*conversion, error) {
		stack, err := r.workAttributes(ix)
		if err != nil {
			return nil, err
		}
		config, err := convert.NewConfig(r.Config())
		return &conversion{stack, config}, err
	})
	return c
}

// rules returns the conversions of a path. A filter program is a *FilterError.
func (c *contents) rules(path string) (convert.Rules, error) {
	conversion, err := c.setup()
	if err != nil {
		return convert.Rules{}, err
	}
	rules, err := convert.For(conversion.attributes.Lookup(path), conversion.config)
	if err != nil {
		return convert.Rules{}, err
	}
	if driver, needed := rules.NeedsFilter(); needed {
		return convert.Rules{}, &FilterError{driver, path}
	}
	return rules, nil
}

// staged returns a function that reads the content that the index has for a
// path, which some conversions depend on; our side of an unmerged path.
func (c *contents) staged(path string) func() ([]byte, error) {
	return func() ([]byte, error) {
		at, ok := c.ix.Find(path, 0)
		if !ok {
			at, ok = c.ix.Find(path, 2)
		}
		if !ok {
			return nil, nil
		}
		_, data, err := c.repo.Objects().Read(c.ix.Entries[at].ID)
		return data, err
	}
}

// hash returns the id that the file would have as a blob. name is the file in
// dir, path the same file from the top of the work tree. One that is gone is
// ErrChanged.
func (c *contents) hash(dir *sandbox.Dir, name, path string, st *sandbox.Stat) (plumbing.Hash, error) {
	if err := c.ctx.Err(); err != nil {
		return plumbing.ZeroHash, err
	}
	if st.IsSymlink() {
		target, err := dir.Readlink(name)
		return plumbing.ComputeHash(plumbing.BlobObject, []byte(target)), vanished(path, err)
	}
	file, err := dir.Open(name)
	if err != nil {
		return plumbing.ZeroHash, vanished(path, irregular(err, path))
	}
	defer file.Close()
	rules, err := c.rules(path)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if rules.Identity() {
		return hashBlob(file, file.Size())
	}
	return rules.HashClean(path, file, file.Size(), c.staged(path))
}

// What identify keeps: contents of at most keepSize bytes, keepAll in all.
const (
	keepSize = 64 << 10
	keepAll  = 4 << 20
)

// identify is hash for a file that is going to be shown: the content of a
// small one is kept, so that it is read once.
func (c *contents) identify(dir *sandbox.Dir, name, path string, st *sandbox.Stat) (id plumbing.Hash, content *[]byte, err error) {
	if st.Size > keepSize || c.kept.Add(st.Size) > keepAll {
		id, err = c.hash(dir, name, path, st)
		return id, nil, err
	}
	if err := c.ctx.Err(); err != nil {
		return id, nil, err
	}
	data, err := c.read(dir, name, path)
	if err != nil {
		return id, nil, err
	}
	id, err = hashBlob(bytes.NewReader(data), int64(len(data)))
	return id, &data, err
}

// hashBlob returns the id of a blob of size bytes that src gives. A file that
// shrinks or grows meanwhile gives an id that fits nothing.
func hashBlob(src io.Reader, size int64) (plumbing.Hash, error) {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", size)
	buffer := hashBuffers.Get().(*[hashChunk]byte)
	defer hashBuffers.Put(buffer)
	if _, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{src}, buffer[:]); err != nil {
		return plumbing.ZeroHash, err
	}
	var id plumbing.Hash
	h.Sum(id[:0])
	return id, nil
}

const hashChunk = 32 << 10

var hashBuffers = sync.Pool{New: func() any { return new([hashChunk]byte) }}

func irregular(err error, path string) error {
	if errors.Is(err, sandbox.ErrNotRegular) {
		return &HashError{path}
	}
	return err
}

// read returns what git would store for the file. One that is gone is
// ErrChanged.
func (c *contents) read(dir *sandbox.Dir, name, path string) ([]byte, error) {
	data, err := dir.ReadFile(name, 0)
	if errors.Is(err, sandbox.ErrSymlink) {
		target, err := dir.Readlink(name)
		return []byte(target), vanished(path, err)
	}
	if err != nil {
		return nil, vanished(path, irregular(err, path))
	}
	rules, err := c.rules(path)
	if err != nil {
		return nil, err
	}
	if rules.Identity() {
		return data, nil
	}
	rules.Strict = c.write
	return rules.Clean(path, data, c.staged(path))
}

// subproject is what a diff shows of a submodule.
func subproject(id plumbing.Hash) []byte { return fmt.Appendf(nil, "Subproject commit %s\n", id) }

// Content returns the content of one side of a change as git stores it: a
// blob's bytes, a link's text, "Subproject commit ID\n" for a submodule. A work
// tree file is converted as git add would; a filter program that this would
// take is a *FilterError. A work tree file that is gone
// by now is ErrChanged. The caller must not change the bytes.
func (r *Repository) Content(ctx context.Context, side Side, e Entry) ([]byte, error) {
	switch {
	case !e.Present():
		return nil, nil
	case e.Mode == modeGitlink:
		return subproject(e.ID), nil
	case side != WorkTreeSide:
		_, data, err := r.Objects().Read(e.ID)
		return data, blobError(e.ID, err)
	}
	ix, err := r.Index()
	if err != nil {
		return nil, err
	}
	top, err := r.WorkTree()
	if err != nil {
		return nil, err
	}
	return r.conversions(ctx, ix).read(top, e.Path, e.Path)
}
