package reader

import (
	"errors"
	"io/fs"
	"path"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// Index returns the index as it is now; an empty one when there is none. It is
// kept until the file's stat data change, and must not be changed.
func (r *Repository) Index() (*index.Index, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	stat, err := r.layout.gitDir.Lstat("index")
	if errors.Is(err, fs.ErrNotExist) {
		return &index.Index{}, nil
	}
	if r.index != nil && err == nil && stat == r.indexStat {
		return r.index, nil
	}
	f, err := r.layout.gitDir.OpenFollow("index")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	parsed, err := r.parseIndex(f)
	if err != nil {
		return nil, err
	}
	r.index, r.indexStat = parsed, f.Stat()
	return parsed, nil
}

// parseIndex parses an index file. A big one is mapped for the while, unless it
// is truncated meanwhile: that saves the memory of its bytes and their copying.
func (r *Repository) parseIndex(f *sandbox.File) (*index.Index, error) {
	const big = 1 << 20
	opts := index.Options{
		Name:   path.Join(r.layout.name, "index"),
		MTime:  indexTime(f.Stat().MTime),
		Shared: func(id plumbing.Hash) ([]byte, error) { return readFile(r.layout.gitDir, "sharedindex."+id.String()) },
	}
	if f.Size() >= big && f.Size() <= r.layout.gitDir.Workspace().Policy().Limits.ObjectBytes {
		parsed, err := parseMapped(f, opts)
		if fault := (*sandbox.FaultError)(nil); !errors.As(err, &fault) && !errors.Is(err, errors.ErrUnsupported) {
			return parsed, err
		}
	}
	data, err := f.ReadAll(0)
	if err != nil {
		return nil, err
	}
	return index.Parse(data, opts)
}

func parseMapped(f *sandbox.File, opts index.Options) (parsed *index.Index, err error) {
	data, unmap, err := f.Map()
	if err != nil {
		return nil, err
	}
	opts.Lent = sandbox.GuardFault
	err = sandbox.GuardFault(func() error {
		parsed, err = index.Parse(data, opts)
		return err
	})
	return parsed, errors.Join(err, unmap())
}

func indexTime(t sandbox.Time) index.Time {
	return index.Time{Sec: uint32(t.Sec), Nsec: t.Nsec}
}
