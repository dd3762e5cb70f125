package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// may asks the policy and the hook whether a writing call may be made.
func (w *Workspace) may(call Call) error {
	if w.policy.ReadOnly {
		return ErrReadOnly
	}
	if w.hook != nil {
		return w.hook(call)
	}
	return nil
}

// write makes a writing call on the last component of a name.
func (d *Dir) write(op Op, name, new string, do func(p parent) error) error {
	err := d.ws.may(Call{Op: op, Path: join(d.path, name), New: new})
	if err != nil {
		return pathError(op.String(), d, name, err)
	}
	p, err := d.parent(op.String(), name)
	if err != nil {
		return err
	}
	defer p.done()
	if err := do(p); err != nil {
		return pathError(op.String(), d, name, writeError(err))
	}
	return nil
}

// writeError makes a host's ways to say "read-only" one.
func writeError(err error) error {
	if isReadOnlyFS(err) {
		return fmt.Errorf("%w: %w", err, ErrReadOnly)
	}
	return err
}

// Create creates a file for reading and writing; something of that name, be it a link, is
// fs.ErrExist. The umask applies to perm.
func (d *Dir) Create(name string, perm fs.FileMode) (*File, error) {
	return d.openWritten(name, func(p parent) (fileHandle, error) { return p.create(p.last, perm) })
}

// Append opens a file for writing at its end, wherever that is at each Write, and creates it when it
// is missing. A link is ErrSymlink, another kind ErrNotRegular. The umask applies to perm.
func (d *Dir) Append(name string, perm fs.FileMode) (*File, error) {
	return d.openWritten(name, func(p parent) (fileHandle, error) { return p.openAppend(p.last, perm) })
}

func (d *Dir) openWritten(name string, open func(p parent) (fileHandle, error)) (*File, error) {
	var h fileHandle
	err := d.write(OpCreate, name, "", func(p parent) (err error) {
		h, err = open(p)
		return err
	})
	if err != nil {
		return nil, err
	}
	return d.newWritten(h, name)
}

