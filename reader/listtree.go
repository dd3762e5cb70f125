package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/odb"
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
		err := r.WalkTree(ctx, id, opts, func(path []byte, mode uint32, id plumbing.Hash) error {
			if !yield(Entry{Path: string(path), Mode: mode, ID: id, IDKnown: true}, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(Entry{}, err)
		}
	}
}

// WalkTree visits what ListTree yields, without an allocation for each entry:
// path is valid until visit returns. An error of visit's ends the walk and is
// returned.
func (r *Repository) WalkTree(ctx context.Context, id plumbing.Hash, opts ListTreeOptions, visit func(path []byte, mode uint32, id plumbing.Hash) error) error {
	tree, err := r.TreeOf(id)
	if isLost(err) {
		return ErrNotTree
	}
	if err != nil {
		return err
	}
	l := treeLister{ctx: ctx, opts: opts, visit: visit, reader: r.objects.NewReader(), depth: r.Workspace().Policy().Limits.WithDefaults().TreeDepth}
	defer l.reader.Close()
	l.reader.Scattered()
	l.dir = []byte(strings.TrimSuffix(opts.Path, "/"))
	return l.list(tree)
}

// treeLister walks one tree for WalkTree.
type treeLister struct {
	ctx    context.Context
	opts   ListTreeOptions
	dir    []byte // opts.Path without the slash at its end
	visit  func(path []byte, mode uint32, id plumbing.Hash) error
	reader *odb.Reader
	depth  int    // how many trees may lie inside each other
	level  int    // how many do
	path   []byte // of the entry being looked at
	trees  shelf  // the trees that are being walked
}

// list walks the tree whose path, with a slash at its end, is l.path.
func (l *treeLister) list(id plumbing.Hash) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if l.level++; l.level > l.depth {
		return &sandbox.LimitError{Limit: "TreeDepth", Max: int64(l.depth)}
	}
	kind, data, err := l.reader.Read(id)
	if err != nil {
		return err
	}
	if kind != plumbing.TreeObject {
		return ErrNotTree
	}
	held, prefix := l.trees, len(l.path)
	for entries := object.NewTreeIter(l.trees.put(data)); ; {
		e, ok, err := entries.Next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		l.path = append(l.path[:prefix], e.Name...)
		if err := l.entry(e); err != nil {
			return err
		}
	}
	l.trees.clear(held)
	l.path, l.level = l.path[:prefix], l.level-1
	return nil
}

// entry visits the entry at l.path, or walks it.
func (l *treeLister) entry(e object.TreeEntry) error {
	selected, beyond := l.selects(e.Mode)
	if !selected && !beyond {
		return nil
	}
	if e.IsTree() && (l.opts.Recursive || beyond) {
		l.path = append(l.path, '/')
		return l.list(e.ID)
	}
	if selected {
		return l.visit(l.path, e.Mode, e.ID)
	}
	return nil
}

// selects says whether the options select l.path itself, or lead beyond it.
// A slash at the end of the wanted path suits a submodule as well as a tree.
func (l *treeLister) selects(mode uint32) (selected, beyond bool) {
	isTree, below := mode == object.ModeTree, len(l.opts.Path) > len(l.dir)
	switch {
	case len(l.opts.Path) == 0 || leads(l.dir, l.path):
		return true, false
	case bytes.Equal(l.path, l.dir):
		return !below || isTree || mode == object.ModeGitlink, below && isTree
	}
	return false, isTree && leads(l.path, l.dir)
}

// leads says whether a path lies below the folder dir.
func leads(dir, path []byte) bool {
	return len(path) > len(dir) && path[len(dir)] == '/' && bytes.HasPrefix(path, dir)
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
