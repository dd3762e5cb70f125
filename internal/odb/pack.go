package odb

import (
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/mapped"
	"github.com/ingit-dev/ingit/sandbox"
)

const (
	packHeader = 12
	// The most bytes that an entry's header takes: ten of the size, then a
	// base's id or offset.
	maxEntryHeader = 32
)

// pack is a .pack with its .idx. Both are opened when first needed.
type pack struct {
	store *store
	dir   *sandbox.Dir // objects/pack
	name  string       // without extension
	stat  sandbox.Stat // of the .pack when it was listed
	noMap bool

	covered atomic.Pointer[midx] // answers for the pack; nil without

	mu     sync.Mutex // held while a file is opened
	index  atomic.Pointer[packIndex]
	source atomic.Pointer[mapped.File]
	failed atomic.Pointer[packError] // the pack is unusable, for this reason
}

// place is where an object's entry begins.
type place struct {
	pack *pack
	off  int64
}

func (p *pack) path() string { return p.dir.Path() + "/" + p.name + ".pack" }

// openIndex returns the index. A damaged one makes the pack unusable.
func (p *pack) openIndex() (*packIndex, error) {
	if index := p.index.Load(); index != nil {
		return index, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lockedIndex()
}

func (p *pack) lockedIndex() (*packIndex, error) {
	if index := p.index.Load(); index != nil {
		return index, nil
	}
	if failed := p.failed.Load(); failed != nil {
		return nil, failed
	}
	var index *packIndex
	src, err := mapped.Open(p.dir, p.name+".idx", p.noMap)
	if err == nil {
		err = sandbox.GuardFault(func() (err error) {
			index, err = parseIndex(src)
			return err
		})
		src.Close()
	}
	if err != nil {
		return nil, p.fail(".idx", err)
	}
	p.index.Store(index)
	return index, nil
}

// fail makes the pack unusable.
func (p *pack) fail(ext string, err error) error {
	failed := &packError{p.dir.Path() + "/" + p.name + ext, err}
	p.failed.Store(failed)
	return failed
}

// open returns the pack's data.
func (p *pack) open() (*mapped.File, error) {
	if src := p.source.Load(); src != nil {
		return src, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if src := p.source.Load(); src != nil {
		return src, nil
	}
	if failed := p.failed.Load(); failed != nil {
		return nil, failed
	}
	src, err := mapped.Open(p.dir, p.name+".pack", p.noMap)
	if err == nil {
		if err = sandbox.GuardFault(func() error { return p.check(src) }); err != nil {
			src.Close()
		}
	}
	if err != nil {
		return nil, p.fail(".pack", err)
	}
	p.source.Store(src)
	return src, nil
}

// check compares header and trailer with what they must be. p.mu is held.
func (p *pack) check(src *mapped.File) error {
	if src.Size() < packHeader+int64(idSize) {
		return errPackSignature
	}
	head, _, err := src.At(nil, 0, packHeader)
	if err != nil {
		return err
	}
	if string(head[:4]) != "PACK" {
		return errPackSignature
	}
	if v := be32(head[4:]); v != 2 && v != 3 {
		return errPackVersion
	}
	if p.covered.Load() != nil && p.index.Load() == nil {
		return nil // the multi-pack-index spares opening the index
	}
	index, err := p.lockedIndex()
	if err != nil {
		return err
	}
	trailer, _, err := src.At(nil, src.Size()-int64(idSize), idSize)
	if err != nil {
		return err
	}
	if int(be32(head[8:])) != index.Len() || plumbing.Hash(trailer) != index.checksum {
		return errPackMismatch
	}
	return nil
}

// find looks id up in the pack's own index.
func (p *pack) find(id plumbing.Hash) (place, bool) {
	index, err := p.openIndex()
	if err != nil {
		return place{}, false
	}
	at, found := place{pack: p}, false
	err = sandbox.GuardFault(func() (err error) {
		var pos int
		if pos, found = index.Find(id); found {
			at.off, err = index.offset(pos)
		}
		return err
	})
	runtime.KeepAlive(index)
	return at, found && err == nil
}

// usable reports whether nothing was found to be wrong with the pack.
func (p *pack) usable() bool { return p.failed.Load() == nil }

// vanished reports whether the pack was there when the directory was listed
// and is gone now.
func (p *pack) vanished() bool {
	failed := p.failed.Load()
	return failed != nil && errors.Is(failed, fs.ErrNotExist)
}

// close closes files; what is read afterwards fails.
func (p *pack) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.fail(".pack", fs.ErrClosed)
	if src := p.source.Swap(nil); src != nil {
		src.Close()
	}
	p.index.Store(nil)
}

// packError is why a pack or an index is unusable.
type packError struct {
	path string
	err  error
}

// Error names the file.
func (e *packError) Error() string { return e.path + ": " + e.err.Error() }
func (e *packError) Unwrap() error { return e.err }

// entry is the header of an object in a pack.
type entry struct {
	kind plumbing.ObjectType // OFSDelta and REFDelta too
	size int64               // of the content, or of the delta
	data int64               // where the zlib stream begins
	base int64               // OFSDelta: where the base begins
	ref  plumbing.Hash       // REFDelta: the base's id
}

var errEntry = errors.New("malformed entry header")

// parseEntry reads the header of the entry at off, whose bytes begin b.
func parseEntry(b []byte, off int64) (e entry, err error) {
	if len(b) == 0 {
		return e, errEntry
	}
	e.kind = plumbing.ObjectType(b[0] >> 4 & 7)
	size, shift, n := uint64(b[0]&15), 4, 1
	for b[n-1]&0x80 != 0 {
		if n == len(b) || shift > 56 {
			return e, errEntry
		}
		size |= uint64(b[n]&0x7f) << shift
		shift += 7
		n++
	}
	if e.size = int64(size); e.size < 0 {
		return e, errEntry
	}
	switch e.kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
	case plumbing.REFDeltaObject:
		if n+idSize > len(b) {
			return e, errEntry
		}
		e.ref = plumbing.Hash(b[n:])
		n += idSize
	case plumbing.OFSDeltaObject:
		back, used := parseBack(b[n:])
		if used == 0 || back <= 0 || back >= off {
			return e, errEntry
		}
		e.base = off - back
		n += used
	default:
		return e, errEntry
	}
	e.data = off + int64(n)
	return e, nil
}

// parseBack reads how far before the entry its base begins; used is 0 when
// the number does not end or is too large.
func parseBack(b []byte) (back int64, used int) {
	for i, c := range b {
		back = back<<7 | int64(c&0x7f)
		if c&0x80 == 0 {
			return back, i + 1
		}
		back++
		if back > 1<<55 {
			return 0, 0
		}
	}
	return 0, 0
}
