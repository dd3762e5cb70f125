package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/object"
)

func pathOf(lines []*followedLines, path string) *followedLines {
	for _, f := range lines {
		if f.path == path {
			return f
		}
	}
	return nil
}

// pairs returns the followed files that differ from the parent, with what they
// were renamed from if a file is new.
func (l *lineLog) pairs(n, parent *node, lines []*followedLines) (pairs []Change, err error) {
	created := false
	for i, f := range lines {
		if pathOf(lines[:i], f.path) != nil {
			continue // two files that were renamed from one
		}
		c, err := l.pair(n, parent, f.path)
		if err != nil {
			return nil, err
		}
		if c.Kind != Unchanged && c.New.Present() {
			created = created || c.Kind == Added
			pairs = append(pairs, c)
		}
	}
	slices.SortStableFunc(pairs, func(x, y Change) int { return cmp.Compare(x.New.Path, y.New.Path) })
	if !created || !l.renames.Renames && !l.renames.Copies {
		return pairs, nil
	}
	if parent == nil {
		return l.pickaxe.kept(pairs)
	}
	return l.renamed(n, parent, lines)
}

// pair compares one path with the parent's.
func (l *lineLog) pair(n, parent *node, path string) (c Change, err error) {
	c.Old.Path, c.New.Path = path, path
	if c.New, err = l.lookUp(n.tree, path); err != nil {
		return c, err
	}
	if parent != nil {
		if c.Old, err = l.lookUp(parent.tree, path); err != nil {
			return c, err
		}
	}
	switch {
	case !c.New.Present():
		c.Kind = Deleted
	case !c.Old.Present():
		c.Kind = Added
	case c.Old.ID != c.New.ID || c.Old.Mode != c.New.Mode:
		c.Kind = Modified
	}
	return c, nil
}

// renamed compares the whole trees to find where new files come from.
func (l *lineLog) renamed(n, parent *node, lines []*followedLines) ([]Change, error) {
	var changes []Change
	for c, err := range l.repo.Changes(l.walk.ctx, Tree(parent.tree), Tree(n.tree), ChangeOptions{}) {
		if err != nil {
			return nil, err
		}
		if !c.New.Present() || pathOf(lines, c.New.Path) != nil {
			changes = append(changes, c)
		}
	}
	paired, err := l.repo.pair(l.walk.ctx, changes, Tree(parent.tree), Tree(n.tree), l.renames)
	if err != nil {
		return nil, err
	}
	paired = slices.DeleteFunc(paired, func(c Change) bool { return !c.New.Present() })
	return l.pickaxe.kept(paired) // git's pickaxe has a say here alone
}

// lookUp finds a file in a tree; nothing is an entry that is not present, and so
// is a directory.
func (l *lineLog) lookUp(tree plumbing.Hash, path string) (Entry, error) {
	end, err := l.end(tree, path)
	if err != nil || end.mode == 0 || end.mode == object.ModeTree {
		return Entry{Path: path}, err
	}
	return Entry{Path: path, Mode: end.mode, ID: end.id, IDKnown: true}, nil
}

// end finds what stands at a path.
func (l *lineLog) end(tree plumbing.Hash, path string) (leaf, error) {
	known := l.files[path]
	if known == nil {
		known = &followedFile{ends: signatures{
			reader: l.repo.objects.NewReader(), paths: []plainPath{{names: strings.Split(path, "/")}}, memo: map[memoKey]leaf{},
		}, in: map[plumbing.Hash]leaf{}}
		l.files[path] = known
	}
	end, ok := known.in[tree]
	if !ok {
		var err error
		if end, err = known.ends.end(tree, 0, 0); err != nil {
			return leaf{}, err
		}
		known.in[tree] = end
	}
	return end, nil
}

// content returns a file's content, valid until the next call.
func (l *lineLog) content(e Entry) ([]byte, error) {
	switch {
	case !e.Present():
		return nil, nil
	case e.Mode == modeGitlink:
		return subproject(e.ID), nil
	}
	kind, data, err := l.reader.Read(e.ID)
	if err == nil && kind != plumbing.BlobObject {
		err = &TypeError{ID: e.ID, Have: kind, Want: plumbing.BlobObject}
	}
	return data, err
}

// changes compares the two files of a pair line by line.
func (l *lineLog) changes(pair Change) ([]linediff.Change, error) {
	if pair.Old.ID == pair.New.ID {
		return nil, nil
	}
	old, err := l.content(pair.Old)
	if err != nil {
		return nil, err
	}
	l.old = append(l.old[:0], old...)
	now, err := l.content(pair.New)
	if err != nil {
		return nil, err
	}
	if max(len(l.old), len(now)) > linediff.MaxSize {
		return nil, fmt.Errorf("unable to generate diff for %s", pair.Old.Path)
	}
	ctx := l.walk.ctx
	opts := linediff.Options{ZeroContext: true, NoIndentHeuristic: true, Stop: func() bool { return ctx.Err() != nil }}
	return l.differ.Diff(l.old, now, opts), ctx.Err()
}
