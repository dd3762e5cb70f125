package reader

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/internal/pathspec"
)

// comparison tells whether commits are the same in the selected paths.
type comparison interface {
	same(child, parent *node) (bool, error)
	empty(n *node) (bool, error)
	// alike tells that two commits are known to be the same.
	alike(child, parent *node)
}

// newComparison takes the fast way where the pathspecs are plain paths.
func (r *Repository) newComparison(spec *pathspec.Spec) comparison {
	if paths, ok := plainPaths(spec); ok {
		return &signatures{
			reader: r.objects.NewReader(), paths: paths,
			memo: map[memoKey]leaf{}, known: map[string]int32{},
		}
	}
	return &treeWalker{spec: spec, reader: r.objects.NewReader()}
}

// plainPath is a pathspec without wildcards: where it leads, and whether a
// trailing slash asks for a directory.
type plainPath struct {
	names   []string
	onlyDir bool
}

func plainPaths(spec *pathspec.Spec) ([]plainPath, bool) {
	var paths []plainPath
	for _, item := range spec.Items() {
		if !item.Literal || item.Magic&^(pathspec.Top|pathspec.Literal) != 0 {
			return nil, false
		}
		p := plainPath{onlyDir: strings.HasSuffix(item.Path, "/")}
		if name := strings.TrimSuffix(item.Path, "/"); name != "" {
			p.names = strings.Split(name, "/")
		}
		paths = append(paths, p)
	}
	return paths, true
}

// signatures compares commits by what stands at the ends of plain paths: each
// commit's paths are looked up once, and two commits are the same when the
// ends are.
type signatures struct {
	reader *odb.Reader
	paths  []plainPath
	memo   map[memoKey]leaf // ends by directory, below the root
	known  map[string]int32 // a number for each set of ends, from 1; 0 is "not looked up"
	key    []byte
}

type memoKey struct {
	tree        plumbing.Hash
	path, depth int32
}

// leaf is what stands at the end of a path; the zero leaf is nothing.
type leaf struct {
	mode uint32
	id   plumbing.Hash
}

func (s *signatures) same(child, parent *node) (bool, error) {
	if child.tree == parent.tree {
		s.alike(child, parent)
		return true, nil
	}
	if err := s.sign(child); err != nil {
		return false, err
	}
	if err := s.sign(parent); err != nil {
		return false, err
	}
	return child.signature == parent.signature, nil
}

// alike spares the parent the look-up that the child had.
func (s *signatures) alike(child, parent *node) {
	if parent.signature == 0 {
		parent.signature = child.signature
	}
}

func (s *signatures) empty(n *node) (bool, error) {
	if err := s.sign(n); err != nil {
		return false, err
	}
	return n.signature == s.number(make([]byte, len(s.paths)*leafSize)), nil
}

const leafSize = 4 + len(plumbing.Hash{})

func (s *signatures) number(key []byte) int32 {
	n, ok := s.known[string(key)]
	if !ok {
		n = int32(len(s.known) + 1)
		s.known[string(key)] = n
	}
	return n
}

func (s *signatures) sign(n *node) error {
	if n.signature != 0 {
		return nil
	}
	key := s.key[:0]
	for i, p := range s.paths {
		end, err := s.end(n.tree, int32(i), 0)
		if err != nil {
			return err
		}
		if p.onlyDir && end.mode != object.ModeTree || end.id == emptyTree() {
			end = leaf{}
		}
		key = binary.BigEndian.AppendUint32(key, end.mode)
		key = append(key, end.id[:]...)
	}
	s.key = key
	n.signature = s.number(key)
	return nil
}

// end follows one path from a tree.
func (s *signatures) end(tree plumbing.Hash, path, depth int32) (leaf, error) {
	names := s.paths[path].names
	if int(depth) == len(names) {
		return leaf{object.ModeTree, tree}, nil
	}
	key := memoKey{tree, path, depth}
	if depth > 0 {
		if end, ok := s.memo[key]; ok {
			return end, nil
		}
	}
	entry, ok, err := findIn(s.reader, tree, names[depth])
	if err != nil {
		return leaf{}, err
	}
	end := leaf{}
	switch {
	case !ok:
	case int(depth)+1 == len(names):
		end = leaf{entry.Mode, entry.ID}
	case entry.Mode == object.ModeTree:
		if end, err = s.end(entry.ID, path, depth+1); err != nil {
			return leaf{}, err
		}
	}
	if depth > 0 {
		s.memo[key] = end
	}
	return end, nil
}

func findIn(reader *odb.Reader, tree plumbing.Hash, name string) (object.TreeEntry, bool, error) {
	data, err := readTree(reader, tree)
	if err != nil {
		return object.TreeEntry{}, false, err
	}
	return object.FindEntry(data, name)
}

func readTree(reader *odb.Reader, id plumbing.Hash) ([]byte, error) {
	if id == emptyTree() || id.IsZero() {
		return nil, nil
	}
	kind, data, err := reader.Read(id)
	if err != nil {
		return nil, treeError(id, err)
	}
	if kind != plumbing.TreeObject {
		return nil, &TypeError{ID: id, Have: kind, Want: plumbing.TreeObject}
	}
	return data, nil
}

