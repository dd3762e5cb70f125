package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
)

// rootDir is a directory by an os.Root of its own, for hosts without the calls of host_unix.go. That
// is the second fence: under some WASI hosts os.Root follows links out of the mounted folder, so
// nothing is opened before Lstat has said that it is no link, and what was opened is compared with
// what Lstat saw.
type rootDir struct {
	root *os.Root
	top  *os.Root // the root that this one was reached from, for renames between directories
	rel  string   // the way from there, slash separated
}

func openRoot(name string) (handle, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, bare(err)
	}
	if !info.IsDir() {
		return nil, ErrNotDir
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, bare(err)
	}
	return &rootDir{root: root, top: root, rel: "."}, nil
}

// bare takes the host's error out of a *fs.PathError: Dir wraps it with the whole path.
func bare(err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &linkErr):
		return linkErr.Err
	}
	return err
}

func (d *rootDir) close() error { return bare(d.root.Close()) }

func (d *rootDir) reopen() (handle, error) {
	root, err := d.root.OpenRoot(".")
	if err != nil {
		return nil, bare(err)
	}
	return &rootDir{root: root, top: d.top, rel: d.rel}, nil
}

// check returns what stands under a name, which must not be a link.
func (d *rootDir) check(name string) (fs.FileInfo, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, bare(err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, ErrSymlink
	}
	return info, nil
}

// same says whether an opened file is the one that Lstat saw. Where the host numbers no files, any
// is.
func same(seen, opened fs.FileInfo) bool {
	if st := statOfInfo(seen); st.Ino == 0 && hostNumbers {
		return true
	}
	return os.SameFile(seen, opened)
}

func (d *rootDir) lstat(name string) (Stat, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return Stat{}, bare(err)
	}
	return statOfInfo(info), nil
}

func (d *rootDir) self() (Stat, error) {
	info, err := d.root.Stat(".")
	if err != nil {
		return Stat{}, bare(err)
	}
	return statOfInfo(info), nil
}

func (d *rootDir) readDir() ([]Entry, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	return entriesOf(list), bare(err)
}

func entriesOf(list []fs.DirEntry) []Entry {
	entries := make([]Entry, len(list))
	for i, e := range list {
		entries[i] = Entry{Name: e.Name(), Type: e.Type()}
	}
	return entries
}

func (d *rootDir) readlink(name string) (string, error) {
	target, err := d.root.Readlink(name)
	return target, bare(err)
}

func (d *rootDir) openDir(name string) (handle, error) {
	seen, err := d.check(name)
	if err != nil {
		return nil, err
	}
	if !seen.IsDir() {
		return nil, ErrNotDir
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, bare(err)
	}
	if opened, err := root.Stat("."); err != nil || !same(seen, opened) {
		root.Close()
		return nil, ErrSymlink
	}
	return &rootDir{root: root, top: d.top, rel: path.Join(d.rel, name)}, nil
}

func (d *rootDir) openFile(name string) (fileHandle, Stat, error) {
	return d.openRegular(name, os.O_RDONLY)
}

// openRegular opens a file that exists.
func (d *rootDir) openRegular(name string, flag int) (fileHandle, Stat, error) {
	seen, err := d.check(name)
	if err != nil {
		return nil, Stat{}, err
	}
	if !seen.Mode().IsRegular() {
		return nil, Stat{}, ErrNotRegular
	}
	f, err := d.root.OpenFile(name, flag, 0)
	if err != nil {
		return nil, Stat{}, bare(err)
	}
	opened, err := f.Stat()
	switch {
	case err != nil:
	case !opened.Mode().IsRegular():
		err = ErrNotRegular
	case !same(seen, opened):
		err = ErrSymlink
	default:
		return rootFile{f}, statOfInfo(opened), nil
	}
	f.Close()
	return nil, Stat{}, bare(err)
}

func (d *rootDir) create(name string, perm fs.FileMode) (fileHandle, error) {
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm.Perm())
	if runtime.GOOS == "wasip1" && errors.Is(err, fs.ErrNotExist) {
		return nil, ErrReadOnly // so some hosts say that a mount cannot be written
	}
	if err != nil {
		return nil, bare(err)
	}
	return rootFile{f}, nil
}

func (d *rootDir) openAppend(name string, perm fs.FileMode) (fileHandle, error) {
	f, _, err := d.openRegular(name, os.O_WRONLY|os.O_APPEND)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	made, err := d.root.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, perm.Perm())
	if err != nil {
		return nil, bare(err)
	}
	return rootFile{made}, nil
}

func (d *rootDir) rename(old string, to handle, new string) error {
	target := to.(*rootDir)
	if target == d {
		return bare(d.root.Rename(old, new))
	}
	return bare(d.top.Rename(path.Join(d.rel, old), path.Join(target.rel, new)))
}

func (d *rootDir) remove(name string) error {
	if st, err := d.lstat(name); err == nil && st.IsDir() {
		return errIsDir
	}
	return bare(d.root.Remove(name))
}

func (d *rootDir) rmdir(name string) error {
	if st, err := d.lstat(name); err == nil && !st.IsDir() {
		return ErrNotDir
	}
	return bare(d.root.Remove(name))
}

func (d *rootDir) mkdir(name string, perm fs.FileMode) error {
	return bare(d.root.Mkdir(name, perm.Perm()))
}

func (d *rootDir) symlink(target, name string) error { return bare(d.root.Symlink(target, name)) }

func (d *rootDir) chmod(name string, perm fs.FileMode) error {
	if _, err := d.check(name); err != nil {
		return err
	}
	return chmodError(d.root.Chmod(name, perm.Perm()))
}

// chmodError lets a host without permissions be: there is nothing to change.
func chmodError(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return bare(err)
}

// sync is for hosts that can sync a directory; the others keep its entries safe themselves.
func (d *rootDir) sync() error {
	f, err := d.root.Open(".")
	if err != nil {
		return bare(err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil && isReadOnlyFS(bare(err)) {
		return bare(err)
	}
	return nil
}

// rootFile is a regular file opened by an os.Root.
type rootFile struct{ f *os.File }

func (f rootFile) Read(p []byte) (int, error) {
	n, err := f.f.Read(p)
	return n, bare(err)
}

func (f rootFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.f.ReadAt(p, off)
	return n, bare(err)
}

func (f rootFile) Close() error { return bare(f.f.Close()) }

func (f rootFile) write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, bare(err)
}

func (f rootFile) sync() error { return bare(f.f.Sync()) }

func (f rootFile) chmod(perm fs.FileMode) error { return chmodError(f.f.Chmod(perm.Perm())) }

func (f rootFile) stat() (Stat, error) {
	info, err := f.f.Stat()
	if err != nil {
		return Stat{}, bare(err)
	}
	return statOfInfo(info), nil
}

func (f rootFile) mapping(int64) ([]byte, func() error, error) {
	return nil, nil, errors.ErrUnsupported
}

// statOfInfo takes what it can from a host's or another file system's file information.
func statOfInfo(info fs.FileInfo) Stat {
	st := Stat{Mode: info.Mode(), Size: info.Size()}
	if t := info.ModTime(); !t.IsZero() {
		st.MTime = Time{t.Unix(), uint32(t.Nanosecond())}
	}
	addSystemStat(&st, info.Sys())
	return st
}
