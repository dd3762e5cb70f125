package reader

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

// CheckedOutAt returns the path of another work tree of the repository that
// has the branch of that full name checked out, "" when none has
// (git-worktree(1)).
func (r *Repository) CheckedOutAt(branch string) (string, error) {
	common := r.CommonDir()
	if r.Linked() && headNames(common, "HEAD", branch) {
		if bare, err := r.Config().Bool("core.bare", false); err == nil && !bare {
			return strings.TrimSuffix(common.Path(), "/.git"), nil
		}
	}
	trees, err := common.OpenDir("worktrees")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer trees.Close()
	entries, err := trees.ReadDir()
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if trees.Path()+"/"+e.Name == r.GitDir().Path() || !headNames(trees, e.Name+"/HEAD", branch) {
			continue
		}
		data, err := trees.ReadFile(e.Name+"/gitdir", maxHeadFile)
		if err != nil {
			continue
		}
		file := strings.TrimSpace(string(data))
		if !path.IsAbs(file) {
			file = path.Join(trees.Path(), e.Name, file)
		}
		return strings.TrimSuffix(file, "/.git"), nil
	}
	return "", nil
}

// maxHeadFile bounds HEAD and gitdir files, which hold one line.
const maxHeadFile = 1 << 16

// headNames reports whether a HEAD file is a symbolic ref to that name.
func headNames(dir *sandbox.Dir, file, branch string) bool {
	data, err := dir.ReadFile(file, maxHeadFile)
	if err != nil {
		return false
	}
	target, ok := strings.CutPrefix(string(data), "ref:")
	return ok && strings.TrimSpace(target) == branch
}
