package convert

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// streamFrom is the size in bytes from which on content is not held in memory, where the rules allow.
const streamFrom = 8 << 20

// HashClean returns the blob id of what Clean makes of the size bytes of src. Memory is bounded, except for content of at least 8 MB
// with ident or an encoding, and for such with line ends to change when src is no io.ReaderAt. staged is as for Clean.
func (r Rules) HashClean(path string, src io.Reader, size int64, staged func() ([]byte, error)) (plumbing.Hash, error) {
	at, again := src.(io.ReaderAt)
	switch {
	case r.Identity():
		return hashBlob(src, size)
	case size < streamFrom:
	case r.lfs() && r.driver.clean:
		pointer, err := streamLFS(src)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		return r.hashCleaned(path, pointer, staged)
	case again && !r.ident && r.encoding == "" && r.driver == nil:
		return r.streamLines(path, at, size, staged)
	}
	data, err := readAll(src, size)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return r.hashCleaned(path, data, staged)
}

func readAll(src io.Reader, size int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(min(size, streamFrom)) + bytes.MinRead)
	_, err := buf.ReadFrom(src)
	return buf.Bytes(), err
}

func (r Rules) hashCleaned(path string, data []byte, staged func() ([]byte, error)) (plumbing.Hash, error) {
	clean, err := r.Clean(path, data, staged)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return hashBlob(bytes.NewReader(clean), int64(len(clean)))
}

const chunk = 64 << 10

var chunks = sync.Pool{New: func() any { return new([chunk]byte) }}

func newBlobHash(size int64) hash.Hash {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", size)
	return h
}

func sum(h hash.Hash) (id plumbing.Hash) {
	h.Sum(id[:0])
	return id
}

func hashBlob(src io.Reader, size int64) (plumbing.Hash, error) {
	h := newBlobHash(size)
	if err := eachChunk(src, func(data []byte) { h.Write(data) }); err != nil {
		return plumbing.ZeroHash, err
	}
	return sum(h), nil
}

// eachChunk hands the content on piece by piece.
func eachChunk(src io.Reader, use func([]byte)) error {
	buf := chunks.Get().(*[chunk]byte)
	defer chunks.Put(buf)
	for {
		n, err := src.Read(buf[:])
		use(buf[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// streamLFS makes the pointer to content that is too big to be one.
func streamLFS(src io.Reader) ([]byte, error) {
	h, size := sha256.New(), int64(0)
	err := eachChunk(src, func(data []byte) {
		h.Write(data)
		size += int64(len(data))
	})
	return []byte(Pointer{hex.EncodeToString(h.Sum(nil)), size}.String()), err
}

// streamLines reads twice: to decide and to know the size, then to hash.
func (r Rules) streamLines(path string, src io.ReaderAt, size int64, staged func() ([]byte, error)) (plumbing.Hash, error) {
	var s stats
	if err := eachChunk(io.NewSectionReader(src, 0, size), s.add); err != nil {
		return plumbing.ZeroHash, err
	}
	s.end()
	convert, err := r.converts(path, s, staged)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if !convert {
		return hashBlob(io.NewSectionReader(src, 0, size), size)
	}
	h := newBlobHash(size - int64(s.crlf))
	held := false // a CR that may belong to a CRLF
	err = eachChunk(io.NewSectionReader(src, 0, size), func(data []byte) {
		for len(data) > 0 {
			if held && data[0] != '\n' {
				h.Write([]byte{'\r'})
			}
			held = false
			at := bytes.IndexByte(data, '\r')
			if at < 0 {
				h.Write(data)
				return
			}
			h.Write(data[:at])
			data, held = data[at+1:], true
		}
	})
	if held {
		h.Write([]byte{'\r'})
	}
	return sum(h), err
}
