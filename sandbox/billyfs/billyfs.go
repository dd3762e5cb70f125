// Package billyfs makes a go-billy file system, in memory or an embedder's own, an io/fs file system
// for sandbox.FromFS.
package billyfs

import (
	"io/fs"
	"path"
	"syscall"

	"github.com/go-git/go-billy/v5"
)

// Source is what is used of a billy.Filesystem, every one of which is a Source.
type Source interface {
	billy.Basic
	billy.Dir
	billy.Symlink
}

// New returns a read-only view of a go-billy file system. It tells of links, so that sandbox.FromFS
// follows none. Its files are read by position, one reader of a file at a time where the file system
// asks for that.
func New(source Source) fs.FS { return view{source} }

type view struct{ source Source }

// check is the rule of io/fs for names.
func check(op, name string) error {
	if !fs.ValidPath(name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// Open opens a file or directory, following a link as io/fs asks for.
func (v view) Open(name string) (fs.File, error) {
	info, err := v.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return &dir{view: v, name: name, info: info}, nil
	}
	f, err := v.source.Open(name)
	if err != nil {
		return nil, err
	}
	return &file{File: f, info: info}, nil
}

// Stat tells of a file, following a link.
func (v view) Stat(name string) (fs.FileInfo, error) {
	if err := check("stat", name); err != nil {
		return nil, err
	}
	info, err := v.source.Stat(name)
	if err != nil {
		return nil, err
	}
	return named{info, path.Base(name)}, nil
}

// Lstat tells of a file or link.
func (v view) Lstat(name string) (fs.FileInfo, error) {
	if err := check("lstat", name); err != nil {
		return nil, err
	}
	info, err := v.source.Lstat(name)
	if err != nil {
		return nil, err
	}
	return named{info, path.Base(name)}, nil
}

// named gives a file its name: some file systems call the top "/".
type named struct {
	fs.FileInfo
	name string
}

func (n named) Name() string { return n.name }

// ReadLink returns a link's text.
func (v view) ReadLink(name string) (string, error) {
	if err := check("readlink", name); err != nil {
		return "", err
	}
	return v.source.Readlink(name)
}

// ReadDir returns a directory's entries in the file system's order.
func (v view) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := check("readdir", name); err != nil {
		return nil, err
	}
	list, err := v.source.ReadDir(name)
	if err != nil {
		return nil, err
	}
	entries := make([]fs.DirEntry, len(list))
	for i, info := range list {
		entries[i] = fs.FileInfoToDirEntry(info)
	}
	return entries, nil
}

// file is an open file; billy's own does not tell of itself.
type file struct {
	billy.File
	info fs.FileInfo
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }

// dir is an open directory.
type dir struct {
	view view
	name string
	info fs.FileInfo
}

func (d *dir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *dir) Close() error               { return nil }

func (d *dir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: syscall.EISDIR}
}
