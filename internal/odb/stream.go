package odb

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/inflate"
	"github.com/ingit-dev/ingit/internal/mapped"
	"github.com/ingit-dev/ingit/sandbox"
)

// streamFrom is the size from which Stream doesn't hold an object in memory.
const streamFrom = 8 << 20

// Stream returns an object's type, size and a reader of its content, which
// the caller closes. Objects of any size take bounded memory, with one
// exception: a delta is built whole, within Limits.ObjectBytes (git makes no
// deltas of blobs above core.bigFileThreshold, 512 MiB). What is wrong with
// the content of a big object is known only when its end is read.
func (db *Database) Stream(id plumbing.Hash) (kind plumbing.ObjectType, size int64, content io.ReadCloser, err error) {
	if id == emptyTree {
		return plumbing.TreeObject, 0, io.NopCloser(bytes.NewReader(nil)), nil
	}
	if id, err = db.Replacement(id); err != nil {
		return 0, 0, nil, err
	}
	r := db.NewReader()
	defer db.release(r)
	memory := func(k plumbing.ObjectType, data []byte, err error) error {
		kind, size, content = k, int64(len(data)), io.NopCloser(bytes.NewReader(data))
		return err
	}
	err = r.resolve(id, func(at place) error {
		e, src, err := r.guardedHeader(at)
		if err != nil {
			return err
		}
		if e.kind.IsDelta() || e.size < streamFrom {
			return memory(r.packed(at, wholeObject, true))
		}
		kind, size = e.kind, e.size
		content, err = newStream(&packBytes{at.pack, src, e.data}, id, e.size, at.pack.path())
		return err
	}, func(s *store) error {
		k, n, err := r.looseHeader(s, id)
		if err != nil {
			return err
		}
		if n < streamFrom {
			return memory(r.looseObject(s, id, true))
		}
		kind, size = k, n
		content, err = streamLoose(s, id, k, n)
		return err
	})
	if err != nil {
		return 0, 0, nil, err
	}
	return kind, size, content, nil
}

func (r *Reader) guardedHeader(at place) (e entry, src *mapped.File, err error) {
	err = sandbox.GuardFault(func() error {
		e, src, err = r.header(at)
		return err
	})
	return e, src, err
}

// packBytes reads a pack from a place on.
type packBytes struct {
	pack *pack // keeps the file open
	src  *mapped.File
	off  int64
}

func (p *packBytes) Read(b []byte) (n int, err error) {
	if p.off >= p.src.Size() {
		return 0, io.EOF
	}
	err = sandbox.GuardFault(func() error {
		window, _, err := p.src.At(b[:0], p.off, len(b))
		n = copy(b, window)
		return err
	})
	p.off += int64(n)
	return n, err
}

// stream inflates an object of a known size and checks that it ends there.
type stream struct {
	id     plumbing.Hash
	where  string
	loose  bool
	zlib   io.ReadCloser
	left   int64
	digest hash.Hash // of a loose object
	file   io.Closer // of a loose object
}

func newStream(compressed io.Reader, id plumbing.Hash, size int64, where string) (*stream, error) {
	z, err := zlib.NewReader(compressed)
	if err != nil {
		return nil, err
	}
	return &stream{id: id, where: where, zlib: z, left: size}, nil
}

func streamLoose(s *store, id plumbing.Hash, kind plumbing.ObjectType, size int64) (*stream, error) {
	f, err := s.openLoose(id)
	if err != nil {
		return nil, err
	}
	c, err := newStream(f, id, size, s.dir.Path()+"/"+loosePath(id))
	if err != nil {
		f.Close()
		return nil, s.corrupt(id, err)
	}
	head := fmt.Appendf(nil, "%s %d\x00", kind, size)
	c.loose, c.file, c.digest = true, f, sha1.New()
	c.digest.Write(head)
	if _, err := io.ReadFull(c.zlib, head); err != nil {
		c.Close()
		return nil, s.corrupt(id, err)
	}
	return c, nil
}

// Read reads content; at the end it checks what can be checked.
func (s *stream) Read(b []byte) (int, error) {
	if s.left == 0 {
		return 0, s.end()
	}
	n, err := s.zlib.Read(b[:min(int64(len(b)), s.left)])
	s.left -= int64(n)
	if s.digest != nil {
		s.digest.Write(b[:n])
	}
	switch {
	case err == nil || err == io.EOF && s.left == 0:
		return n, nil
	case err == io.EOF:
		err = inflate.ErrShort
	}
	return n, s.corrupt(err)
}

// end returns io.EOF when the object ended as it should.
func (s *stream) end() error {
	var more [1]byte
	switch n, err := io.ReadFull(s.zlib, more[:]); {
	case n > 0:
		return s.corrupt(inflate.ErrLong)
	case err != io.EOF:
		return s.corrupt(err)
	case s.digest == nil:
		return io.EOF
	}
	if have := plumbing.Hash(s.digest.Sum(nil)); have != s.id {
		return s.corrupt(mismatchError{have})
	}
	return io.EOF
}

func (s *stream) corrupt(why error) error {
	if errors.Is(why, fs.ErrClosed) {
		return why
	}
	return &CorruptError{ID: s.id, Where: s.where, Loose: s.loose, Why: why}
}

// Close ends the reading.
func (s *stream) Close() error {
	_ = s.zlib.Close() // repeats what Read said
	if s.file != nil {
		return s.file.Close()
	}
	return nil
}
