package reader

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/linerange"
	"github.com/ingit-dev/ingit/internal/odb"
)

// LineChange is what a commit changed in followed lines of a file.
type LineChange struct {
	Old, New Entry
	Spans    []linerange.Span  // the followed lines in New
	Changes  []linediff.Change // those that touch them
}

// followedLines are lines of a file that are followed, in one commit.
type followedLines struct {
	path  string
	spans spans
	shown *LineChange // what the commit did to them
}

// lineLog follows lines through a walk in which parents come after all their
// children (git-log(1), option -L). It does what git does for merges: if a
// parent has the lines as they are, it alone is followed, and else all are.
type lineLog struct {
	repo    *Repository
	walk    *walk
	reader  *odb.Reader
	differ  linediff.Differ
	renames ChangeOptions
	pickaxe *pickaxe
	at      map[*node][]*followedLines // by path as they were at the start
	live    int                        // commits that have lines to follow
	keys    map[string]commitgraph.Key
	files   map[string]*followedFile
	old     []byte // a file's content while it is compared
}

// followedFile is what stands at a path, by root tree.
type followedFile struct {
	ends signatures
	in   map[plumbing.Hash]leaf
}

// done says that no line is left to follow.
func (l *lineLog) done() bool { return l != nil && l.live == 0 }

// shown returns what a commit that was processed did to the lines, once.
func (l *lineLog) shown(n *node) []LineChange {
	if l == nil {
		return nil
	}
	var changes []LineChange
	for _, f := range l.at[n] {
		if f.shown != nil {
			changes = append(changes, *f.shown)
		}
	}
	delete(l.at, n)
	return changes
}

// followLines begins with the lines of the one tip.
func (w *walk) followLines(r *Repository, tips []plumbing.Hash) error {
	if len(w.opts.Lines) == 0 {
		return nil
	}
	switch len(tips) {
	case 0:
		return &SelectionError{"No commit specified?"}
	case 1:
	default:
		return &SelectionError{fmt.Sprintf("More than one commit to dig from: %s and %s?", tips[1], tips[0])}
	}
	id, err := r.peelTo(tips[0], plumbing.CommitObject)
	if err != nil {
		return err
	}
	n := w.graph.node(id)
	w.lines = &lineLog{repo: r, walk: w, reader: r.objects.NewReader(), at: map[*node][]*followedLines{}, keys: map[string]commitgraph.Key{}, files: map[string]*followedFile{}}
	if w.lines.renames, err = r.configuredRenames(); err != nil {
		return err
	}
	if w.lines.pickaxe, err = r.newPickaxe(&w.opts); err != nil {
		return err
	}
	var start []*followedLines
	for _, rng := range w.opts.Lines {
		if start, err = w.lines.begin(start, n, rng); err != nil {
			return err
		}
	}
	for _, f := range start {
		f.spans = linerange.Merge(f.spans)
	}
	w.lines.add(n, start)
	return nil
}

// SelectionError is a choice of commits or lines that cannot be followed.
type SelectionError struct{ text string }

// Error is git's sentence, without "fatal: ".
func (e *SelectionError) Error() string { return e.text }

// begin adds the lines of one range.
func (l *lineLog) begin(start []*followedLines, n *node, rng LineRange) ([]*followedLines, error) {
	found, err := l.end(n.tree, rng.Path)
	if err != nil {
		return nil, err
	}
	if found.mode == 0 {
		return nil, &SelectionError{fmt.Sprintf("There is no path %s in the commit", rng.Path)}
	}
	kind, content, err := l.reader.Read(found.id)
	if err != nil || kind != plumbing.BlobObject {
		return nil, &SelectionError{fmt.Sprintf("Cannot read blob %s", found.id)}
	}
	file := linerange.File{Content: content}
	if l.walk.opts.Function != nil {
		if file.Function, err = l.walk.opts.Function(rng.Path); err != nil {
			return nil, err
		}
	}
	at, known := slices.BinarySearchFunc(start, rng.Path, func(f *followedLines, path string) int { return cmp.Compare(f.path, path) })
	if !known {
		start = slices.Insert(start, at, &followedLines{path: rng.Path})
	}
	anchor := 1
	if n := len(start[at].spans); n > 0 {
		anchor = start[at].spans[n-1].To + 1
	}
	from, to, err := file.Parse(rng.Range, anchor)
	if err != nil {
		return nil, err
	}
	span, ok := file.Within(from, to)
	if !ok {
		return nil, &SelectionError{fmt.Sprintf("file %s has only %d lines", cmp.Or(rng.Name, rng.Path), file.Lines())}
	}
	start[at].spans = append(start[at].spans, span)
	return start, nil
}

