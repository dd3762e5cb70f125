package writer

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/reader"
)

// The sides of a merge, as the stages of the index number them.
const (
	baseSide = iota
	oursSide
	theirsSide
)

// mergeLabels name the sides in messages and conflict markers.
type mergeLabels [3]string

// mergePath is one path of a merge: what each side has there, after renames were followed.
type mergePath struct {
	path   string
	sides  [3]reader.Entry // mode 0: absent
	names  [3]string       // the path on each side, where a rename made it another
	moved  bool            // a rename found that one side deleted the file
	typed  bool            // the other side of a rename made something else of the file
	placed bool            // the other side's rename of its directory brought it here: a conflict by itself
	remark bool            // nothing is to be done here, it is only said; a conflict all the same when it is one

	result   reader.Entry // what the merged tree has; mode 0: nothing
	conflict bool         // the index keeps the sides
	messages []string
}

// treeMerge merges two trees with a common base, as git's default strategy does (git-merge(1), "ort").
type treeMerge struct {
	w            *Writer
	ctx          context.Context
	objects      *pendingObjects
	labels       mergeLabels
	texts        *textMerger
	paths        map[string]*mergePath
	remarks      []*mergePath    // by which the paths are not changed
	base, theirs plumbing.Hash   // the trees
	now          *index.Index    // ours
	dirs         map[string]bool // that the result has
}

// merge returns the paths in which the result differs from ours, or that are in conflict, sorted.
func (m *treeMerge) merge() ([]*mergePath, error) {
	oursChanges, err := m.changes(reader.Tree(m.base), reader.IndexSide)
	if err != nil {
		return nil, err
	}
	theirsChanges, err := m.changes(reader.Tree(m.base), reader.Tree(m.theirs))
	if err != nil {
		return nil, err
	}
	m.paths, m.dirs = map[string]*mergePath{}, map[string]bool{}
	m.collect(oursChanges, oursSide)
	m.collect(theirsChanges, theirsSide)
	if err := m.followRenames([3][]reader.Change{oursSide: oursChanges, theirsSide: theirsChanges}); err != nil {
		return nil, err
	}
	for _, p := range slices.Backward(m.sorted()) { // what is in a directory before a file in its place
		if err := m.settle(p); err != nil {
			return nil, err
		}
	}
	all := append(m.remarks, m.sorted()...)
	slices.SortStableFunc(all, func(x, y *mergePath) int { return strings.Compare(x.path, y.path) })
	return all, nil
}

