package writer

import (
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/reader"
)

// checkPlace refuses a pathspec that leads through a link or into a submodule.
func (a *adding) checkPlace(item pathspec.Item) error {
	path := strings.TrimSuffix(item.Path, "/")
	for slash := strings.IndexByte(path, '/'); slash >= 0; slash = nextSlash(path, slash) {
		stat, err := a.stat(path[:slash])
		if err == nil && stat.IsSymlink() {
			return addError("pathspec '%s' is beyond a symbolic link", item.Original)
		}
		if at, ok := a.x.Find(path[:slash], 0); ok && a.x.Entries[at].IsGitlink() {
			return addError("Pathspec '%s' is in submodule '%s'", item.Original, path[:slash])
		}
	}
	return nil
}

// checkMatched refuses pathspecs that select nothing, and returns the ignored paths that are named.
func (a *adding) checkMatched(survey *reader.Survey) (ignored []string, err error) {
	x, err := a.sparseIndex()
	if err != nil {
		return nil, err
	}
	var hidden []*index.Entry
	for i := range x.Entries {
		e := &x.Entries[i]
		if e.SkipWorktree || a.sparse != nil && !a.sparse.Includes(e.Name) {
			hidden = append(hidden, e)
			continue
		}
		a.matched.Match(e.Name, e.IsGitlink())
	}
	for _, path := range survey.Untracked {
		dir, nested := strings.CutSuffix(path, "/")
		if !nested || !a.matched.LeadsInto(dir) {
			a.matched.Match(dir, nested)
		}
	}
	items := a.matched.Items()
	for _, e := range hidden {
		a.matched.Match(strings.TrimSuffix(e.Name, "/"), e.IsGitlink() || e.IsSparseDir())
	}
	for i, item := range a.matched.Items() {
		if item.Matched && !items[i].Matched && item.Magic&pathspec.Exclude == 0 {
			a.outside = append(a.outside, item.Original)
		}
		if item.Path == "" {
			continue
		}
		name, err := a.ignoredName(item)
		if err != nil {
			return nil, err
		}
		switch {
		case name != "":
			if !slices.Contains(ignored, name) {
				ignored = append(ignored, name)
			}
		case !item.Matched && item.Magic&pathspec.Exclude == 0 && !a.exists(item):
			return nil, addError("pathspec '%s' did not match any files", item.Original)
		}
	}
	return ignored, nil
}

// sparseIndex returns the index with the directories that it stands for as a whole, so that no pathspec leads into them, as git
// looks at it unless it has found files in one.
func (a *adding) sparseIndex() (*index.Index, error) {
	x, err := a.w.repo.Index()
	if err != nil {
		return nil, err
	}
	for i := range x.Entries {
		if e := &x.Entries[i]; e.IsSparseDir() {
			if _, err := a.stat(strings.TrimSuffix(e.Name, "/")); err == nil {
				return a.x, nil
			}
		}
	}
	return x, nil
}

// exists reports whether a pathspec that selects nothing is at least the name of something.
func (a *adding) exists(item pathspec.Item) bool {
	path := strings.TrimSuffix(item.Path, "/")
	if item.Magic&(pathspec.Glob|pathspec.ICase) != 0 || !index.ValidPath(path) {
		return false
	}
	stat, err := a.stat(path)
	return err == nil && (stat.IsDir() || path == item.Path)
}

// ignoredName returns the untracked, ignored file or the ignored directory that a pathspec names or lies in, "" when there is
// none. A directory counts also when files in it are tracked.
func (a *adding) ignoredName(item pathspec.Item) (string, error) {
	path := strings.TrimSuffix(withoutWildcards(item), "/")
	if item.Magic&pathspec.ICase != 0 || !index.ValidPath(path) {
		return "", nil
	}
	if a.ignoring == nil {
		var err error
		if a.ignoring, err = a.w.repo.Ignoring(a.ctx, a.x); err != nil {
			return "", err
		}
	}
	for end := strings.IndexByte(path, '/'); ; end = nextSlash(path, end) {
		name := path
		if end >= 0 {
			name = path[:end]
		}
		stat, err := a.stat(name)
		if err != nil {
			return "", nil
		}
		if _, tracked := a.x.FindAny(name); !tracked {
			result, err := a.ignoring.Match(name, stat.IsDir())
			if err != nil {
				return "", err
			}
			if result.Ignored {
				return name, nil
			}
		}
		if end < 0 {
			return "", nil
		}
	}
}

// withoutWildcards is the part of a pathspec before its first wildcard.
func withoutWildcards(item pathspec.Item) string {
	if at := strings.IndexAny(item.Path, "*?[\\"); at >= 0 && !item.Literal {
		return item.Path[:at]
	}
	return item.Path
}
