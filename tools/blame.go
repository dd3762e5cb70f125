package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/blame"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// blameLines tells where the lines of a file come from.
func blameLines() *operation {
	p := blameParams{porcelain: true}
	return &operation{
		doc: "Tell for each line of a file which commit wrote it. Same bytes as git blame --porcelain [REV] -- PATH.",
		params: []*Param{
			text(&p.path, "path", "The file, relative to cwd.").required(),
			revision(&p.rev, "rev", "The revision that has the file, or a range OLD..NEW behind whose beginning not to look. Default: the work tree with its uncommitted changes.", ""),
			text(&p.lines, "lines", "Only these lines: 10,20 or 10, or ,20 or 10,+5, with /EXPRESSION/ for a line, or :FUNCTION."),
			flag(&p.ignoreWhitespace, "ignore_whitespace", "Take changes of white space as none."),
			flag(&p.moves, "moves", "Also find where in the same file lines were moved from (-M)."),
			number(&p.copies, "copies", "Also find where in other files lines were copied or moved from. 1: files changed in the same commit (-C); 2: all files, for the commit that created the file; 3: all files, for every commit.", 0, 0, 3),
			flag(&p.reverse, "reverse", "Tell up to which commit each line lasted; rev is a range START..END, or START for START..HEAD, and the file that of START."),
			flag(&p.porcelain, "porcelain", "The format for programs; false: git blame's format for people."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error { return c.blame(ctx, w, p) },
	}
}

type blameParams struct {
	path, rev, lines            string
	ignoreWhitespace, porcelain bool
	moves, reverse              bool
	copies                      int64
}

func (c *call) blame(ctx context.Context, w io.Writer, p blameParams) error {
	name, err := c.blamedPath(p.path)
	if err != nil {
		return err
	}
	find := c.blamedCommit
	if p.reverse {
		find = c.firstCommit
	}
	id, opts, err := find(ctx, p.rev)
	if err != nil {
		return err
	}
	opts.IgnoreWhitespace = p.ignoreWhitespace
	switch {
	case p.copies > 0:
		opts.Copies = blame.MovedWithin + blame.Copies(p.copies)
	case p.moves:
		opts.Copies = blame.MovedWithin
	}
	if p.lines != "" {
		opts.Lines, opts.Function = []string{p.lines}, c.functionLines
	}
	result, err := blame.File(ctx, c.repo, id, name, opts)
	if err != nil {
		return err
	}
	if p.porcelain {
		return blame.Porcelain(ctx, w, c.repo, result)
	}
	return blame.Text(ctx, w, c.repo, result)
}

// blamedPath turns a path relative to cwd into one relative to the top.
func (c *call) blamedPath(name string) (string, error) {
	within, err := c.pathInTree(name)
	var outside *outsideError
	if errors.As(err, &outside) {
		top := c.repo.GitDir().Path()
		if dir, err := c.repo.WorkTree(); err == nil {
			top = dir.Path()
		}
		return "", complaint(fmt.Sprintf("'%s' is outside repository at '%s'", name, top))
	}
	return within, err
}

// blamedCommit reads the revision; none is the work tree, or HEAD where there
// is none.
func (c *call) blamedCommit(ctx context.Context, rev string) (id plumbing.Hash, opts blame.Options, err error) {
	if rev == "" {
		if !c.repo.Bare() {
			return id, opts, nil
		}
		head, err := c.repo.Head()
		if err == nil && head.Unborn {
			err = complaint("no such ref: HEAD")
		}
		opts.Name = "HEAD"
		return head.ID, opts, err
	}
	selection, err := c.blamedRange(ctx, rev, false)
	if err != nil {
		return id, opts, err
	}
	opts.Exclude, opts.Name = selection.Exclude, rev
	if _, end, ok := strings.Cut(rev, ".."); ok {
		opts.Name = cmp.Or(strings.TrimPrefix(end, "."), "HEAD")
	}
	switch {
	case len(selection.Tips) > 1:
		return id, opts, complaint(fmt.Sprintf("More than one commit to dig from %s and %s?", selection.Tips[0], selection.Tips[1]))
	case len(selection.Tips) == 1:
		id = selection.Tips[0]
	}
	return id, opts, nil
}

// firstCommit reads the revision of a blame in reverse: the one commit that it
// excludes is where it begins. A single commit stands for a range up to HEAD.
func (c *call) firstCommit(ctx context.Context, rev string) (id plumbing.Hash, opts blame.Options, err error) {
	if rev == "" {
		return id, opts, complaint("No commit to dig up from?")
	}
	selection, err := c.blamedRange(ctx, rev, true)
	if err != nil {
		return id, opts, err
	}
	first, _, _ := strings.Cut(rev, "..")
	opts.Name = cmp.Or(first, "HEAD")
	switch {
	case len(selection.Exclude) > 1:
		return id, opts, complaint(fmt.Sprintf("More than one commit to dig up from, %s and %s?", selection.Exclude[1], selection.Exclude[0]))
	case len(selection.Exclude) == 1:
		opts.Reverse = append([]plumbing.Hash{}, selection.Tips...)
		return selection.Exclude[0], opts, nil
	case len(selection.Tips) != 1:
		return id, opts, complaint("No commit to dig up from?")
	}
	head, err := c.repo.Head()
	if err == nil && head.Unborn {
		err = complaint("No commit to dig up from?")
	}
	opts.Reverse = []plumbing.Hash{head.ID}
	return selection.Tips[0], opts, err
}

// blamedRange resolves the revision of a blame, with the errors of git blame.
// The lines are those of a commit that the revision excludes, or of one that it
// includes.
func (c *call) blamedRange(ctx context.Context, rev string, excluded bool) (reader.Selection, error) {
	parsed, err := sandbox.ParseRev(c.policy, "rev", rev)
	if err != nil {
		return reader.Selection{}, err
	}
	selection, err := c.repo.ResolveRange(ctx, parsed)
	if unknown := (*reader.UnknownRevisionError)(nil); errors.As(err, &unknown) {
		err = complaint(fmt.Sprintf("bad revision '%s'", rev))
	}
	if err != nil {
		return selection, err
	}
	return selection, onlyCommits(selection, excluded)
}

// onlyCommits refuses trees and blobs among what a selection includes, or
// excludes.
func onlyCommits(s reader.Selection, excluded bool) error {
	for _, other := range s.Others {
		if other.Exclude == excluded {
			return complaint(fmt.Sprintf("Non commit %s?", other.Rev))
		}
	}
	return nil
}
