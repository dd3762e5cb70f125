package odb

import (
	"encoding/binary"
	"errors"
	"io"
	"runtime"

	"github.com/ingit-dev/ingit/sandbox"
)

// source is a file that is read by position: mapped, or window by window
// where mapping is impossible or unwanted.
type source struct {
	data []byte // the mapping; nil without
	file *sandbox.File
	size int64
}

// openSource opens a file of the git directory. A mapping lives as long as
// the source is reachable: whoever uses its bytes keeps the source alive.
func openSource(dir *sandbox.Dir, name string, noMap bool) (*source, error) {
	f, err := dir.OpenFollow(name)
	if err != nil {
		return nil, err
	}
	s := &source{file: f, size: f.Size()}
	if noMap || s.size == 0 {
		return s, nil
	}
	data, unmap, err := f.Map()
	if errors.Is(err, errors.ErrUnsupported) {
		return s, nil
	}
	f.Close()
	if err != nil {
		return nil, err
	}
	s.file, s.data = nil, data
	runtime.AddCleanup(s, func(unmap func() error) { _ = unmap() }, unmap)
	return s, nil
}

// close closes the file. A mapping goes when it is no longer reachable.
func (s *source) close() {
	if s.file != nil {
		s.file.Close()
	}
}

// at returns the bytes from off on: at least n, or all that there are. Without
// a mapping they are read into buf, which is returned for the next call.
func (s *source) at(buf []byte, off int64, n int) (window, reuse []byte, err error) {
	if off < 0 || off >= s.size {
		return nil, buf, io.ErrUnexpectedEOF
	}
	if s.data != nil {
		return s.data[off:], buf, nil
	}
	n = int(min(int64(n), s.size-off))
	if cap(buf) < n {
		buf = make([]byte, n+n/4)
	}
	got, err := s.file.ReadAt(buf[:n], off)
	if got < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, buf, err
	}
	return buf[:n], buf, nil
}

// all returns the whole content, for the small files that are looked up in
// place; without a mapping it is read once.
func (s *source) all() ([]byte, error) {
	if s.data != nil || s.size == 0 {
		return s.data, nil
	}
	data := make([]byte, s.size)
	n, err := s.file.ReadAt(data, 0)
	if n < len(data) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return data, nil
}

func be32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func be64(b []byte) uint64 { return binary.BigEndian.Uint64(b) }
