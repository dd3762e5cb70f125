package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
)

// Workspace is a directory tree that may be used, with the allowed paths beside it. It may be used
// from many goroutines at once.
type Workspace struct {
	policy Policy
	roots  []*root // the workspace itself, then the allowed paths
	hook   Hook
	fsys   bool // an io/fs file system, not the host's
}

// root is a directory tree that may be used. The path holds no links, so neither do its ancestors.
type root struct {
	path  string
	alias string // the path as the embedder wrote it

	mu sync.Mutex
	h  handle // opened when it is first needed, and kept
}

// Open returns the workspace of a host directory, which must exist. The allowed paths must be
// absolute; they are looked at when they are needed. Close it to release its handles.
func Open(dir string, p Policy) (*Workspace, error) {
	alias, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	w := newWorkspace(p)
	for i, path := range append([]string{alias}, p.Allowed...) {
		if !filepath.IsAbs(path) {
			return nil, fmt.Errorf("allowed path %q: must be absolute", path)
		}
		r, err := newRoot(path)
		if err != nil && (i == 0 || !errors.Is(err, fs.ErrNotExist)) {
			return nil, errors.Join(err, w.Close())
		}
		w.roots = append(w.roots, r)
	}
	return w, nil
}

func newWorkspace(p Policy) *Workspace {
	p.Limits = p.Limits.WithDefaults()
	p.Allowed = append([]string(nil), p.Allowed...)
	return &Workspace{policy: p}
}

// newRoot resolves a path's links and opens it. A path that does not exist yet is a root too.
func newRoot(path string) (*root, error) {
	path = filepath.Clean(path)
	r := &root{path: filepath.ToSlash(path), alias: filepath.ToSlash(path)}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return r, err
	}
	r.path = filepath.ToSlash(real)
	_, err = r.open()
	return r, err
}

// open returns a new handle of the root.
func (r *root) open() (handle, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.h == nil {
		h, err := openHost(filepath.FromSlash(r.path))
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: r.path, Err: err}
		}
		r.h = h
	}
	return r.h, nil
}

// Close releases the workspace's own handles. Directories and files opened through it stay open.
func (w *Workspace) Close() error {
	var errs []error
	for _, r := range w.roots {
		r.mu.Lock()
		if r.h != nil {
			errs = append(errs, r.h.close())
			r.h = nil
		}
		r.mu.Unlock()
	}
	return errors.Join(errs...)
}

// Policy returns what the workspace was opened with; its limits have their defaults filled in.
func (w *Workspace) Policy() Policy { return w.policy }

// ReadOnly says whether writes are refused.
func (w *Workspace) ReadOnly() bool { return w.policy.ReadOnly }

// Root returns the workspace's absolute path, links resolved, slash separated.
func (w *Workspace) Root() string { return w.roots[0].path }

// Contains says whether a path lies in the workspace or an allowed path, by its text alone: it must
// be absolute and clean, and its links resolved. It decides what to say, not what may be opened.
func (w *Workspace) Contains(path string) bool {
	path = filepath.ToSlash(path)
	for _, r := range w.roots {
		if below(r.path, path) {
			return true
		}
	}
	return false
}

// below says whether path is dir or lies in it.
func below(dir, path string) bool {
	dir = strings.TrimSuffix(dir, "/")
	if len(path) < len(dir) || !samePath(path[:len(dir)], dir) {
		return false
	}
	return len(path) == len(dir) || path[len(dir)] == '/'
}

// above says whether a root lies in the directory, or is it: then it is known to be one.
func (w *Workspace) above(dir string) bool {
	for _, r := range w.roots {
		if below(dir, r.path) {
			return true
		}
	}
	return false
}

// rootAt returns the root whose path, or path as the embedder wrote it, is the given one.
func (w *Workspace) rootAt(path string) *root {
	for _, r := range w.roots {
		if samePath(r.path, path) || samePath(r.alias, path) {
			return r
		}
	}
	return nil
}
