// Package mapped reads files of the git directory by position: mapped into
// memory, or window by window where mapping is impossible or unwanted.
//
// A mapping lives as long as its File is reachable: whoever uses its bytes
// keeps the File alive, and reads them inside sandbox.GuardFault.
package mapped

import (
	"errors"
	"io"
	"runtime"

	"github.com/ingit-dev/ingit/sandbox"
)

// File is a file that is read by position. It may be used from many
// goroutines at once.
type File struct {
	data []byte // the mapping; nil without
	file *sandbox.File
	size int64
	stat sandbox.Stat
}

// Open opens a regular file, or a link to one within the workspace. With
// noMap it is read by position even where it could be mapped.
func Open(dir *sandbox.Dir, name string, noMap bool) (*File, error) {
	f, err := dir.OpenFollow(name)
	if err != nil {
		return nil, err
	}
	s := &File{file: f, size: f.Size(), stat: f.Stat()}
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

// Bytes returns a File whose content is data.
func Bytes(data []byte) *File { return &File{data: data, size: int64(len(data))} }

// Size returns the length in bytes when the file was opened.
func (f *File) Size() int64 { return f.size }

// Stat returns what the file looked like when it was opened.
func (f *File) Stat() sandbox.Stat { return f.stat }

// Close closes the file. A mapping goes when it is no longer reachable.
func (f *File) Close() {
	if f.file != nil {
		f.file.Close()
	}
}

// At returns the bytes from off on: at least n, or all that there are. Without
// a mapping they are read into buf, which is returned for the next call.
func (f *File) At(buf []byte, off int64, n int) (window, reuse []byte, err error) {
	if off < 0 || off >= f.size {
		return nil, buf, io.ErrUnexpectedEOF
	}
	if f.data != nil {
		return f.data[off:], buf, nil
	}
	n = int(min(int64(n), f.size-off))
	if cap(buf) < n {
		buf = make([]byte, n+n/4)
	}
	got, err := f.file.ReadAt(buf[:n], off)
	if got < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, buf, err
	}
	return buf[:n], buf, nil
}

// All returns the whole content, for the small files that are looked up in
// place; without a mapping it is read once.
func (f *File) All() ([]byte, error) {
	if f.data != nil || f.size == 0 {
		return f.data, nil
	}
	data := make([]byte, f.size)
	n, err := f.file.ReadAt(data, 0)
	if n < len(data) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return data, nil
}
