package reader

import (
	"context"
	"errors"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/mailmap"
	"github.com/ingit-dev/ingit/sandbox"
)

// Mailmap returns the names that people are to be shown by: from .mailmap at
// the top of the work tree, then from mailmap.blob (in a bare repository by
// default HEAD:.mailmap), then from mailmap.file. What isn't there says
// nothing.
func (r *Repository) Mailmap(ctx context.Context) (*mailmap.Map, error) {
	var names mailmap.Map
	if top, err := r.WorkTree(); err == nil {
		switch data, err := top.ReadFile(".mailmap", maxRuleFile); {
		case err == nil:
			names.Add(data)
		case !errors.Is(err, fs.ErrNotExist):
			if err := unlessUnreadable(ignoreIrregular(err)); err != nil && !errors.Is(err, sandbox.ErrSymlink) {
				return nil, err
			}
		}
	}
	if err := r.addMailmapBlob(ctx, &names); err != nil {
		return nil, err
	}
	if _, configured := r.Config().Get("mailmap.file"); !configured {
		return &names, nil
	}
	file, err := r.userFile("mailmap.file", "")
	if err == nil && file != nil {
		names.Add(file.Data)
	}
	return &names, err
}

func (r *Repository) addMailmapBlob(ctx context.Context, names *mailmap.Map) error {
	rev, configured := r.Config().Get("mailmap.blob")
	if !configured && r.Bare() {
		rev = "HEAD:.mailmap"
	}
	if rev == "" {
		return nil
	}
	id, err := r.Resolve(ctx, sandbox.Rev(rev))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	kind, data, err := r.Objects().Read(id)
	if err == nil && kind == plumbing.BlobObject {
		names.Add(data)
	}
	return err
}
