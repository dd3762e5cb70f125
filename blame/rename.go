package blame

import (
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/renames"
	"github.com/ingit-dev/ingit/reader"
)

// findRenamed finds the file of a parent that the origin's file was renamed
// from; nil when there is none.
func (b *blamer) findRenamed(parent *commit, o *origin) (*origin, error) {
	candidates, err := b.deleted(parent, o)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	at, _ := slices.BinarySearchFunc(candidates, o.file.path, func(c renames.Candidate, path string) int {
		if c.Old.Path < path {
			return -1
		}
		return 1
	})
	added := renames.Candidate{New: renames.Entry{Path: o.file.path, Mode: o.mode, ID: o.blob}}
	added.Old.Path = o.file.path
	candidates = slices.Insert(candidates, at, added)
	pairs, err := renames.Detect(b.ctx, candidates, renames.Options{}, b.contents(o))
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		if p.Dest == at {
			old := candidates[p.Source].Old
			return b.addOrigin(parent, b.file(old.Path), old.Mode, old.ID, nil), nil
		}
	}
	return nil, nil
}

// deleted lists the files of a parent that the origin's commit lacks. The work
// tree lacks what the index does.
func (b *blamer) deleted(parent *commit, o *origin) ([]renames.Candidate, error) {
	var after reader.Side = reader.Tree(o.commit.tree)
	if o.commit.id.IsZero() {
		after = reader.IndexSide
	}
	var found []renames.Candidate
	for c, err := range b.repo.Changes(b.ctx, reader.Tree(parent.tree), after, reader.ChangeOptions{}) {
		if err != nil {
			return nil, err
		}
		if c.Kind == reader.Deleted && c.Old.Path != o.file.path {
			old := renames.Entry{Path: c.Old.Path, Mode: c.Old.Mode, ID: c.Old.ID}
			found = append(found, renames.Candidate{Old: old, New: renames.Entry{Path: c.Old.Path}})
		}
	}
	return found, nil
}

// contents reads the files that are compared; the origin's may be in no object.
func (b *blamer) contents(o *origin) renames.Contents {
	own := func(e renames.Entry) bool { return o.commit.id.IsZero() && e.ID == o.blob }
	return renames.Contents{
		Size: func(e renames.Entry) (int64, error) {
			if own(e) {
				return int64(len(o.data)), nil
			}
			_, size, err := b.history.reader.Header(e.ID)
			return size, err
		},
		Read: func(e renames.Entry) ([]byte, error) {
			if own(e) {
				return o.data, nil
			}
			return b.read(e.ID)
		},
	}
}

func (b *blamer) read(id plumbing.Hash) ([]byte, error) {
	_, data, err := b.history.reader.Read(id)
	return data, err
}
