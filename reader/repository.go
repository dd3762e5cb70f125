package reader

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

// ErrNoWorkTree is git's answer where a repository without a work tree is
// asked about one.
var ErrNoWorkTree = errors.New("this operation must be run in a work tree")

// ErrNotRepository says that no repository was found; discovery ends at the
// top of the workspace.
var ErrNotRepository error = notRepository{}

type notRepository struct{}

func (notRepository) Error() string {
	return "not a git repository (or any of the parent directories): .git"
}
func (notRepository) Is(target error) bool { return target == fs.ErrNotExist }

// Repository is an open repository, seen from one of its work trees. It may be
// used from many goroutines at once, but not after Close.
type Repository struct {
	options   Options
	layout    layout
	workTree  *sandbox.Dir
	noTree    error // why workTree is nil
	prefix    string
	refs      *refs.Store
	objects   *odb.Database
	mu        sync.Mutex
	config    *gitconfig.Config
	seen      map[string]sandbox.Stat // the config files and HEAD as they were read
	index     *index.Index
	indexStat sandbox.Stat
	derived   derived
	replacing bool // some objects are replaced
	overrides *overrides
	shelves   sync.Pool                // of *shelf
	ancestry  atomic.Pointer[ancestry] // nil while it is in use
}

// Open finds the repository that dir belongs to, going up from dir but never
// out of the workspace, and opens it as git-config(1) and
// gitrepository-layout(5) say. What the repository's files name outside the
// workspace is refused with a *sandbox.OutsideError. No repository is
// ErrNotRepository, an unknown format or extension a *FormatError.
func Open(ctx context.Context, dir *sandbox.Dir, opts Options) (*Repository, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found, err := discover(dir, opts.User)
	if err != nil {
		return nil, err
	}
	r := &Repository{options: opts, layout: found}
	if err := r.open(dir); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Repository) open(dir *sandbox.Dir) error {
	r.refs = refs.Open(r.layout.gitDir, r.layout.commonDir)
	if err := r.loadConfig(); err != nil {
		return err
	}
	if err := r.share(); err != nil {
		return err
	}
	r.openWorkTree(dir.Path())
	objects, err := odb.Open(r.layout.objects, odb.Options{PartialClone: r.partialClone()})
	if err != nil {
		return err
	}
	r.objects = objects
	return r.loadReplacements()
}

// Close releases the repository's handles.
func (r *Repository) Close() error {
	var errs []error
	if r.objects != nil {
		errs = append(errs, r.objects.Close())
	}
	if r.workTree != nil && r.workTree != r.layout.top {
		errs = append(errs, r.workTree.Close())
	}
	return errors.Join(append(errs, r.layout.close())...)
}

// Options returns what the repository was opened with.
func (r *Repository) Options() Options { return r.options }

// Workspace returns the workspace that the repository lies in.
func (r *Repository) Workspace() *sandbox.Workspace { return r.layout.gitDir.Workspace() }

// GitDir returns the git directory of this work tree.
func (r *Repository) GitDir() *sandbox.Dir { return r.layout.gitDir }

// CommonDir returns the directory that all work trees share.
func (r *Repository) CommonDir() *sandbox.Dir { return r.layout.commonDir }

// WorkTree returns the top of the work tree. A bare repository has
// ErrNoWorkTree; a core.worktree outside the workspace is a
// *sandbox.OutsideError.
func (r *Repository) WorkTree() (*sandbox.Dir, error) { return r.workTree, r.noTree }

// Prefix returns where below the top of the work tree the repository was
// opened: "sub/dir/", or "" at the top or outside.
func (r *Repository) Prefix() string { return r.prefix }

// Bare reports whether the repository has no work tree.
func (r *Repository) Bare() bool { return errors.Is(r.noTree, ErrNoWorkTree) }

// Linked reports whether this is a linked work tree (git-worktree(1)).
func (r *Repository) Linked() bool { return r.layout.commonDir != r.layout.gitDir }

// Config returns the configuration: system, global, local and worktree.
func (r *Repository) Config() *gitconfig.Config {
	return r.config
}

// Refs returns the repository's refs.
func (r *Repository) Refs() *refs.Store { return r.refs }

// Objects returns the object database, with replacements applied.
func (r *Repository) Objects() *odb.Database { return r.objects }
