package reader

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/sandbox"
)

// ErrNotTree is git's answer where an object leads to no tree.
var ErrNotTree = errors.New("not a tree object")

// ListTreeOptions selects what ListTree yields. The zero value yields the
// entries of the tree itself.
type ListTreeOptions struct {
	// Path leads to one entry, relative to the tree, slash separated and
	// clean. With a slash at its end it means the entries of that tree.
	Path      string
	Recursive bool // yield what is below a tree instead of the tree
}

// ListTree yields the entries of the tree that id is or leads to, a commit or
// a tag, in the tree's order, with paths relative to it, as git-ls-tree(1)
// does. A path that is not there yields nothing.
func (r *Repository) ListTree(ctx context.Context, id plumbing.Hash, opts ListTreeOptions) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		tree, err := r.TreeOf(id)
		if isLost(err) {
			err = ErrNotTree
		}
		if err == nil {
			l := treeLister{ctx: ctx, repo: r, opts: opts, yield: yield, depth: r.Workspace().Policy().Limits.WithDefaults().TreeDepth}
			err = l.list(tree, "")
		}
		if err != nil && err != errStop {
			yield(Entry{}, err)
		}
	}
}

// treeLister walks one tree for ListTree.
type treeLister struct {
	ctx   context.Context
	repo  *Repository
	opts  ListTreeOptions
	yield func(Entry, error) bool
	depth int // trees that may still lie inside each other
}

func (l *treeLister) list(id plumbing.Hash, prefix string) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if l.depth--; l.depth < 0 {
		return &sandbox.LimitError{Limit: "TreeDepth", Max: int64(l.repo.Workspace().Policy().Limits.WithDefaults().TreeDepth)}
	}
	defer func() { l.depth++ }()
	kind, data, err := l.repo.Objects().Read(id)
	if err != nil {
		return err
	}
	if kind != plumbing.TreeObject {
		return ErrNotTree
	}
	for entries := object.NewTreeIter(data); ; {
		e, ok, err := entries.Next()
		if !ok || err != nil {
			return err
		}
		if err := l.entry(e, prefix+string(e.Name)); err != nil {
			return err
		}
	}
}

func (l *treeLister) entry(e object.TreeEntry, path string) error {
	selected, beyond := l.selects(path, e.Mode)
	if !selected && !beyond {
		return nil
	}
	if e.IsTree() && (l.opts.Recursive || beyond) {
		return l.list(e.ID, path+"/")
	}
	if selected && !l.yield(Entry{Path: path, Mode: object.CanonMode(e.Mode), ID: e.ID, IDKnown: true}, nil) {
		return errStop
	}
	return nil
}

// selects says whether the options select the path itself, or lead beyond it.
// A slash at the end of the wanted path suits a submodule as well as a tree.
func (l *treeLister) selects(path string, mode uint32) (selected, beyond bool) {
	want, isTree := l.opts.Path, mode == object.ModeTree
	dir := strings.TrimSuffix(want, "/")
	switch {
	case want == "" || strings.HasPrefix(path, dir+"/"):
		return true, false
	case path == dir:
		return want == dir || isTree || mode == object.ModeGitlink, want != dir && isTree
	}
	return false, isTree && strings.HasPrefix(want, path+"/")
}

// ResolveTree returns the tree that a rev names, or that the commit or tag that
// it names leads to. Errors are Resolve's, or ErrNotTree.
func (r *Repository) ResolveTree(ctx context.Context, rev sandbox.Rev) (plumbing.Hash, error) {
	id, err := r.Resolve(ctx, rev)
	if err != nil {
		return id, err
	}
	return r.TreeOf(id)
}

// TreeOfParent returns the tree of a commit that another one names as its
// parent. One that is missing is git's error for that.
func (r *Repository) TreeOfParent(id plumbing.Hash) (plumbing.Hash, error) {
	tree, err := r.TreeOf(id)
	if isLost(err) {
		err = &ParentError{ID: id, cause: err}
	}
	return tree, err
}

// TreeOf returns the tree that id is or leads to, through tags and a commit. An
// object that leads to none is ErrNotTree.
func (r *Repository) TreeOf(id plumbing.Hash) (plumbing.Hash, error) {
	for range maxTagDepth {
		kind, data, err := r.Objects().Read(id)
		switch {
		case err != nil:
			return id, err
		case kind == plumbing.TreeObject:
			return id, nil
		case kind == plumbing.CommitObject:
			tree, _, err := object.CommitTree(id, data)
			return tree, err
		case kind != plumbing.TagObject:
			return id, ErrNotTree
		}
		tag, err := object.ParseTag(id, data)
		if err != nil {
			return id, err
		}
		id = tag.Target
	}
	return id, fmt.Errorf("tag %s leads through too many tags", id)
}

// maxTagDepth bounds how many tags may name each other.
const maxTagDepth = 1024
