package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

func errorIsNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// isLink reports whether a path of that mode is a link in the work tree.
func (w *Writer) isLink(mode uint32) bool { return mode == index.ModeSymlink && w.links }

// fileChange is one path of the work tree that a plan writes or removes.
type fileChange struct {
	path string
	mode uint32 // of the index; 0: remove
	// seen is what was at the path when it was planned; zero: nothing. Apply refuses when it is no longer so.
	seen sandbox.Stat
	// directory removes an empty directory, a submodule's; with other content it stays.
	directory bool
	// clear removes a whole directory in the path's place, which holds nothing but ignored files by then.
	clear bool
	// content returns the bytes for the work tree, conversions done; nil for a submodule's directory.
	content func() ([]byte, error)
	// entry of the plan's index takes the stat data of the written file; nil: none does.
	entry *index.Entry
}

func (c *fileChange) step() Step {
	if c.mode == 0 {
		return Step{Action: "remove", Name: c.path}
	}
	return Step{Action: "write", Name: c.path, Detail: fmt.Sprintf("%06o", c.mode)}
}

// checkFiles refuses when a path is no longer what was planned with.
func (p *Plan) checkFiles() error {
	if len(p.files) == 0 {
		return nil
	}
	look, err := p.newGlance()
	if err != nil {
		return err
	}
	defer look.close()
	for i := range p.files {
		c := &p.files[i]
		stat, err := look.stat(c.path)
		if err != nil {
			return err
		}
		if stat != c.seen {
			return &ChangedError{"'" + c.path + "'"}
		}
	}
	return nil
}

// changeFiles makes the plan's changes of the work tree: first what goes, then what comes, each in order.
func (p *Plan) changeFiles(ctx context.Context) error {
	if len(p.files) == 0 {
		return nil
	}
	top, err := p.w.repo.WorkTree()
	if err != nil {
		return err
	}
	if err := p.removeFiles(top); err != nil {
		return err
	}
	at := &folder{top: top}
	defer at.close()
	for c := range p.contents() {
		err := cmp.Or(ctx.Err(), c.err)
		if err == nil {
			err = p.writeFile(at, c.change, c.data)
		}
		if err != nil {
			return fmt.Errorf("unable to create file %s: %w", c.change.path, err)
		}
	}
	return nil
}

// hasParent reports whether the directory of a path is there: when its last file goes, it goes too, even if the file went
// before.
func (p *Plan) hasParent(path string) bool {
	dir := dirOf(path)
	if dir == "" {
		return false
	}
	stat, err := p.statFile(dir)
	return err == nil && stat.IsDir()
}

// removeFiles removes files and links, and the directories that they leave empty. One that is gone is fine.
func (p *Plan) removeFiles(top *sandbox.Dir) error {
	look := &glance{top: top}
	defer look.close()
	last := ""
	for i := range p.files {
		c := &p.files[i]
		if c.mode != 0 {
			continue
		}
		if dir := dirOf(c.path); dir != last {
			look.close()
			pruneDirs(top, last)
			last = dir
		}
		if err := look.remove(c); err != nil {
			return err
		}
	}
	look.close()
	pruneDirs(top, last)
	return nil
}

// remove removes a file, or the directory of a submodule unless it holds something.
func (g *glance) remove(c *fileChange) error {
	dir, err := g.parent(c.path)
	if err == nil {
		name := c.path[strings.LastIndexByte(c.path, '/')+1:]
		if c.directory {
			dir.Rmdir(name)
			return nil
		}
		err = dir.Remove(name)
	}
	_, err = orNothing(sandbox.Stat{}, err)
	return err
}

// pruneDirs removes a directory and those above it, as far as they are empty.
func pruneDirs(top *sandbox.Dir, dir string) {
	for ; dir != "" && top.Rmdir(dir) == nil; dir = dirOf(dir) {
	}
}

// writeFile puts one path into the work tree.
func (p *Plan) writeFile(at *folder, c *fileChange, data []byte) error {
	slash := strings.LastIndexByte(c.path, '/')
	name := c.path[slash+1:]
	parent, err := at.open(c.path[:max(slash, 0)])
	if err != nil {
		return err
	}
	if c.mode == index.ModeGitlink {
		return makeDir(parent, name)
	}
	if c.clear {
		if err := removeTree(parent, name); err != nil {
			return err
		}
	}
	if err := p.place(at, name, c, data); err != nil {
		return err
	}
	if c.entry == nil {
		return nil
	}
	stat, err := parent.Lstat(name)
	if err == nil {
		c.entry.SetStat(&stat)
	}
	return err
}

// folder is the directory that files are written to, kept open from one file to the next.
type folder struct {
	top, dir *sandbox.Dir
	path     string
	far      *bool // it is on another file system than the git directory; nil: not known yet
}

// open makes and opens the directory of that path, "" being the top.
func (f *folder) open(path string) (*sandbox.Dir, error) {
	if f.dir != nil && f.path == path {
		return f.dir, nil
	}
	f.close()
	if path == "" {
		f.dir, f.path = f.top, path
		return f.dir, nil
	}
	dir, err := f.top.MkdirAll(path)
	if err == nil {
		f.dir, f.path = dir, path
	}
	return dir, err
}

func (f *folder) close() {
	if f.dir != nil && f.dir != f.top {
		f.dir.Close()
	}
	f.dir, f.far = nil, nil
}

// isFar reports whether the folder is on another file system than a directory.
func (f *folder) isFar(dir *sandbox.Dir) bool {
	if f.far == nil {
		far := !sameDevice(dir, f.dir)
		f.far = &far
	}
	return *f.far
}

// removeTree removes a directory with all that is in it, following no link.
func removeTree(parent *sandbox.Dir, name string) error {
	stat, err := parent.Lstat(name)
	if err != nil || !stat.IsDir() {
		return nil
	}
	dir, err := parent.OpenDir(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	entries, err := dir.ReadDir()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type.IsDir() {
			err = removeTree(dir, e.Name)
		} else {
			err = dir.Remove(e.Name)
		}
		if err != nil {
			return err
		}
	}
	return parent.Rmdir(name)
}

// makeDir makes the directory of a submodule, which stays empty.
func makeDir(parent *sandbox.Dir, name string) error {
	if err := parent.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
