package writer

import (
	"context"
	"iter"
	"time"

	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// Options of New. The zero value takes identities from the configuration and dates from the clock.
type Options struct {
	// Author and Committer tell what the embedder knows better than the configuration; nil is nothing. They are asked when
	// somebody has to be named.
	Author, Committer func() (Ident, error)
	Now               func() time.Time // nil: time.Now; its zone is recorded
}

// Writer changes one repository. It may be used from several goroutines; git's locks keep them apart.
type Writer struct {
	repo   *reader.Repository
	opts   Options
	policy sandbox.Policy
	fsync  durability
	links  bool // core.symlinks: the work tree can hold links
}

// New returns a writer for an open repository. Under a read-only policy it is sandbox.ErrReadOnly.
func New(repo *reader.Repository, opts Options) (*Writer, error) {
	policy := repo.Workspace().Policy()
	if policy.ReadOnly {
		return nil, sandbox.ErrReadOnly
	}
	fsync, err := newDurability(repo.Config())
	if err != nil {
		return nil, err
	}
	links, err := repo.Config().Bool("core.symlinks", true)
	if err != nil {
		return nil, err
	}
	return &Writer{repo: repo, opts: opts, policy: policy, fsync: fsync, links: links}, nil
}

func (w *Writer) now() time.Time {
	if w.opts.Now == nil {
		return time.Now()
	}
	return w.opts.Now()
}

// author returns the author of a new commit.
func (w *Writer) author() (Ident, error) { return w.person(w.opts.Author, "author") }

// committer returns the committer of a new commit and the one whom reflogs name.
func (w *Writer) committer() (Ident, error) { return w.person(w.opts.Committer, "committer") }

func (w *Writer) person(ask func() (Ident, error), role string) (Ident, error) {
	var given Ident
	if ask != nil {
		var err error
		if given, err = ask(); err != nil {
			return given, err
		}
	}
	return identity(given, role, w.repo.Config(), w.now())
}

// changes compares trees or the index, submodules included whatever the configuration says of them.
func (w *Writer) changes(ctx context.Context, old, new reader.Side) iter.Seq2[reader.Change, error] {
	return w.repo.Changes(ctx, old, new, reader.ChangeOptions{IgnoreSubmodules: reader.IgnoreNone})
}

// objects returns a store for the objects of one plan.
func (w *Writer) objects() (*objectStore, error) {
	dir, err := w.repo.CommonDir().OpenDir("objects")
	if err != nil {
		return nil, err
	}
	return newObjectStore(w.repo.Objects(), dir, w.repo.Config(), w.fsync.looseObject)
}

// refs begins a change of refs, logged as the committer's.
func (w *Writer) refs() (*refTransaction, error) {
	who, err := w.committer()
	if err != nil {
		return nil, err
	}
	log, err := newReflog(w.repo.Config(), w.repo.Bare(), who.String())
	if err != nil {
		return nil, err
	}
	return &refTransaction{store: w.repo.Refs(), log: log, durable: w.fsync.reference}, nil
}
