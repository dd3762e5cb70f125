package reader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/sandbox"
)

// Submodule is a repository that the index names as part of this one
// (git-submodule(1)).
type Submodule struct {
	Path, Name, URL string // as .gitmodules has them
	// State is ' ' where the commit that the index names is checked out, '+'
	// where it is another one, '-' where the submodule isn't checked out, and
	// 'U' in a conflict.
	State byte
	ID    plumbing.Hash // the commit that is checked out, or that should be
	// Description names the commit inside the submodule; "" unless checked out.
	Description string
}

// UnmappedError is a submodule that .gitmodules doesn't know.
type UnmappedError struct{ Path string }

// Error is git's sentence.
func (e *UnmappedError) Error() string {
	return fmt.Sprintf("no submodule mapping found in .gitmodules for path '%s'", e.Path)
}

// ContainsError is a commit that only a later tag could name, which is not
// built yet.
type ContainsError struct{ Path string }

// Error names the submodule.
func (e *ContainsError) Error() string {
	return fmt.Sprintf("submodule '%s': naming a commit by a later tag is not built yet", e.Path)
}

// Submodules lists the submodules of the index that paths select (nil: all).
// The error is an *UnmappedError or a *ContainsError, or the reason why a
// submodule cannot be opened.
func (r *Repository) Submodules(ctx context.Context, paths *pathspec.Spec) ([]Submodule, error) {
	ix, err := r.Index()
	if err != nil {
		return nil, err
	}
	modules, err := r.gitmodules(ix)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, name := range modules.Subsections("submodule") {
		if path, ok := modules.Get("submodule." + name + ".path"); ok {
			names[path] = name
		}
	}
	var list []Submodule
	for i := range ix.Entries {
		e := &ix.Entries[i]
		if !e.IsGitlink() || !paths.Match(e.Name, true) || len(list) > 0 && list[len(list)-1].Path == e.Name {
			continue
		}
		s := Submodule{Path: e.Name, ID: e.ID}
		s.Name = names[e.Name]
		s.URL, _ = modules.Get("submodule." + s.Name + ".url")
		if err := r.inspect(ctx, &s, e, modules); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// inspect finds a submodule's state.
func (r *Repository) inspect(ctx context.Context, s *Submodule, e *index.Entry, modules *gitconfig.Config) error {
	if e.Stage > 0 {
		s.State, s.ID = 'U', plumbing.ZeroHash
		return nil
	}
	if _, ok := modules.Get("submodule." + s.Name + ".path"); !ok {
		return &UnmappedError{s.Path}
	}
	s.State = '-'
	if active, err := r.activeSubmodule(s); err != nil || !active {
		return err
	}
	top, err := r.WorkTree()
	if err != nil {
		return err
	}
	dir, err := top.OpenDir(s.Path)
	if err != nil {
		return unlessUnsearchable(err)
	}
	defer dir.Close()
	found, ok, err := dotGit(dir)
	if broken := (*GitFileError)(nil); errors.As(err, &broken) || err == nil && !ok {
		return nil
	}
	if err != nil {
		return err
	}
	found.close()
	return r.inspectInside(ctx, s, dir)
}

// activeSubmodule says whether a submodule is of interest (gitsubmodules(7),
// "ACTIVE SUBMODULES").
func (r *Repository) activeSubmodule(s *Submodule) (bool, error) {
	key := "submodule." + s.Name + ".active"
	if _, ok := r.Config().Entry(key); ok {
		return r.Config().Bool(key, false)
	}
	if specs := r.Config().All("submodule.active"); len(specs) > 0 {
		spec, err := pathspec.Parse(specs, "", pathspec.Options{})
		return err == nil && spec.Match(s.Path, true), err
	}
	_, ok := r.Config().Entry("submodule." + s.Name + ".url")
	return ok, nil
}

func (r *Repository) inspectInside(ctx context.Context, s *Submodule, dir *sandbox.Dir) error {
	sub, err := Open(ctx, dir, r.Options())
	if err != nil {
		return err
	}
	defer sub.Close()
	s.State = ' '
	if head, err := sub.Head(); err == nil && !head.Unborn && head.ID != s.ID {
		s.State, s.ID = '+', head.ID
	}
	s.Description, err = sub.describeAny(ctx, s)
	return err
}

// describeAny names a commit as git submodule status does, "" when it is
// missing.
func (r *Repository) describeAny(ctx context.Context, s *Submodule) (string, error) {
	if kind, _, err := r.objects.Header(s.ID); errors.Is(err, fs.ErrNotExist) || err == nil && kind != plumbing.CommitObject {
		return "", nil
	}
	for _, opts := range []DescribeOptions{{}, {Tags: true}} {
		text, err := r.Describe(ctx, s.ID, opts)
		if nameless := (*DescribeError)(nil); !errors.As(err, &nameless) {
			return text, err
		}
	}
	tags, err := r.refs.List("refs/tags/")
	if err != nil {
		return "", err
	}
	for _, tag := range tags {
		id, err := r.peelTo(tag.ID, plumbing.CommitObject)
		if tag.Broken || err != nil {
			continue
		}
		if later, err := r.IsAncestor(ctx, s.ID, id); err != nil || later {
			return "", errors.Join(err, &ContainsError{s.Path})
		}
	}
	return r.Describe(ctx, s.ID, DescribeOptions{All: true, Always: true})
}
