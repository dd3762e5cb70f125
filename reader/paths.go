package reader

import (
	"sync"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/pathspec"
)

// Paths parses pathspecs (gitglossary(7)) that are relative to the directory
// in which the repository was opened. None at all, like nil, selects
// everything.
func (r *Repository) Paths(specs []string) (*pathspec.Spec, error) {
	return r.pathsWith(specs, pathspec.Options{})
}

// PathsHere is Paths where none at all, or exclusions only, mean the directory
// in which the repository was opened, as git ls-files and git grep have it.
func (r *Repository) PathsHere(specs []string) (*pathspec.Spec, error) {
	return r.pathsWith(specs, pathspec.Options{PreferCwd: true})
}

func (r *Repository) pathsWith(specs []string, opts pathspec.Options) (*pathspec.Spec, error) {
	if top, err := r.WorkTree(); err == nil {
		opts.Top = top.Path()
	} else {
		opts.Top, opts.Bare = r.GitDir().Path(), true
	}
	stack := sync.OnceValues(func() (*attributes.Stack, error) {
		ix, err := r.Index()
		if err != nil {
			return nil, err
		}
		return r.workAttributes(ix)
	})
	opts.Attributes = func(path string) attributes.Attributes {
		if stack, err := stack(); err == nil {
			return stack.Lookup(path)
		}
		return attributes.Attributes{}
	}
	return pathspec.Parse(specs, r.Prefix(), opts)
}
