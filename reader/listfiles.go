package reader

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/sandbox"
)

// ErrIgnoredWhat is git's answer to a question for ignored files that does not say which.
var ErrIgnoredWhat = errors.New("ls-files -i must be used with either -o or -c")

// ListFilesOptions selects what ListFiles yields. At least one of Cached, Unmerged and Others should be set.
type ListFilesOptions struct {
	Paths    *pathspec.Spec // nil: all
	Cached   bool           // entries of the index
	Unmerged bool           // of the index, those in conflict only
	Others   bool           // files that the index does not know
	Ignored  bool           // of all that, what the ignore files match, instead of leaving it out of Others
	// NoIgnoreFiles lists Others whether ignored or not.
	NoIgnoreFiles bool
}

// ListedFile is a file of the work tree or an entry of the index.
type ListedFile struct {
	Path  string       // a repository inside the work tree ends in a slash
	Entry *index.Entry // nil for a file that the index does not know
}

// ListFiles yields files that the index does not know, sorted, and then entries of the index, as git-ls-files(1) does. Directories of
// a sparse index are taken apart.
func (r *Repository) ListFiles(ctx context.Context, opts ListFilesOptions) iter.Seq2[ListedFile, error] {
	return func(yield func(ListedFile, error) bool) {
		err := r.listFiles(ctx, opts, func(f ListedFile) bool { return yield(f, nil) })
		if err != nil && err != errStop {
			yield(ListedFile{}, err)
		}
	}
}

func (r *Repository) listFiles(ctx context.Context, opts ListFilesOptions, yield func(ListedFile) bool) error {
	if opts.Ignored && !opts.Others && !opts.Cached {
		return ErrIgnoredWhat
	}
	ix, err := r.FullIndex(ctx)
	if err != nil {
		return err
	}
	if opts.Others {
		others, err := r.others(ctx, ix, opts)
		if err != nil {
			return err
		}
		for _, path := range others {
			if !yield(ListedFile{Path: path}) {
				return errStop
			}
		}
	}
	if opts.Cached || opts.Unmerged {
		return r.listIndex(ctx, ix, opts, yield)
	}
	return nil
}

func (r *Repository) listIndex(ctx context.Context, ix *index.Index, opts ListFilesOptions, yield func(ListedFile) bool) error {
	var rules *Ignoring
	if opts.Ignored {
		var err error
		if rules, err = r.Ignoring(ctx, ix); err != nil {
			return err
		}
		defer rules.Close()
	}
	for i := range ix.Entries {
		e := &ix.Entries[i]
		if opts.Unmerged && e.Stage == 0 || !opts.Paths.Match(e.Name, e.IsGitlink()) {
			continue
		}
		if rules != nil {
			if result, err := rules.Match(e.Name, e.IsGitlink()); err != nil {
				return err
			} else if !result.Ignored {
				continue
			}
		}
		if !yield(ListedFile{e.Name, e}) {
			return errStop
		}
	}
	return ctx.Err()
}

// others lists the files that the index does not know.
func (r *Repository) others(ctx context.Context, ix *index.Index, opts ListFilesOptions) ([]string, error) {
	top, err := r.WorkTree()
	if err != nil {
		return nil, err
	}
	s, err := r.newScan(ctx, ix, scanOptions{})
	if err != nil {
		return nil, err
	}
	l := othersLister{scan: s, opts: opts}
	if s.ignoreCase {
		l.folded = foldedNames(ix)
	}
	if err := l.list(&folder{scan: s, dir: top}); err != nil {
		return nil, err
	}
	slices.Sort(l.found)
	return l.found, nil
}

// othersLister walks the whole work tree.
type othersLister struct {
	scan   *scan
	opts   ListFilesOptions
	folded map[string]bool // names of the index in lower case, under core.ignoreCase
	found  []string
}

func foldedNames(ix *index.Index) map[string]bool {
	folded := make(map[string]bool, len(ix.Entries))
	for i := range ix.Entries {
		folded[strings.ToLower(ix.Entries[i].Name)] = true
	}
	return folded
}

func (l *othersLister) list(f *folder) error {
	if err := l.scan.ctx.Err(); err != nil {
		return err
	}
	listing, err := f.dir.ReadDir()
	if err != nil {
		return unlessUnreadable(err)
	}
	slices.SortFunc(listing, func(x, y sandbox.Entry) int { return cmp.Compare(x.Name, y.Name) })
	for _, entry := range listing {
		if entry.Name == ".git" || l.scan.ignoreCase && strings.EqualFold(entry.Name, ".git") {
			continue
		}
		switch path := f.path + entry.Name; {
		case entry.Type.IsDir():
			err = l.dir(f, entry.Name, path)
		case entry.Type.IsRegular() || entry.Type&fs.ModeSymlink != 0:
			err = l.file(f, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *othersLister) file(f *folder, path string) error {
	if l.tracked(path) || !l.opts.Paths.Match(path, false) {
		return nil
	}
	wanted, err := l.wanted(f, path, false)
	if wanted {
		l.found = append(l.found, path)
	}
	return err
}

// dir goes into a directory, unless it is ignored and ignored files are not wanted, or a repository.
func (l *othersLister) dir(f *folder, name, path string) error {
	if !l.opts.Paths.MatchesDir(path) {
		return nil
	}
	if at, ok := l.scan.ix.Find(path, 0); ok && l.scan.ix.Entries[at].IsGitlink() {
		return nil
	}
	ignored, err := l.ignored(f, path, true)
	if err != nil || ignored && !l.opts.Ignored {
		return err
	}
	dir, err := f.dir.OpenDir(name)
	if err != nil {
		return unlessUnreadable(err)
	}
	defer dir.Close()
	child := &folder{scan: l.scan, parent: f, dir: dir, path: path + "/"}
	if l.scan.ix.HasDir(path) {
		return l.list(child)
	}
	nested, err := l.scan.modules.isNested(dir)
	if err != nil {
		return err
	}
	if !nested {
		return l.list(child)
	}
	// Git lists an ignored repository whatever the wildcards of the pathspecs say.
	if ignored == l.opts.Ignored && (ignored || l.opts.Paths.Match(path, true)) && !l.tracked(path) {
		l.found = append(l.found, path+"/")
	}
	return nil
}

func (l *othersLister) tracked(path string) bool {
	if l.folded != nil {
		return l.folded[strings.ToLower(path)]
	}
	_, ok := l.scan.ix.FindAny(path)
	return ok
}

func (l *othersLister) wanted(f *folder, path string, isDir bool) (bool, error) {
	ignored, err := l.ignored(f, path, isDir)
	return ignored == l.opts.Ignored, err
}

func (l *othersLister) ignored(f *folder, path string, isDir bool) (bool, error) {
	if l.opts.NoIgnoreFiles {
		return false, nil
	}
	matcher, err := f.ignoring()
	if err != nil {
		return false, err
	}
	return matcher.Match(path, isDir).Ignored, nil
}
