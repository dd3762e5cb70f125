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
	if _, err := r.WorkTree(); err != nil {
		return nil, fs.ErrNotExist
	}
	sub, err := r.CheckedOut(ctx, at)
	if outside := (*sandbox.OutsideError)(nil); err == nil || errors.As(err, &outside) {
		return sub, err
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

// CheckedOut opens the repository in a directory of the work tree, itself and
// none around it. Where there is none the error is fs.ErrNotExist.
func (r *Repository) CheckedOut(ctx context.Context, at string) (*Repository, error) {
	top, err := r.WorkTree()
	if err != nil {
		return nil, err
	}
	dir, err := top.OpenDir(at)
	if err != nil {
		return nil, fs.ErrNotExist
	}
	defer dir.Close()
	found, ok, err := dotGit(dir)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fs.ErrNotExist
	}
	found.close()
	return Open(ctx, dir, r.options)
}

// IgnoresSubmodule reports that the configuration or .gitmodules say of the
// submodule at a path that nothing about it is to be shown (submodule.NAME.ignore
// in git-config(1)).
func (r *Repository) IgnoresSubmodule(ctx context.Context, at string) (bool, error) {
	ix, err := r.Index()
	if err != nil {
		return false, err
	}
	ignores, err := newSubmodules(ctx, r, ix, ChangeOptions{}).ignores()
	return ignores[at] == IgnoreAll, err
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
