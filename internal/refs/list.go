package refs

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// List returns the refs whose full names start with prefix, which must start
// with "refs/", sorted by name, loose ones over packed ones. Symbolic refs
// have both their target and the id that it leads to. Broken refs are marked;
// only a name that could lead out of the ref directories is an error, as in
// git.
func (s *Store) List(prefix string) ([]Ref, error) {
	w := walker{store: s, prefix: prefix}
	if err := w.roots(); err != nil {
		return nil, err
	}
	packed, err := s.packedRefs() // after the loose ones: git packs a ref before it removes its file
	if err != nil {
		return nil, err
	}
	slices.SortFunc(w.refs, func(x, y Ref) int { return strings.Compare(x.Name, y.Name) })
	below, err := packed.under(prefix)
	if err != nil {
		return nil, err
	}
	return merge(w.refs, below), nil
}

// merge joins two sorted lists; a name in both is taken from the first.
func merge(loose, packed []Ref) []Ref {
	switch {
	case len(loose) == 0:
		return slices.Clone(packed)
	case len(packed) == 0:
		return loose
	}
	all := make([]Ref, 0, len(loose)+len(packed))
	for len(loose) > 0 && len(packed) > 0 {
		switch c := strings.Compare(loose[0].Name, packed[0].Name); {
		case c > 0:
			all, packed = append(all, packed[0]), packed[1:]
			continue
		case c == 0:
			packed = packed[1:]
		}
		all, loose = append(all, loose[0]), loose[1:]
	}
	return append(append(all, loose...), packed...)
}

// walker collects loose refs.
type walker struct {
	store  *Store
	prefix string
	refs   []Ref
}

// roots starts in the common directory, and in the work tree's own directory
// for the refs that each work tree has for itself.
func (w *walker) roots() error {
	if err := w.under(w.store.commonDir, "refs/"); err != nil {
		return err
	}
	if w.store.gitDir == w.store.commonDir {
		return nil
	}
	w.refs = slices.DeleteFunc(w.refs, func(r Ref) bool { return PerWorktree(r.Name) })
	for _, own := range []string{"refs/bisect/", "refs/rewritten/", "refs/worktree/"} {
		if err := w.under(w.store.gitDir, own); err != nil {
			return err
		}
	}
	return nil
}

// under opens the deepest directory that the prefix names, at least root.
func (w *walker) under(dir *sandbox.Dir, root string) error {
	if !strings.HasPrefix(w.prefix, root) && !strings.HasPrefix(root, w.prefix) {
		return nil
	}
	if strings.HasPrefix(w.prefix, root) {
		root = w.prefix[:strings.LastIndexByte(w.prefix, '/')+1]
	}
	if !safe(strings.TrimSuffix(root, "/")) && root != "refs/" {
		return nil
	}
	sub, err := dir.OpenDirFollow(strings.TrimSuffix(root, "/"))
	if err != nil {
		return nil
	}
	defer sub.Close()
	return w.directory(sub, root)
}

func (w *walker) directory(dir *sandbox.Dir, name string) error {
	entries, err := dir.ReadDir()
	if err != nil {
		return nil
	}
	w.refs = slices.Grow(w.refs, len(entries))
	for _, e := range entries {
		if e.Name[0] == '.' || strings.HasSuffix(e.Name, ".lock") {
			continue
		}
		full := name + e.Name
		if !strings.HasPrefix(full, w.prefix) && !strings.HasPrefix(w.prefix, full+"/") {
			continue
		}
		if e.Type.IsDir() || e.Type&fs.ModeSymlink != 0 {
			if sub, err := dir.OpenDirFollow(e.Name); err == nil {
				err = w.directory(sub, full+"/")
				sub.Close()
				if err != nil {
					return err
				}
				continue
			}
			if dangling(dir, e.Name) {
				continue
			}
		}
		if err := w.file(dir, e, full); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) file(dir *sandbox.Dir, e sandbox.Entry, full string) error {
	if !ValidName(full) {
		if !safe(full) {
			return &DangerousError{Name: full}
		}
		w.refs = append(w.refs, Ref{Name: full, Broken: true, BadName: true})
		return nil
	}
	ref, found, err := readLoose(dir, e.Name)
	if err != nil || !found {
		return err
	}
	ref.Name = full
	if ref.Target != "" {
		end, err := w.store.Resolve(full)
		ref.ID, ref.Broken = end.ID, err != nil
	}
	if ref.ID == plumbing.ZeroHash {
		ref.Broken = true
	}
	w.refs = append(w.refs, ref)
	return nil
}

// dangling says whether a link leads nowhere, or out of the workspace; git
// lists no ref behind the former.
func dangling(dir *sandbox.Dir, name string) bool {
	f, err := dir.OpenFollow(name)
	if err == nil {
		f.Close()
	}
	return err != nil
}