func (m *treeMerge) changes(from, to reader.Side) ([]reader.Change, error) {
	var changes []reader.Change
	for c, err := range m.w.changes(m.ctx, from, to) {
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// collect notes the changes of one side; what a side did not change it has as in the base.
func (m *treeMerge) collect(changes []reader.Change, side int) {
	for _, c := range changes {
		path := c.Old.Path
		if !c.Old.Present() {
			path = c.New.Path
		}
		p := m.paths[path]
		if p == nil {
			p = &mergePath{path: path, sides: [3]reader.Entry{c.Old, c.Old, c.Old}, names: [3]string{path, path, path}}
			m.paths[path] = p
		}
		p.sides[side] = c.New
	}
}

func (m *treeMerge) sorted() []*mergePath {
	sorted := make([]*mergePath, 0, len(m.paths))
	for _, p := range m.paths {
		sorted = append(sorted, p)
	}
	slices.SortFunc(sorted, func(x, y *mergePath) int { return strings.Compare(x.path, y.path) })
	return sorted
}

func sameEntry(x, y reader.Entry) bool { return x.Mode == y.Mode && x.ID == y.ID }

// settle decides on a path; a file that stays in the place of a directory gets another name.
func (m *treeMerge) settle(p *mergePath) error {
	if !m.dirs[p.path] {
		err := m.decide(p)
		p.conflict = p.conflict || p.placed
		m.noteDirs(p)
		return err
	}
	side := theirsSide
	if p.sides[oursSide].Present() {
		side = oursSide
	}
	moved := *p
	moved.path = m.free(p.path, m.labels[side])
	moved.messages = append(slices.Clone(p.messages), fmt.Sprintf(
		"CONFLICT (file/directory): directory in the way of %s from %s; moving it to %s instead.", p.path, m.labels[side], moved.path))
	if err := m.decide(&moved); err != nil {
		return err
	}
	moved.conflict = moved.conflict || moved.placed
	*p = mergePath{path: p.path, names: p.names}
	if moved.result.Mode != 0 {
		moved.conflict = true
		m.paths[moved.path] = &moved
	}
	return nil
}

// noteDirs notes the directories that a path's result is in.
func (m *treeMerge) noteDirs(p *mergePath) {
	if p.result.Mode == 0 {
		return
	}
	for slash := strings.LastIndexByte(p.path, '/'); slash > 0; slash = strings.LastIndexByte(p.path[:slash], '/') {
		m.dirs[p.path[:slash]] = true
	}
}

// decide merges one path.
func (m *treeMerge) decide(p *mergePath) error {
	base, ours, theirs := p.sides[baseSide], p.sides[oursSide], p.sides[theirsSide]
	switch {
	case (p.typed || p.moved) && (!ours.Present() || !theirs.Present()):
		m.modifyDelete(p)
	case sameEntry(ours, theirs), sameEntry(base, theirs):
		p.result = ours
	case sameEntry(base, ours):
		p.result = theirs
	case !ours.Present() || !theirs.Present():
		m.modifyDelete(p)
	case kindOf(ours.Mode) != kindOf(theirs.Mode):
		m.distinctTypes(p)
	default:
		return m.content(p)
	}
	return nil
}

// kindOf is the type in a mode: file, link or submodule.
func kindOf(mode uint32) uint32 { return mode & 0o170000 }

func (p *mergePath) say(format string, args ...any) {
	p.messages = append(p.messages, fmt.Sprintf(format, args...))
}

// modifyDelete keeps what one side changed and the other deleted.
func (m *treeMerge) modifyDelete(p *mergePath) {
	kept, gone := oursSide, theirsSide
	if !p.sides[oursSide].Present() {
		kept, gone = theirsSide, oursSide
	}
	p.conflict, p.result = true, p.sides[kept]
	if p.moved && sameBlob(p.sides[baseSide], p.sides[kept]) {
		return // the rename's own message says it
	}
	p.say("CONFLICT (modify/delete): %s deleted in %s and modified in %s.  Version %s of %s left in tree.",
		p.path, m.labels[gone], m.labels[kept], m.labels[kept], p.path)
}

func sameBlob(x, y reader.Entry) bool { return x.ID == y.ID }

// distinctTypes keeps both sides where they are of different kinds: the file moves aside, or both do when neither is one.
func (m *treeMerge) distinctTypes(p *mergePath) {
	isFile := func(side int) bool { return kindOf(p.sides[side].Mode) == kindOf(index.ModeFile) }
	aside := []int{oursSide}
	switch {
	case isFile(oursSide):
	case isFile(theirsSide):
		aside = []int{theirsSide}
	default:
		aside = []int{oursSide, theirsSide}
	}
	p.say("CONFLICT (distinct types): %s had different types on each side; renamed %s of them so each can be recorded somewhere.",
		p.path, map[int]string{1: "one", 2: "both"}[len(aside)])
	base := p.sides[baseSide]
	for _, side := range aside {
		name := m.free(p.path, m.labels[side])
		away := &mergePath{path: name, names: [3]string{name, name, name}, conflict: true, result: p.sides[side]}
		away.sides[side] = p.sides[side]
		if kindOf(base.Mode) == kindOf(p.sides[side].Mode) {
			away.sides[baseSide] = base
		}
		m.paths[name] = away
		p.sides[side] = reader.Entry{}
	}
	p.conflict = true
	for _, side := range []int{oursSide, theirsSide} {
		if p.sides[side].Present() {
			p.result = p.sides[side]
		}
	}
	if kindOf(base.Mode) != kindOf(p.result.Mode) {
		p.sides[baseSide] = reader.Entry{}
	}
}

// content merges two versions of a file, a link or a submodule.
func (m *treeMerge) content(p *mergePath) error {
	merged, err := m.contents(p.path, p.sides, p.names, 0)
	if err != nil {
		return err
	}
	p.result = merged.entry
	p.messages = append(p.messages, merged.messages...)
	if merged.clean {
		return nil
	}
	p.conflict = true
	reason := "content"
	switch {
	case kindOf(p.result.Mode) == index.ModeGitlink:
		reason = "submodule"
		p.say("Failed to merge submodule %s", p.path)
	case !p.sides[baseSide].Present():
		reason = "add/add"
	}
	p.say("CONFLICT (%s): Merge conflict in %s", reason, p.path)
	return nil
}

// mergedContent is what two versions of one file make.
type mergedContent struct {
	entry    reader.Entry
	clean    bool
	binary   bool // it is ours, because there was no merging it
	messages []string
}

// contents merges two versions, of the same kind, of what has the names on each side. With a number of more characters the
// conflict markers stand out against those of another merge.
func (m *treeMerge) contents(path string, sides [3]reader.Entry, names [3]string, more int) (c mergedContent, err error) {
	base, ours, theirs := sides[baseSide], sides[oursSide], sides[theirsSide]
	c.entry = ours
	if ours.Mode == base.Mode {
		c.entry.Mode = theirs.Mode
	}
	c.clean = ours.Mode == theirs.Mode || ours.Mode == base.Mode || theirs.Mode == base.Mode
	switch {
	case sameBlob(ours, theirs), sameBlob(base, theirs):
	case sameBlob(base, ours):
		c.entry.ID = theirs.ID
	case kindOf(ours.Mode) == kindOf(index.ModeFile):
		return c, m.text(&c, path, sides, names, more)
	default:
		c.clean = false
	}
	return c, nil
}

// text merges two versions of a file's text.
func (m *treeMerge) text(c *mergedContent, path string, sides [3]reader.Entry, names [3]string, more int) (err error) {
	var texts [3][]byte
	for side, e := range sides {
		if !e.Present() || kindOf(e.Mode) != kindOf(index.ModeFile) {
			continue
		}
		if _, texts[side], err = m.objects.read(e.ID); err != nil {
			return err
		}
	}
	labels := m.labels
	if names[oursSide] != names[theirsSide] || names[baseSide] != names[oursSide] {
		for side := range labels {
			labels[side] += ":" + names[side]
		}
	}
	merged, clean, isBinary := m.texts.merge(path, texts, labels, more)
	if isBinary {
		c.binary = true
		c.messages = append(c.messages, fmt.Sprintf("warning: Cannot merge binary files: %s (%s vs. %s)", path, labels[oursSide], labels[theirsSide]))
	}
	c.messages = append(c.messages, "Auto-merging "+path)
	c.clean = c.clean && clean
	if bytes.Equal(merged, texts[oursSide]) {
		return nil
	}
	c.entry.ID, err = m.objects.add(plumbing.BlobObject, merged)
	return err
}

// free returns a name for what has to move aside: "PATH~LABEL", with a number where that is taken.
func (m *treeMerge) free(path, label string) string {
	name := path + "~" + strings.ReplaceAll(label, "/", "_")
	for n := 0; m.paths[name] != nil; n++ {
		name = fmt.Sprintf("%s~%s_%d", path, strings.ReplaceAll(label, "/", "_"), n)
	}
	return name
}
