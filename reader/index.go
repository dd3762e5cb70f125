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
	data, err := f.ReadAll(0)
	if err != nil {
		return nil, err
	}
	parsed, err := index.Parse(data, index.Options{
		Name:   path.Join(r.layout.name, "index"),
		MTime:  indexTime(f.Stat().MTime),
		Shared: func(id plumbing.Hash) ([]byte, error) { return readFile(r.layout.gitDir, "sharedindex."+id.String()) },
	})
	if err != nil {
		return nil, err
	}
	r.index, r.indexStat = parsed, f.Stat()
	return parsed, nil
}

func indexTime(t sandbox.Time) index.Time {
	return index.Time{Sec: uint32(t.Sec), Nsec: t.Nsec}
}
