package blame

import (
	"iter"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/linediff"
)

// Result is the answer of File.
type Result struct {
	Path    string
	Content []byte // of the file in the revision, or of the work tree file as git would store it
	Groups  []Group

	uncommitted []byte // text of the commit that stands for the work tree
}

// Group is a run of lines that come from one origin. Lines count from 1.
type Group struct {
	Origin *Origin // the same pointer for all groups of an origin
	Source int     // the first line's number in the origin
	Final  int     // and in Result.Content
	Count  int
	// Ignored says that the lines were changed by an ignored commit, and that
	// Origin is a guess; Unblamable that an ignored commit wrote them and no
	// line before it looks like them (blame.ignoreRevsFile).
	Ignored, Unblamable bool
}

// Origin is a file in a commit.
type Origin struct {
	Commit   plumbing.Hash // zero: not committed yet
	Path     string
	Boundary bool // the lines may be older than the commit
	// Previous is the file in the parent that it was compared with, nil when
	// no parent had it. Its own Previous is not filled in.
	Previous *Origin
}

// Line is one line of a result.
type Line struct {
	Number int    // in the file, from 1
	Text   []byte // with its newline, unless the file ends without; part of Result.Content
	Source int    // its number in the group's origin
	Group  *Group
}

// Lines yields the lines that were asked for, in the order of the file.
func (r *Result) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var lines linediff.Lines
		lines.Split(r.Content)
		for i := range r.Groups {
			g := &r.Groups[i]
			for n := range g.Count {
				if !yield(Line{g.Final + n, lines.Line(g.Final - 1 + n), g.Source + n, g}) {
					return
				}
			}
		}
	}
}
