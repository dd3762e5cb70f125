package odb

import (
	"errors"
	"io/fs"
	"sync"

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
	midx  *midx        // covers the pack; nil without
	noMap bool

	mu     sync.Mutex
	index  *packIndex
	source *mapped.File
	err    error // the pack is unusable, for this reason
}

// place is where an object's entry begins.
type place struct {
	pack *pack
	off  int64
}

func (p *pack) path() string { return p.dir.Path() + "/" + p.name + ".pack" }

// openIndex returns the index. A damaged one makes the pack unusable.
func (p *pack) openIndex() (*packIndex, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lockedIndex()
}

func (p *pack) lockedIndex() (*packIndex, error) {
	if p.index != nil || p.err != nil {
		return p.index, p.err
	}
	src, err := mapped.Open(p.dir, p.name+".idx", p.noMap)
	if err == nil {
		err = sandbox.GuardFault(func() (err error) {
			p.index, err = parseIndex(src)
			return err
		})
		src.Close()
	}
	if err != nil {
		p.index, p.err = nil, &packError{p.dir.Path() + "/" + p.name + ".idx", err}
	}
	return p.index, p.err
}

// open returns the pack's data.
func (p *pack) open() (*mapped.File, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.source != nil || p.err != nil {
		return p.source, p.err
	}
	src, err := mapped.Open(p.dir, p.name+".pack", p.noMap)
	if err == nil {
		if err = sandbox.GuardFault(func() error { return p.check(src) }); err != nil {
			src.Close()
		}
	}
	if err != nil {
		p.err = &packError{p.path(), err}
		return nil, p.err
	}
	p.source = src
	return src, nil
}

// check compares header and trailer with what they must be.
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
	if p.midx != nil && p.index == nil {
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
	return at, found && err == nil
}

// setMidx ties the pack to the multi-pack-index that covers it, or to none.
func (p *pack) setMidx(m *midx) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.midx = m
}

// coveredBy returns the multi-pack-index that answers for the pack.
func (p *pack) coveredBy() *midx {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.midx
}

// unusable returns what was found to be wrong with the pack.
func (p *pack) unusable() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// indexed reports whether the pack's own index is open.
func (p *pack) indexed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.index != nil
}

// vanished reports whether the pack was there when the directory was listed
// and is gone now.
func (p *pack) vanished() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Is(p.err, fs.ErrNotExist)
}

func (p *pack) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.source != nil {
		p.source.Close()
	}
	p.source, p.index, p.err = nil, nil, fs.ErrClosed
}

// packError is why a pack or an index is unusable.
type packError struct {
	path string
	err  error
}

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
