package sandbox

import (
	"io"
	"io/fs"
	"slices"
)

// File is an open regular file inside a workspace. ReadAt may be called from many goroutines at once.
type File struct {
	h         fileHandle
	stat      Stat
	ws        *Workspace
	dir, name string
	written   bool // it comes from Create or Append
}

// Path returns the file's absolute path, as it was when it was opened.
func (f *File) Path() string { return join(f.dir, f.name) }

// Stat tells of the file as it was when it was opened (or created).
func (f *File) Stat() Stat { return f.stat }

// Size returns the file's length in bytes when it was opened.
func (f *File) Size() int64 { return f.stat.Size }

// Refresh asks again, remembers the answer for Stat, and returns it.
func (f *File) Refresh() (Stat, error) {
	st, err := f.h.stat()
	if err != nil {
		return Stat{}, f.wrap("stat", err)
	}
	f.stat = st
	return st, nil
}

// Read reads the next bytes, as io.Reader does.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.h.Read(p)
	return n, f.wrap("read", err)
}

// ReadAt reads from a position, as io.ReaderAt does.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.h.ReadAt(p, off)
	return n, f.wrap("read", err)
}

// ReadAll returns the content from the current position on, at most limit bytes of it; a longer file
// is a *LimitError. With limit <= 0 the bound is Limits.ObjectBytes.
func (f *File) ReadAll(limit int64) ([]byte, error) {
	if limit <= 0 {
		limit = f.ws.policy.Limits.ObjectBytes
	}
	if f.stat.Size > limit {
		return nil, &LimitError{Limit: "ObjectBytes", Max: limit}
	}
	buf := make([]byte, 0, f.stat.Size+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case int64(len(buf)) > limit:
			return nil, &LimitError{Limit: "ObjectBytes", Max: limit}
		case err == io.EOF || err == nil && int64(len(buf)) == f.stat.Size:
			return buf, nil // as long as it was: there was room for more
		case err != nil:
			return nil, err
		case len(buf) == cap(buf):
			buf = slices.Grow(buf, max(cap(buf), 512))
		}
	}
}

// Map returns the file's content, as long as it was when it was opened, mapped into memory: read
// only, shared with the file. Unmap it once, when no slice of it is in use any more; closing the
// file does not. Where the host has no mapping the error is errors.ErrUnsupported.
//
// If another process truncates the file, reading beyond its end faults: read mappings inside
// GuardFault, which makes that an error.
func (f *File) Map() (data []byte, unmap func() error, err error) {
	data, unmap, err = f.h.mapping(f.stat.Size)
	return data, unmap, f.wrap("mmap", err)
}

// Close closes the file. A mapping of it stays.
func (f *File) Close() error { return f.wrap("close", f.h.Close()) }

func (f *File) wrap(op string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &fs.PathError{Op: op, Path: f.Path(), Err: err}
}