// treeWalker compares trees side by side, for pathspecs with patterns or
// magic. It enters only what differs and may be selected.
type treeWalker struct {
	spec   *pathspec.Spec
	reader *odb.Reader
	old    []byte // the older of the two trees at hand
}

func (w *treeWalker) same(child, parent *node) (bool, error) {
	differ, err := w.differ(parent.tree, child.tree, "")
	return !differ, err
}

func (w *treeWalker) alike(_, _ *node) {}

func (w *treeWalker) empty(n *node) (bool, error) {
	differ, err := w.differ(plumbing.ZeroHash, n.tree, "")
	return !differ, err
}

// differing is a directory that is not the same in two trees; a zero id stands
// for none.
type differing struct {
	path     string
	old, new plumbing.Hash
}

// differ says whether something selected differs between two trees; the zero
// id stands for no tree. What lies directly in them is looked at first.
func (w *treeWalker) differ(old, new plumbing.Hash, prefix string) (bool, error) {
	if old == new {
		return false, nil
	}
	found, dirs, err := w.level(old, new, prefix)
	for i := 0; err == nil && !found && i < len(dirs); i++ {
		found, err = w.differ(dirs[i].old, dirs[i].new, dirs[i].path+"/")
	}
	return found, err
}

// level is differ for the entries of two trees themselves, up to the first
// that makes a difference. It returns the directories to look into.
func (w *treeWalker) level(old, new plumbing.Hash, prefix string) (found bool, dirs []differing, err error) {
	data, err := readTree(w.reader, old)
	if err != nil {
		return false, nil, err
	}
	w.old = append(w.old[:0], data...)
	if data, err = readTree(w.reader, new); err != nil {
		return false, nil, err
	}
	older, newer := side{iter: object.NewTreeIter(w.old)}, side{iter: object.NewTreeIter(data)}
	for order := 0; ; {
		if order == 0 {
			object.SkipEqual(&older.iter, &newer.iter)
		}
		if order <= 0 {
			if err := older.next(); err != nil {
				return false, nil, err
			}
		}
		if order >= 0 {
			if err := newer.next(); err != nil {
				return false, nil, err
			}
		}
		if !older.ok && !newer.ok {
			return false, dirs, nil
		}
		order = older.compare(&newer)
		var before, after *object.TreeEntry
		if order <= 0 {
			before = &older.entry
		}
		if order >= 0 {
			after = &newer.entry
		}
		if found, dirs = w.entries(before, after, prefix, dirs); found {
			return true, nil, nil
		}
	}
}

// entries says whether two entries of one name and kind, one of which may be
// nil, make a difference; of directories that is to be seen.
func (w *treeWalker) entries(old, new *object.TreeEntry, prefix string, dirs []differing) (bool, []differing) {
	if old != nil && new != nil && old.Mode == new.Mode && old.ID == new.ID {
		return false, dirs
	}
	entry := old
	if entry == nil {
		entry = new
	}
	path := prefix + string(entry.Name)
	if !entry.IsTree() {
		return w.spec.Match(path, entry.Mode == object.ModeGitlink), dirs
	}
	if !w.spec.MatchesDir(path) {
		return false, dirs
	}
	dir := differing{path: path}
	if old != nil {
		dir.old = old.ID
	}
	if new != nil {
		dir.new = new.ID
	}
	return false, append(dirs, dir)
}

// side is a tree as it is read entry by entry.
type side struct {
	iter  object.TreeIter
	entry object.TreeEntry
	ok    bool
}

func (s *side) next() (err error) {
	s.entry, s.ok, err = s.iter.Next()
	return err
}

// compare orders the entries at hand; a side at its end comes last.
func (s *side) compare(other *side) int {
	switch {
	case !s.ok:
		return 1
	case !other.ok:
		return -1
	}
	if s.entry.IsTree() == other.entry.IsTree() && bytes.Equal(s.entry.Name, other.entry.Name) {
		return 0
	}
	return object.CompareNames(s.entry.Name, s.entry.IsTree(), other.entry.Name, other.entry.IsTree())
}

// simplify compares a commit with its parents in the selected paths
// (git-log(1), "History Simplification", the default mode): the commit keeps
// only the first parent that it is the same as, if there is one.
func (w *walk) simplify(n *node) error {
	if w.compare == nil {
		return nil
	}
	unchanged := w.filters.unchanged(n)
	if len(n.parents) == 0 {
		same, err := unchanged, error(nil)
		if !same {
			same, err = w.compare.empty(n)
		}
		if same {
			n.flags |= treeSame
		}
		return err
	}
	relevant, relevantChange, otherChange := false, false, false
	for i, p := range n.parents {
		matters := p.flags&(uninteresting|bottom) != uninteresting
		relevant = relevant || matters
		if i == 1 && w.opts.FirstParent {
			break
		}
		if err := w.graph.load(p); err != nil {
			return childError(err, n.id)
		}
		same, err := i == 0 && unchanged, error(nil)
		if same {
			w.compare.alike(n, p)
		} else {
			same, err = w.compare.same(n, p)
		}
		switch {
		case err != nil:
			return err
		case same && matters:
			n.parents = n.parents[i : i+1]
			n.flags |= treeSame
			return nil
		case same:
		case matters:
			relevantChange = true
		default:
			otherChange = true
		}
	}
	if relevant && !relevantChange || !relevant && !otherChange {
		n.flags |= treeSame
	}
	return nil
}
