package reader

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/convert"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// Smudger turns stored content into what the work tree gets when an index is
// checked out (gitattributes(5), "Checking-out"): attributes come from that
// index first, then from the work tree. It is for one goroutine.
type Smudger struct {
	contents *contents
	stack    *attributes.Stack
	config   *convert.Config
}

// Smudger returns the conversions of a check-out of ix, before which the files
// that gone tells of are removed; nil: none.
func (r *Repository) Smudger(ctx context.Context, ix *index.Index, gone func(path string) bool) (*Smudger, error) {
	top, err := r.WorkTree()
	if err != nil {
		return nil, err
	}
	stack, err := r.attributeStack(func(name string) ([]byte, error) {
		if data, err := r.indexFile(ix, name); data != nil || err != nil {
			return data, err
		}
		if gone != nil && gone(name) {
			return nil, nil
		}
		data, err := top.ReadFile(name, maxRuleFile)
		return data, unlessUnreadable(ignoreIrregular(err))
	})
	if err != nil {
		return nil, err
	}
	config, err := convert.NewConfig(r.Config())
	return &Smudger{contents: newContents(ctx, r, ix), stack: stack, config: config}, err
}

// Check refuses a path whose content would pass through a filter program, with
// a *FilterError.
func (s *Smudger) Check(path string) error {
	_, err := s.rules(path)
	return err
}

func (s *Smudger) rules(path string) (convert.Rules, error) {
	rules, err := convert.For(s.stack.Lookup(path), s.config)
	if err != nil {
		return rules, err
	}
	driver, needed := rules.NeedsSmudge()
	if !needed {
		driver, needed = rules.NeedsFilter()
	}
	if needed {
		return rules, &FilterError{driver, path}
	}
	return rules, nil
}

// Content returns the work tree's bytes of a path with that stored content, a
// link's text as it is.
func (s *Smudger) Content(path string, mode uint32, id plumbing.Hash, stored []byte) ([]byte, error) {
	if err := s.contents.ctx.Err(); err != nil {
		return nil, err
	}
	if mode == modeSymlink {
		return stored, nil
	}
	rules, err := s.rules(path)
	if err != nil || rules.Identity() {
		return stored, err
	}
	return rules.Smudge(path, stored, id, s.contents.repo.lfsObject)
}

// lfsObject reads an object of the repository's LFS store.
func (r *Repository) lfsObject(oid string) ([]byte, error) {
	if len(oid) < 4 {
		return nil, fs.ErrNotExist
	}
	f, err := r.CommonDir().OpenFollow(path.Join("lfs/objects", oid[:2], oid[2:4], oid))
	if errors.Is(err, sandbox.ErrNotDir) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadAll(0)
}
