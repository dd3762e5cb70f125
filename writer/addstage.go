package writer

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// stage plans a path's new entry; mode 0 takes it from the file.
func (a *adding) stage(path string, mode uint32) error {
	stat, err := a.stat(path)
	if err != nil {
		return err
	}
	if mode == 0 {
		mode = a.modeOf(path, stat)
	}
	if a.rules.check(path, mode) != nil {
		return &AddPathError{path}
	}
	e := index.Entry{Name: path, Mode: mode}
	e.SetStat(&stat)
	if mode == index.ModeGitlink {
		var ok bool
		if e.ID, ok = a.w.repo.NestedHead(a.ctx, path); !ok {
			return &NoCommitError{path + "/"}
		}
	} else if e.ID, err = a.blob(path); err != nil {
		return err
	}
	a.changes = append(a.changes, index.PathChange{Name: path, Entries: []index.Entry{e}})
	return nil
}

// modeOf is the mode of a file. What the file system is said not to tell, executable bits and links, is taken from the index
// (core.fileMode and core.symlinks in git-config(1)).
func (a *adding) modeOf(path string, stat sandbox.Stat) uint32 {
	known := a.knownMode(path)
	switch {
	case stat.IsSymlink():
		return index.ModeSymlink
	case !a.w.links && known == index.ModeSymlink:
		return known
	case !a.fileMode && (known == index.ModeFile || known == index.ModeExecutable):
		return known
	case a.fileMode && stat.Mode.Perm()&0o100 != 0:
		return index.ModeExecutable
	}
	return index.ModeFile
}

// knownMode is the mode in the index, of an unmerged path our side's, else the base's, else theirs; 0 for a new path.
func (a *adding) knownMode(path string) uint32 {
	for _, stage := range []uint8{0, 2, 1, 3} {
		if at, ok := a.x.Find(path, stage); ok {
			return a.x.Entries[at].Mode
		}
	}
	return 0
}

// blob plans the object of a file.
func (a *adding) blob(path string) (plumbing.Hash, error) {
	data, err := a.cleaner.Content(path)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	objects := a.plan.objects
	id, err := objects.hasher.id(plumbing.BlobObject, data)
	if err == nil {
		objects.addBlob(id, data, func() ([]byte, error) { return a.cleaner.Content(path) })
	}
	return id, err
}

func (a *adding) stat(path string) (sandbox.Stat, error) {
	top, err := a.w.repo.WorkTree()
	if err != nil {
		return sandbox.Stat{}, err
	}
	return top.Lstat(path)
}
