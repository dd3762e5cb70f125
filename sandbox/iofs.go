package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"sync"
)

// FromFS returns a read-only workspace over an io/fs file system: a zip archive, embedded or made-up
// files. Its top is "/", and Allowed means nothing. Links are seen where the file system tells of
// them (fs.ReadLinkFS). A file that can be read only from its beginning is held in memory when it
// is read by position, up to Limits.ObjectBytes.
//
// A tree of the host that others may change belongs in Open: io/fs has no handles, so a link that is
// swapped in behind a check would be followed.
func FromFS(fsys fs.FS, p Policy) (*Workspace, error) {
	if _, err := fs.Stat(fsys, "."); err != nil {
		return nil, err
	}
	p.ReadOnly = true
	w := newWorkspace(p)
	w.fsys = true
	top := &fsDir{fsys: fsys, path: ".", limit: w.policy.Limits.ObjectBytes}
	w.roots = []*root{{path: "/", alias: "/", h: top}}
	return w, nil
}

// fsDir is a directory of an io/fs file system, by its path: there are no handles.
type fsDir struct {
	noWriting
	fsys  fs.FS
	path  string
	limit int64 // bytes held of a file without ReadAt and Seek
}

func (d *fsDir) close() error { return nil }

func (d *fsDir) reopen() (handle, error) {
	again := *d
	return &again, nil
}

func (d *fsDir) self() (Stat, error) {
	info, err := fs.Stat(d.fsys, d.path)
	if err != nil {
		return Stat{}, bare(err)
	}
	return statOfInfo(info), nil
}

func (d *fsDir) lstat(name string) (Stat, error) {
	name = path.Join(d.path, name)
	if !fs.ValidPath(name) { // not UTF-8: such a file system cannot hold it
		return Stat{}, fs.ErrNotExist
	}
	info, err := fs.Lstat(d.fsys, name)
	if err != nil {
		return Stat{}, bare(err)
	}
	return statOfInfo(info), nil
}

func (d *fsDir) readDir() ([]Entry, error) {
	list, err := fs.ReadDir(d.fsys, d.path)
	return entriesOf(list), bare(err)
}

func (d *fsDir) readlink(name string) (string, error) {
	target, err := fs.ReadLink(d.fsys, path.Join(d.path, name))
	return target, bare(err)
}

func (d *fsDir) openDir(name string) (handle, error) {
	st, err := d.lstat(name)
	switch {
	case err != nil:
		return nil, err
	case st.IsSymlink():
		return nil, ErrSymlink
	case !st.IsDir():
		return nil, ErrNotDir
	}
	return &fsDir{fsys: d.fsys, path: path.Join(d.path, name), limit: d.limit}, nil
}

func (d *fsDir) openFile(name string) (fileHandle, Stat, error) {
	st, err := d.lstat(name)
	switch {
	case err != nil:
		return nil, Stat{}, err
	case st.IsSymlink():
		return nil, Stat{}, ErrSymlink
	case !st.IsRegular():
		return nil, Stat{}, ErrNotRegular
	}
	f, err := d.fsys.Open(path.Join(d.path, name))
	if err != nil {
		return nil, Stat{}, bare(err)
	}
	return &fsFile{f: f, st: st, limit: d.limit}, st, nil
}

// fsFile is a file of an io/fs file system. Its position is its own, so that reading by position
// does not disturb reading on.
type fsFile struct {
	noFileWriting
	f     fs.File
	st    Stat
	limit int64

	mu   sync.Mutex
	pos  int64
	data []byte // the whole file, once it had to be held
	held bool
}

func (f *fsFile) stat() (Stat, error) { return f.st, nil }

func (f *fsFile) Close() error { return bare(f.f.Close()) }

func (f *fsFile) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	n, err := f.readAt(p, f.pos)
	f.pos += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (f *fsFile) ReadAt(p []byte, off int64) (int, error) {
	if r, ok := f.f.(io.ReaderAt); ok {
		n, err := r.ReadAt(p, off)
		return n, bare(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readAt(p, off)
}

func (f *fsFile) readAt(p []byte, off int64) (int, error) {
	switch r := f.f.(type) {
	case io.ReaderAt:
		n, err := r.ReadAt(p, off)
		return n, bare(err)
	case io.Seeker:
		if _, err := r.Seek(off, io.SeekStart); err != nil {
			return 0, bare(err)
		}
		n, err := io.ReadFull(f.f, p)
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		return n, bare(err)
	}
	if err := f.hold(); err != nil {
		return 0, err
	}
	if off >= int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// hold reads the whole file.
func (f *fsFile) hold() error {
	if f.held {
		return nil
	}
	if f.st.Size > f.limit {
		return &LimitError{Limit: "ObjectBytes", Max: f.limit}
	}
	data, err := io.ReadAll(io.LimitReader(f.f, f.st.Size+1))
	if err != nil {
		return bare(err)
	}
	if int64(len(data)) > f.st.Size {
		data = data[:f.st.Size]
	}
	f.data, f.held = data, true
	return nil
}

func (f *fsFile) mapping(int64) ([]byte, func() error, error) {
	return nil, nil, errors.ErrUnsupported
}

// noWriting is the writing half of a handle that cannot write.
type noWriting struct{}

func (noWriting) create(string, fs.FileMode) (fileHandle, error) { return nil, ErrReadOnly }
func (noWriting) openAppend(string, fs.FileMode) (fileHandle, error) {
	return nil, ErrReadOnly
}
func (noWriting) rename(string, handle, string) error { return ErrReadOnly }
func (noWriting) remove(string) error                 { return ErrReadOnly }
func (noWriting) rmdir(string) error                  { return ErrReadOnly }
func (noWriting) mkdir(string, fs.FileMode) error     { return ErrReadOnly }
func (noWriting) symlink(string, string) error        { return ErrReadOnly }
func (noWriting) chmod(string, fs.FileMode) error     { return ErrReadOnly }
func (noWriting) sync() error                         { return ErrReadOnly }

// noFileWriting is the writing half of a file that cannot be written.
type noFileWriting struct{}

func (noFileWriting) write([]byte) (int, error) { return 0, ErrReadOnly }
func (noFileWriting) sync() error               { return ErrReadOnly }
func (noFileWriting) chmod(fs.FileMode) error   { return ErrReadOnly }