func (d *Dir) newWritten(h fileHandle, name string) (*File, error) {
	f := &File{h: h, ws: d.ws, dir: d.path, name: name, written: true}
	_, err := f.Refresh()
	if err == nil {
		err = f.shared(d.share)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return f, nil
}

// CreateUnnamed creates a file for reading and writing that has no name until Link gives it one, and is gone when it is
// closed without. The umask applies to perm. It is errors.ErrUnsupported where the host or its file system has no such files.
func (d *Dir) CreateUnnamed(perm fs.FileMode) (*File, error) {
	maker, ok := d.h.(namer)
	if !ok {
		return nil, pathError("create", d, ".", errors.ErrUnsupported)
	}
	err := d.ws.may(Call{Op: OpCreate, Path: d.path})
	if err != nil {
		return nil, pathError("create", d, ".", err)
	}
	h, err := maker.createUnnamed(perm)
	if err != nil {
		return nil, pathError("create", d, ".", writeError(err))
	}
	return d.newWritten(h, ".")
}

// Link gives a file of CreateUnnamed a name in a directory of the same workspace and file system. Something of that name is
// fs.ErrExist. It is errors.ErrUnsupported where the host cannot tell which file is meant.
func (f *File) Link(dir *Dir, name string) error {
	return dir.write(OpLink, name, "", func(p parent) error {
		h, ok := f.h.(linker)
		if !ok {
			return errors.ErrUnsupported
		}
		return h.link(p.handle, p.last)
	})
}

// Rename renames below the directory, replacing what has the new name, as rename(2) does.
func (d *Dir) Rename(old, new string) error { return d.RenameTo(old, d, new) }

// RenameTo renames into another directory of the same workspace and file system.
func (d *Dir) RenameTo(old string, to *Dir, new string) error {
	return d.write(OpRename, old, join(to.path, new), func(p parent) error {
		target, err := to.parent("rename", new)
		if err != nil {
			return err
		}
		defer target.done()
		return p.rename(p.last, target.handle, target.last)
	})
}

// Exchange lets two names of the same workspace and file system change places, both of which must be there: at no instant is
// one missing. It is errors.ErrUnsupported where the host or its file system cannot do that.
func (d *Dir) Exchange(old string, to *Dir, new string) error {
	return d.write(OpRename, old, join(to.path, new), func(p parent) error {
		h, ok := p.handle.(exchanger)
		if !ok {
			return errors.ErrUnsupported
		}
		target, err := to.parent("rename", new)
		if err != nil {
			return err
		}
		defer target.done()
		return h.exchange(p.last, target.handle, target.last)
	})
}

// Remove removes a file or link, not a directory.
func (d *Dir) Remove(name string) error {
	return d.write(OpRemove, name, "", func(p parent) error { return p.remove(p.last) })
}

// Rmdir removes an empty directory.
func (d *Dir) Rmdir(name string) error {
	return d.write(OpRmdir, name, "", func(p parent) error { return p.rmdir(p.last) })
}

// Mkdir creates a directory. The umask applies to perm.
func (d *Dir) Mkdir(name string, perm fs.FileMode) error {
	return d.write(OpMkdir, name, "", func(p parent) error {
		if err := p.mkdir(p.last, perm); err != nil {
			return err
		}
		return p.sharedDir(d.share)
	})
}

// MkdirAll opens a directory below, creating those of its components that are missing, following no
// link: one in the way is ErrSymlink.
func (d *Dir) MkdirAll(name string) (*Dir, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	at, err := d.Reopen()
	if err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(name, "/") {
		next, err := at.openOrMake(part)
		at.Close()
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

func (d *Dir) openOrMake(name string) (*Dir, error) {
	sub, err := d.OpenDir(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return sub, err
	}
	if err := d.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return d.OpenDir(name)
}

// Symlink creates a symbolic link with the given text, which is data: it may lead anywhere.
func (d *Dir) Symlink(target, name string) error {
	return d.write(OpSymlink, name, target, func(p parent) error { return p.symlink(target, p.last) })
}

// Chmod changes the permissions of a file or directory; a link is ErrSymlink.
func (d *Dir) Chmod(name string, perm fs.FileMode) error {
	return d.write(OpChmod, name, "", func(p parent) error { return p.chmod(p.last, perm) })
}

// Sync makes the directory's entries durable, where the host can.
func (d *Dir) Sync() error {
	err := d.ws.may(Call{Op: OpSyncDir, Path: d.path})
	if err == nil {
		err = d.h.sync()
	}
	if err != nil {
		return &fs.PathError{Op: "sync", Path: d.path, Err: writeError(err)}
	}
	return nil
}

// Write appends at the file's position, all of p or an error. The file must come from Create or Append.
func (f *File) Write(p []byte) (int, error) {
	size := len(p)
	err := f.may(Call{Op: OpWrite, Size: size})
	var torn *TornWrite
	if errors.As(err, &torn) {
		size = min(size, torn.Size)
	} else if err != nil {
		return 0, err
	}
	n, writeErr := f.h.write(p[:size])
	if writeErr != nil {
		err = writeErr
	}
	return n, f.wrap("write", err)
}

// Sync makes the file's content durable.
func (f *File) Sync() error {
	if err := f.may(Call{Op: OpSync}); err != nil {
		return err
	}
	return f.wrap("sync", f.h.sync())
}

// Chmod changes the file's permissions.
func (f *File) Chmod(perm fs.FileMode) error {
	if err := f.may(Call{Op: OpChmod}); err != nil {
		return err
	}
	return f.wrap("chmod", f.h.chmod(perm))
}

// may asks whether a call that writes to the open file may be made.
func (f *File) may(call Call) error {
	if !f.written {
		return f.wrap(call.Op.String(), ErrReadOnly)
	}
	if f.ws.hook == nil {
		return nil
	}
	call.Path = f.Path()
	return f.wrap(call.Op.String(), f.ws.hook(call))
}