// add notes lines of a commit, beside those that are noted already.
func (l *lineLog) add(n *node, more []*followedLines) {
	have := l.at[n]
	if isLive(have) {
		l.live--
	}
	var joined []*followedLines
	for len(have) > 0 || len(more) > 0 {
		order := -1
		switch {
		case len(have) == 0:
			order = 1
		case len(more) > 0:
			order = cmp.Compare(have[0].path, more[0].path)
		}
		switch {
		case order < 0:
			joined, have = append(joined, have[0]), have[1:]
		case order > 0:
			joined, more = append(joined, more[0]), more[1:]
		default:
			joined = append(joined, &followedLines{path: have[0].path, spans: have[0].spans.union(more[0].spans)})
			have, more = have[1:], more[1:]
		}
	}
	l.at[n] = joined
	if isLive(joined) {
		l.live++
	}
}

func isLive(lines []*followedLines) bool {
	return slices.ContainsFunc(lines, func(f *followedLines) bool { return !f.spans.empty() })
}

// process hands the lines of a commit on to its parents and says whether the
// commit changed them.
func (l *lineLog) process(n *node) (changed bool, err error) {
	lines := l.at[n]
	if !isLive(lines) {
		delete(l.at, n)
		return false, nil
	}
	l.live--
	parents := n.parents
	if l.walk.opts.FirstParent && len(parents) > 1 {
		parents = parents[:1]
	}
	for _, p := range parents {
		if err := l.walk.graph.load(p); err != nil {
			return false, childError(err, n.id)
		}
	}
	switch {
	case len(parents) > 0 && l.unchanged(n, lines):
		l.add(parents[0], copied(lines))
	case len(n.parents) > 1:
		delete(l.at, n)
		return l.processMerge(n, parents, lines)
	default:
		var parent *node
		if len(parents) > 0 {
			parent = parents[0]
		}
		before, changed, err := l.compare(n, parent, lines)
		if err != nil {
			return false, err
		}
		if parent != nil {
			l.add(parent, before)
		}
		if changed {
			return true, nil
		}
	}
	delete(l.at, n)
	return false, nil
}

func (l *lineLog) processMerge(n *node, parents []*node, lines []*followedLines) (changed bool, err error) {
	before := make([][]*followedLines, len(parents))
	for i, p := range parents {
		if before[i], changed, err = l.compare(n, p, lines); err != nil {
			return false, err
		}
		if !changed {
			l.add(p, before[i])
			return false, nil
		}
	}
	for i, p := range parents {
		l.add(p, before[i])
	}
	return true, nil
}

// unchanged asks the commit-graph's filters about the first parent.
func (l *lineLog) unchanged(n *node, lines []*followedLines) bool {
	table := l.walk.graph.table
	if table == nil || n.place == 0 || !table.HasFilters() {
		return false
	}
	for _, f := range lines {
		key, ok := l.keys[f.path]
		if !ok {
			key = commitgraph.NewKey(f.path)
			l.keys[f.path] = key
		}
		if table.Changed(n.place-1, key) != commitgraph.No {
			return false
		}
	}
	return true
}

func copied(lines []*followedLines) []*followedLines {
	out := make([]*followedLines, len(lines))
	for i, f := range lines {
		out[i] = &followedLines{path: f.path, spans: f.spans}
	}
	return out
}

// compare finds the lines in a parent, nil for none, and notes what changed in
// them.
func (l *lineLog) compare(n, parent *node, lines []*followedLines) (before []*followedLines, changed bool, err error) {
	pairs, err := l.pairs(n, parent, lines)
	if err != nil {
		return nil, false, err
	}
	before = copied(lines)
	for _, pair := range pairs {
		f := pathOf(before, pair.New.Path)
		if f == nil || f.spans.empty() {
			continue
		}
		changes, err := l.changes(pair)
		if err != nil {
			return nil, false, err
		}
		var touched []linediff.Change
		f.path = pair.Old.Path
		f.spans, touched = f.spans.across(changes)
		if len(touched) > 0 {
			changed = true
			now := pathOf(lines, pair.New.Path)
			now.shown = &LineChange{Old: pair.Old, New: pair.New, Spans: now.spans, Changes: touched}
		}
	}
	return before, changed, nil
}
