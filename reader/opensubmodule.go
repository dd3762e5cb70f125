package reader

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/ingit-dev/ingit/sandbox"
)

// OpenSubmodule opens the repository of the submodule at a path: the one in the
// work tree or, where there is none, the one that git keeps below modules/ in
// the git directory. Without either the error is fs.ErrNotExist.
func (r *Repository) OpenSubmodule(ctx context.Context, at string) (*Repository, error) {
	top, err := r.WorkTree()
	if err != nil {
		return nil, fs.ErrNotExist
	}
	if dir, err := top.OpenDir(at); err == nil {
		defer dir.Close()
		found, ok, err := dotGit(dir)
		if ok && err == nil {
			found.close()
			return Open(ctx, dir, r.options)
		}
		if outside := (*sandbox.OutsideError)(nil); errors.As(err, &outside) {
			return nil, err
		}
	}
	name, err := r.submoduleName(at)
	if err != nil {
		return nil, err
	}
	dir, err := r.CommonDir().OpenDirFollow(path.Join("modules", name))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if !plausibleHead(dir) {
		return nil, fs.ErrNotExist
	}
	return Open(ctx, dir, r.options)
}

// submoduleName returns the name that .gitmodules gives to the submodule at a
// path.
func (r *Repository) submoduleName(at string) (string, error) {
	ix, err := r.Index()
	if err != nil {
		return "", err
	}
	modules, err := r.gitmodules(ix)
	if err != nil {
		return "", err
	}
	for _, name := range modules.Subsections("submodule") {
		if p, ok := modules.Get("submodule." + name + ".path"); ok && p == at && fs.ValidPath(name) {
			return name, nil
		}
	}
	return "", fs.ErrNotExist
}
