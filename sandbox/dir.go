package sandbox

import (
	"errors"
	"io/fs"
	"strings"
)

// Dir is an open directory inside a workspace. Names below it are reached without following links,
// component by component, so "a/b/c" means that a and b are directories. It may be used from many
// goroutines at once, but not after Close.
type Dir struct {
	ws    *Workspace
	path  string
	h     handle
	share Share
}

// Path returns the directory's absolute path, slash separated, as it was when it was opened.
func (d *Dir) Path() string { return d.path }

// Workspace returns the workspace that the directory belongs to.
func (d *Dir) Workspace() *Workspace { return d.ws }

// Close releases the handle. Directories opened from it stay open.
func (d *Dir) Close() error { return d.h.close() }

// Reopen returns another handle of the same directory, with a life of its own.
func (d *Dir) Reopen() (*Dir, error) {
	h, err := d.h.reopen()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.path, Err: err}
	}
	return &Dir{ws: d.ws, path: d.path, h: h, share: d.share}, nil
}

// parent is the directory that holds the last component of a name.
type parent struct {
	handle
	last  string
	owned bool // opened for this name, so close it
}

func (p parent) done() {
	if p.owned {
		p.close()
	}
}

// parent opens the directories of a name of several components.
func (d *Dir) parent(op, name string) (parent, error) {
	if plainName(name) {
		return parent{handle: d.h, last: name}, nil
	}
	if err := checkName(name); err != nil {
		return parent{}, err
	}
	if h, ok := d.h.(pathHandle); ok {
		i := strings.LastIndexByte(name, '/')
		dir, err := h.openDirPath(name[:i])
		if err == nil {
			return parent{handle: dir, last: name[i+1:], owned: true}, nil
		}
		if err != errWalk {
			return parent{}, pathError(op, d, name, err)
		}
	}
	return d.walk(op, name)
}

// walk opens the directories of a name one by one.
func (d *Dir) walk(op, name string) (parent, error) {
	at := parent{handle: d.h, last: name}
	for {
		first, rest, more := strings.Cut(at.last, "/")
		if !more {
			return at, nil
		}
		next, err := at.openDir(first)
		at.done()
		if err != nil {
			if err == ErrNotDir {
				err = missingBelowError{}
			}
			return parent{}, pathError(op, d, name[:len(name)-len(rest)-1], err)
		}
		at = parent{handle: next, last: rest, owned: true}
	}
}

// Stat tells of the directory itself.
func (d *Dir) Stat() (Stat, error) {
	st, err := d.h.self()
	if err != nil {
		return Stat{}, &fs.PathError{Op: "stat", Path: d.path, Err: err}
	}
	return st, nil
}

// Lstat tells of a file, not following a link. On Linux it allocates nothing for a single component.
func (d *Dir) Lstat(name string) (Stat, error) {
	if plainName(name) {
		st, err := d.h.lstat(name)
		if err == nil {
			return st, nil
		}
		return Stat{}, pathError("lstat", d, name, err)
	}
	p, err := d.parent("lstat", name)
	if err != nil {
		return Stat{}, err
	}
	defer p.done()
	st, err := p.lstat(p.last)
	if err != nil {
		err = pathError("lstat", d, name, err)
	}
	return st, err
}

// ReadDir returns the directory's names with their types, without "." and "..", in no order. A
// type is what it was then: the name may mean something else when it is opened.
func (d *Dir) ReadDir() ([]Entry, error) {
	entries, err := d.h.readDir()
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: d.path, Err: err}
	}
	return entries, nil
}

// ReadDirUnless is ReadDir, appended to into, unless the directory has just known names, ".git" not
// counted: then more is false and there are no entries. It saves a caller who knows that many names
// to be there the cost of the listing.
func (d *Dir) ReadDirUnless(known int, into []Entry) (entries []Entry, more bool, err error) {
	if c, ok := d.h.(counter); ok {
		entries, more, err = c.readDirUnless(known, into)
	} else if entries, err = d.h.readDir(); err == nil {
		entries, more = unless(entries, known)
		entries = append(into, entries...)
	}
	if err != nil {
		return nil, false, &fs.PathError{Op: "readdir", Path: d.path, Err: err}
	}
	return entries, more, nil
}

// unless drops a listing that has just known names beside ".git".
func unless(entries []Entry, known int) ([]Entry, bool) {
	count := 0
	for i := range entries {
		if entries[i].Name != ".git" {
			count++
		}
	}
	if count == known {
		return nil, false
	}
	return entries, true
}

// Readlink returns a symbolic link's text.
func (d *Dir) Readlink(name string) (string, error) {
	p, err := d.parent("readlink", name)
	if err != nil {
		return "", err
	}
	defer p.done()
	target, err := p.readlink(p.last)
	if err != nil {
		return "", pathError("readlink", d, name, err)
	}
	return target, nil
}

// OpenDir opens a directory below. The error is ErrSymlink where a link is met, ErrNotDir where a
// file is, both under errors.Is.
func (d *Dir) OpenDir(name string) (*Dir, error) {
	p, err := d.parent("open", name)
	if err != nil {
		return nil, err
	}
	defer p.done()
	h, err := p.openDir(p.last)
	if err != nil {
		return nil, pathError("open", d, name, err)
	}
	return &Dir{ws: d.ws, path: join(d.path, name), h: h, share: d.share}, nil
}

// Open opens a regular file for reading. Everything else is refused at once, without waiting for
// the other end of a FIFO: ErrSymlink or ErrNotRegular under errors.Is.
func (d *Dir) Open(name string) (*File, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	return &f, nil
}

func (d *Dir) open(name string) (File, error) {
	if h, ok := d.h.(pathHandle); ok && !plainName(name) && checkName(name) == nil {
		f, st, err := h.openFilePath(name)
		if err == nil {
			return File{h: f, stat: st, ws: d.ws, dir: d.path, name: name}, nil
		}
		if err != errWalk {
			return File{}, pathError("open", d, name, err)
		}
	}
	p, err := d.parent("open", name)
	if err != nil {
		return File{}, err
	}
	defer p.done()
	h, st, err := p.openFile(p.last)
	if err != nil {
		return File{}, pathError("open", d, name, err)
	}
	return File{h: h, stat: st, ws: d.ws, dir: d.path, name: name}, nil
}

// ReadFile returns a regular file's content, at most limit bytes of it; a longer file is a
// *LimitError. With limit <= 0 the bound is Limits.ObjectBytes.
func (d *Dir) ReadFile(name string, limit int64) ([]byte, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadAll(limit)
}

// OpenFollow opens a regular file that may be a link, as files of the git directory may. The link
// is resolved by the workspace and must stay inside it or an allowed path, else *OutsideError.
func (d *Dir) OpenFollow(name string) (*File, error) {
	f, err := d.Open(name)
	if !errors.Is(err, ErrSymlink) {
		return f, err
	}
	return d.ws.OpenFile(join(d.path, name))
}

// OpenDirFollow opens a directory as OpenFollow opens a file.
func (d *Dir) OpenDirFollow(name string) (*Dir, error) {
	sub, err := d.OpenDir(name)
	if !errors.Is(err, ErrSymlink) {
		return sub, err
	}
	return d.ws.OpenDir(join(d.path, name))
}
