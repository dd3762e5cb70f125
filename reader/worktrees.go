package reader

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

// LinkedTree is a work tree of a repository, as git-worktree(1) lists it.
type LinkedTree struct {
	Path     string        // absolute, as the repository's files have it
	Bare     bool          // the main one, when the repository has no work tree
	Head     plumbing.Hash // zero before the first commit
	Branch   string        // full name; "" when detached
	Locked   bool
	Reason   string // why it is locked; "" when nobody said
	Prunable string // why git worktree prune would forget it; "" when it wouldn't
}

// Worktrees lists the work trees of the repository: the main one, then the
// linked ones by path. Whether a linked one outside the workspace still exists
// is not looked at.
func (r *Repository) Worktrees(ctx context.Context) ([]LinkedTree, error) {
	list := []LinkedTree{r.mainTree()}
	trees, err := r.CommonDir().OpenDir("worktrees")
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	defer trees.Close()
	entries, err := trees.ReadDir()
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tree, ok, err := r.linkedTree(trees, e.Name)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, tree)
		}
	}
	slices.SortFunc(list[1:], func(x, y LinkedTree) int { return cmp.Compare(x.Path, y.Path) })
	return list, nil
}

func (r *Repository) mainTree() LinkedTree {
	common := r.CommonDir()
	t := LinkedTree{Path: strings.TrimSuffix(common.Path(), "/.git")}
	bare, err := r.Config().Bool("core.bare", false)
	if t.Bare = err == nil && bare || !r.Linked() && r.Bare(); !t.Bare {
		t.setHead(refs.Open(common, common))
	}
	return t
}

func (t *LinkedTree) setHead(store *refs.Store) {
	head, _ := store.Resolve("HEAD") // unborn or broken: what is known stands
	if t.Head = head.ID; head.Name != "HEAD" {
		t.Branch = head.Name
	}
}

// linkedTree reads a folder of $GIT_DIR/worktrees; false when it names no work
// tree.
func (r *Repository) linkedTree(trees *sandbox.Dir, name string) (t LinkedTree, ok bool, err error) {
	dir, err := trees.OpenDir(name)
	if err != nil {
		return t, false, nil
	}
	defer dir.Close()
	data, err := dir.ReadFile("gitdir", maxHeadFile)
	if err != nil || len(data) == 0 {
		return t, false, nil
	}
	file := strings.TrimRight(string(data), " \t\n\r")
	if !path.IsAbs(file) {
		file = path.Join(dir.Path(), file)
	}
	t.Path = strings.TrimSuffix(file, "/.git")
	t.setHead(refs.Open(dir, r.CommonDir()))
	if reason, err := dir.ReadFile("locked", maxHeadFile); err == nil {
		t.Locked, t.Reason = true, strings.Trim(string(reason), " \t\n\r")
		return t, true, nil
	}
	switch _, err := r.gitFileOf(file); {
	case file == "":
		t.Prunable = "invalid gitdir file"
	case errors.Is(err, fs.ErrNotExist):
		t.Prunable = "gitdir file points to non-existent location"
	}
	return t, true, nil
}

// gitFileOf looks at a linked work tree's .git file.
func (r *Repository) gitFileOf(file string) (sandbox.Stat, error) {
	dir, err := r.Workspace().OpenDir(path.Dir(file))
	if err != nil {
		return sandbox.Stat{}, err
	}
	defer dir.Close()
	return dir.Lstat(path.Base(file))
}
