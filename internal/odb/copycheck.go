package odb

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"runtime"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/mapped"
	"github.com/ingit-dev/ingit/sandbox"
)

// read fills in the copies of a batch.
func (b *batch) read(r *Reader) {
	check := copyCheck{r: r, digest: sha1.New()}
	for _, id := range b.loose {
		if b.err = b.add(check.loose(b.store, id)); b.err != nil {
			return
		}
	}
	for _, p := range b.packed {
		if b.err = b.add(check.packed(p)); b.err != nil {
			return
		}
	}
	if b.sums != nil {
		b.copies, b.err = check.sums(b.sums)
	}
}

// add appends a copy, whose content the next one overwrites.
func (b *batch) add(c Copy, err error) error {
	if err == nil {
		c.Data = bytes.Clone(c.Data)
		b.copies = append(b.copies, c)
	}
	return err
}

// copyCheck reads copies and compares them with their names.
type copyCheck struct {
	r      *Reader
	digest hash.Hash
	window []byte
}

// feed writes a part of a file to a hash.
func (c *copyCheck) feed(to hash.Hash, src *mapped.File, from, end int64) error {
	defer runtime.KeepAlive(src)
	const piece = 1 << 20
	for ; from < end; from += piece {
		n := int(min(piece, end-from))
		err := sandbox.GuardFault(func() error {
			window, reuse, err := src.At(c.window, from, n)
			c.window = reuse
			to.Write(window[:min(n, len(window))])
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// whole returns a copy without fault.
func whole(id plumbing.Hash, kind plumbing.ObjectType, data []byte, packed bool) Copy {
	if kind == plumbing.BlobObject {
		data = nil
	}
	return Copy{ID: id, Kind: kind, Data: data, Packed: packed}
}

func (c *copyCheck) loose(s *store, id plumbing.Hash) (Copy, error) {
	c.r.most = streamFrom
	kind, data, err := c.r.looseObject(s, id, false)
	c.r.most = 0
	if over := (*sandbox.LimitError)(nil); errors.As(err, &over) && over.Limit == unwanted {
		kind, data, err = c.bigLoose(s, id)
	}
	path := s.dir.Path() + "/" + loosePath(id)
	var mismatch mismatchError
	switch {
	case isLimit(err):
		return Copy{}, err
	case errors.As(err, &mismatch):
		return Copy{ID: id, Problem: fmt.Sprintf("%s: hash-path mismatch, found at: %s", mismatch.have, path)}, nil
	case err != nil:
		return Copy{ID: id, Problem: fmt.Sprintf("%s: object corrupt or missing: %s", id, path)}, nil
	}
	return whole(id, kind, data, false), nil
}

// bigLoose is looseObject for a large one. A blob is not held in memory, and
// comes without content.
func (c *copyCheck) bigLoose(s *store, id plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	kind, size, err := c.r.looseHeader(s, id)
	if err != nil || kind != plumbing.BlobObject {
		return c.r.looseObject(s, id, false)
	}
	content, err := streamLoose(s, id, kind, size)
	if err != nil {
		return kind, nil, err
	}
	defer content.Close()
	_, err = io.Copy(io.Discard, content)
	return kind, nil, err
}

func (c *copyCheck) packed(p packedCopy) (Copy, error) {
	index, err := p.pack.openIndex()
	if err != nil {
		return Copy{}, err
	}
	src, err := p.pack.open()
	if err != nil {
		return Copy{}, err
	}
	var id plumbing.Hash
	var want uint32
	err = sandbox.GuardFault(func() error {
		id = index.ID(p.pos)
		if index.version > 1 {
			want = be32(index.sums[4*p.pos:])
		}
		return nil
	})
	runtime.KeepAlive(index)
	if err != nil {
		return Copy{}, err
	}
	sum := crc32.NewIEEE()
	if err := c.feed(sum, src, p.off, p.end); err != nil {
		return Copy{}, err
	}
	copied, err := c.entry(id, p.place, src)
	if index.version > 1 && sum.Sum32() != want && copied.Problem == "" {
		copied.Problem = fmt.Sprintf("index CRC mismatch for object %s from %s at offset %d", id, p.pack.path(), p.off)
	}
	return copied, err
}

// entry reads the object at a place in a pack.
func (c *copyCheck) entry(id plumbing.Hash, at place, src *mapped.File) (Copy, error) {
	e, _, err := c.r.guardedHeader(at)
	var data []byte
	var have plumbing.Hash
	kind := e.kind
	if err == nil && kind == plumbing.BlobObject && e.size >= streamFrom {
		have, err = c.packedStream(id, e, at.pack, src)
	} else if err == nil {
		if kind, data, err = c.r.packed(at, wholeObject, false); err == nil {
			have, err = c.name(kind, int64(len(data)), bytes.NewReader(data))
		}
	}
	switch {
	case isLimit(err):
		return Copy{}, err
	case err != nil:
		return Copy{ID: id, Packed: true, Problem: fmt.Sprintf("cannot unpack %s from %s at offset %d", id, at.pack.path(), at.off)}, nil
	case have != id:
		return Copy{ID: id, Packed: true, Problem: fmt.Sprintf("packed %s from %s is corrupt", id, at.pack.path())}, nil
	}
	return whole(id, kind, data, true), nil
}

// packedStream returns the name that the content of a blob has which is not
// held in memory.
func (c *copyCheck) packedStream(id plumbing.Hash, e entry, p *pack, src *mapped.File) (plumbing.Hash, error) {
	content, err := newStream(&packBytes{p, src, e.data}, id, e.size, p.path())
	if err != nil {
		return plumbing.Hash{}, err
	}
	defer content.Close()
	return c.name(e.kind, e.size, content)
}

// name returns the name of an object with the content.
func (c *copyCheck) name(kind plumbing.ObjectType, size int64, content io.Reader) (plumbing.Hash, error) {
	c.digest.Reset()
	fmt.Fprintf(c.digest, "%s %d\x00", kind, size)
	_, err := io.Copy(c.digest, content)
	return plumbing.Hash(c.digest.Sum(nil)), err
}

// sums compares the checksums at the ends of a pack and its index with what
// stands before them.
func (c *copyCheck) sums(p *pack) (problems []Copy, err error) {
	src, err := p.open()
	if err != nil {
		return nil, err
	}
	index, err := mapped.Open(p.dir, p.name+".idx", p.noMap)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	packSum, packOK, err := c.sealed(src)
	if err != nil {
		return nil, err
	}
	_, indexOK, err := c.sealed(index)
	if err != nil {
		return nil, err
	}
	opened, err := p.openIndex()
	if err != nil {
		return nil, err
	}
	for _, check := range []struct {
		ok     bool
		format string
	}{
		{indexOK, "Packfile index for %s hash mismatch"},
		{packOK, "%s pack checksum mismatch"},
		{packSum == opened.checksum, "%s pack checksum does not match its index"},
	} {
		if !check.ok {
			problems = append(problems, Copy{Packed: true, Problem: fmt.Sprintf(check.format, p.path())})
		}
	}
	return problems, nil
}

// sealed returns the checksum at the end of a file, and whether it is that of
// what stands before.
func (c *copyCheck) sealed(f *mapped.File) (sum plumbing.Hash, ok bool, err error) {
	end := f.Size() - int64(idSize)
	c.digest.Reset()
	if err := c.feed(c.digest, f, 0, end); err != nil {
		return sum, false, err
	}
	have := plumbing.Hash(c.digest.Sum(nil))
	err = sandbox.GuardFault(func() error {
		window, reuse, err := f.At(c.window, end, idSize)
		c.window = reuse
		copy(sum[:], window)
		return err
	})
	return sum, sum == have, err
}
