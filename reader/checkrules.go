package reader

import (
	"context"
	"errors"
	"strings"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/ignore"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/pathspec"
)

// IgnoreCheck says which line of which ignore file decides on a path, as git-check-ignore(1) tells it.
type IgnoreCheck struct {
	Path    string          // as it was given
	Pattern *ignore.Pattern // nil when none matches or the path is tracked
}

// CheckIgnore finds the pattern that decides on each of the paths, which are relative to the directory that the repository was
// opened in. Tracked paths count as matched by none, unless noIndex is set.
func (r *Repository) CheckIgnore(ctx context.Context, paths []string, noIndex bool) ([]IgnoreCheck, error) {
	const supported = pathspec.Top
	spec, err := r.pathsWith(paths, pathspec.Options{Unsupported: ^supported})
	if err != nil {
		return nil, err
	}
	ix, err := r.FullIndex(ctx)
	if err != nil {
		return nil, err
	}
	if !noIndex {
		for i := range ix.Entries {
			spec.Match(ix.Entries[i].Name, ix.Entries[i].IsGitlink())
		}
	}
	rules, err := r.Ignoring(ctx, ix)
	if err != nil {
		return nil, err
	}
	defer rules.Close()
	var checks []IgnoreCheck
	for _, item := range spec.Items() {
		check := IgnoreCheck{Path: item.Original}
		if !item.Matched {
			result, err := rules.Match(item.Path, rules.isDir(item.Path))
			if err != nil {
				return nil, err
			}
			check.Pattern = result.Pattern
		}
		checks = append(checks, check)
	}
	return checks, nil
}

// isDir reports whether the work tree has a directory of that name, which may end in a slash. The top's name, "", is none: it is
// looked up like any other.
func (g *Ignoring) isDir(path string) bool {
	if path == "" {
		return false
	}
	st, err := g.folders[""].dir.Lstat(strings.TrimSuffix(path, "/"))
	return err == nil && st.IsDir()
}

// AttrCheck is an attribute's value on a path, as git-check-attr(1) tells it.
type AttrCheck struct {
	Path, Name string // the path as it was given
	Value      attributes.Value
}

// CheckAttr finds the named attributes of each of the paths, which are relative to the directory that the repository was opened in;
// with no names all that are not unspecified.
func (r *Repository) CheckAttr(ctx context.Context, names, paths []string) ([]AttrCheck, error) {
	for _, name := range names {
		if !attributes.ValidName(name) {
			return nil, complaint(name + ": not a valid attribute name")
		}
	}
	ix, err := r.Index()
	if err != nil {
		return nil, err
	}
	stack, err := r.attributesFor(ix)
	if err != nil {
		return nil, err
	}
	var checks []AttrCheck
	for _, path := range paths {
		located, err := r.locate(path)
		if err != nil {
			return nil, err
		}
		attrs := stack.Lookup(located)
		for _, name := range names {
			checks = append(checks, AttrCheck{path, name, attrs.Get(name)})
		}
		if len(names) == 0 {
			for name, value := range attrs.All() {
				checks = append(checks, AttrCheck{path, name, value})
			}
		}
	}
	return checks, ctx.Err()
}

// attributesFor returns the attributes of the work tree; in a bare repository those of info/attributes and the user's file.
func (r *Repository) attributesFor(ix *index.Index) (*attributes.Stack, error) {
	if _, err := r.WorkTree(); err != nil {
		return r.attributeStack(func(string) ([]byte, error) { return nil, nil })
	}
	return r.workAttributes(ix)
}

// locate returns a path as seen from the top of the work tree; a final slash stays.
func (r *Repository) locate(path string) (string, error) {
	if path == "" {
		return strings.TrimSuffix(r.Prefix(), "/"), nil
	}
	spec, err := r.pathsWith([]string{path}, pathspec.Options{Literal: true})
	if outside := new(pathspec.OutsideError); errors.As(err, &outside) {
		return "", &pathspec.OutsideError{Path: path, Top: outside.Top}
	}
	if err != nil {
		return "", err
	}
	return spec.Items()[0].Path, nil
}
