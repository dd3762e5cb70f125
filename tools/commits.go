package tools

import (
	"context"
	"io"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
)

// writeLog prints the commits, a line each, with a newline between two of
// them, as git's format: does, and what below prints under each, unless it is
// nil.
func writeLog(w io.Writer, repo *reader.Repository, commits iter.Seq2[*reader.Commit, error], below func(io.Writer, *reader.Commit) error) error {
	line := pretty.Line{Dates: pretty.Dates{Format: pretty.DateISO}, Encoding: repo.OutputEncoding()}
	buf := buffer{to: w}
	separator := ""
	for commit, err := range commits {
		if err != nil {
			buf.flush() // what came before stands, as in git; the error counts
			return err
		}
		buf.text = append(buf.text, separator...)
		separator = "\n"
		if buf.text, err = line.Append(buf.text, commit.ID, commit.Data); err != nil {
			return err
		}
		if below != nil {
			err = buf.flush()
			if err == nil {
				err = below(w, commit)
			}
		} else {
			err = buf.flushFull()
		}
		if err != nil {
			return err
		}
	}
	return buf.flush()
}

// commitChanges prints what commits changed.
type commitChanges struct {
	*call
	ctx         context.Context
	formats     diffrender.Formats
	request     diffrender.Request
	noRoot      bool // log.showRoot=false: a commit without parents changed nothing
	format      pretty.Format
	firstParent bool // show a merge's changes from its first parent, instead of none
}

// configure reads the settings that changes are shown with.
func (s *commitChanges) configure(paths *pathspec.Spec) (err error) {
	if s.request.Changes, err = diffrender.ChangesFromConfig(s.repo); err != nil {
		return err
	}
	s.request.Options, err = diffrender.OptionsFromConfig(s.repo, diffrender.Trees)
	s.request.Changes.Paths, s.request.Formats = paths, s.formats
	if err == nil {
		s.noRoot, err = s.repo.Config().Bool("log.showroot", true)
		s.noRoot = !s.noRoot
	}
	return err
}

// write prints the changes of a commit under its text.
func (s *commitChanges) write(w io.Writer, commit *reader.Commit) error {
	id := commit.ID
	parents, err := s.repo.Parents(id)
	if err != nil || len(parents) > 1 && !s.firstParent {
		return err
	}
	q, err := s.comparison(id, parents)
	if err != nil {
		return err
	}
	q.Given = commit.Changes
	return s.writeUnder(w, q)
}

// writeUnder prints the comparison, if there is anything, under a commit's
// text.
func (s *commitChanges) writeUnder(w io.Writer, q diffrender.Request) error {
	if s.noRoot && q.Old == reader.Empty {
		return nil
	}
	before := "\n"
	switch {
	case s.format.Kind == pretty.Oneline, s.format.Empty():
		before = ""
	case s.formats.Stat && s.formats.Patch && !s.formats.NameStatus:
		before = "---\n"
	}
	return diffrender.Write(s.ctx, &preceded{to: w, before: before}, s.repo, q)
}

// comparison is that of the commit with its first parent, or with nothing.
func (s *commitChanges) comparison(id plumbing.Hash, parents []plumbing.Hash) (diffrender.Request, error) {
	q := s.request
	tree, err := s.repo.TreeOf(id)
	if err != nil {
		return q, err
	}
	q.Old, q.New = reader.Empty, reader.Tree(tree)
	if len(parents) > 0 {
		before, err := s.repo.TreeOfParent(parents[0])
		if err != nil {
			return q, err
		}
		q.Old = reader.Tree(before)
	}
	return q, nil
}

// preceded writes a text before the first byte that is written.
type preceded struct {
	to     io.Writer
	before string
}

// Write writes the text before it, once, and the bytes.
func (p *preceded) Write(b []byte) (int, error) {
	if p.before != "" && len(b) > 0 {
		if _, err := io.WriteString(p.to, p.before); err != nil {
			return 0, err
		}
		p.before = ""
	}
	return p.to.Write(b)
}
