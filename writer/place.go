package writer

import (
	"errors"
	"io/fs"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// place puts new content into its place whole, so that a reader never sees half of it, and what was there stays there until
// then. Where the host can, the content has no name at first: a call that dies leaves nothing of it.
func (p *Plan) place(at *folder, name string, c *fileChange, data []byte) error {
	mode := c.mode
	if mode == index.ModeSymlink && !p.w.isLink(mode) {
		mode = index.ModeFile // that holds what the link would
	}
	file, err := unnamed(at.dir, mode, data)
	if err != nil {
		return err
	}
	if file != nil {
		defer file.Close()
		if c.seen.Mode == 0 && file.Link(at.dir, name) == nil {
			return nil
		}
	}
	from, temp, err := p.temporary(at, mode, data, file)
	if err != nil {
		return err
	}
	if c.seen.IsRegular() && from.Exchange(temp, at.dir, name) == nil {
		return dropReplaced(from, temp, at.dir, name, c)
	}
	if err = moveTo(from, temp, at.dir, name); err != nil {
		from.Remove(temp)
	}
	return err
}

// moveTo renames a file onto what is in its place; an empty directory there goes first.
func moveTo(from *sandbox.Dir, temp string, to *sandbox.Dir, name string) error {
	err := from.RenameTo(temp, to, name)
	if err != nil && isDir(to, name) {
		if err = to.Rmdir(name); err == nil {
			err = from.RenameTo(temp, to, name)
		}
	}
	return err
}

// dropReplaced removes a file that has changed places with its new content, or puts it back when it is another than the plan
// saw. A rename onto it would be the end of what somebody wrote just now; and it makes some file systems (ext4 with
// auto_da_alloc) write the new content to disk at once, which a work tree does not need: what a power failure takes can be
// checked out again.
func dropReplaced(from *sandbox.Dir, temp string, to *sandbox.Dir, name string, c *fileChange) error {
	old, err := from.Lstat(temp)
	if err != nil {
		return err
	}
	if sameContent(&old, &c.seen) {
		return from.Remove(temp)
	}
	if err := from.Exchange(temp, to, name); err != nil {
		return err
	}
	return errors.Join(&ChangedError{"'" + c.path + "'"}, from.Remove(temp))
}

// sameContent compares what a rename leaves as it was.
func sameContent(x, y *sandbox.Stat) bool {
	return x.Mode == y.Mode && x.Size == y.Size && x.MTime == y.MTime && x.Ino == y.Ino
}

func isDir(parent *sandbox.Dir, name string) bool {
	stat, err := parent.Lstat(name)
	return err == nil && stat.IsDir()
}

// unnamed writes content into a file without a name; nil for a link, or where the host has no such files.
func unnamed(dir *sandbox.Dir, mode uint32, data []byte) (*sandbox.File, error) {
	if mode == index.ModeSymlink {
		return nil, nil
	}
	file, err := dir.CreateUnnamed(permissions(mode))
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(data); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func permissions(mode uint32) fs.FileMode {
	if mode == index.ModeExecutable {
		return 0o777
	}
	return 0o666
}

// temporary gives content a fresh name, and the file that holds it already, if any: in the git directory, or beside its place
// where that is on another file system.
func (p *Plan) temporary(at *folder, mode uint32, data []byte, file *sandbox.File) (dir *sandbox.Dir, name string, err error) {
	dir = p.w.repo.GitDir().Private()
	if at.isFar(dir) {
		dir = at.dir
	}
	name = "ingit-" + randomName()
	if mode == index.ModeSymlink {
		return dir, name, dir.Symlink(string(data), name)
	}
	if file != nil && file.Link(dir, name) == nil {
		return dir, name, nil
	}
	name, err = writeTemp(dir, "ingit-", permissions(mode), data, false)
	return dir, name, err
}

func sameDevice(x, y *sandbox.Dir) bool {
	one, err := x.Stat()
	if err != nil {
		return false
	}
	other, err := y.Stat()
	return err == nil && one.Dev == other.Dev
}
