package tools

import (
	"cmp"
	"context"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// The bounds of a log's limit, from the reference.
const (
	defaultLimit = 10
	maxLimit     = 1000
)

// log lists commits, a line each.
func log() *operation {
	var limit, skip int64
	var rev string
	var firstParent bool
	return &operation{
		doc: "List commits from HEAD (or rev) back, newest first, a line each: hash|author|email|date|subject. Same bytes as git log -N --pretty=format:%H|%an|%ae|%ad|%s --date=iso.",
		params: []*Param{
			number(&limit, "limit", "How many commits at most, 1 to 1000.", defaultLimit, 1, maxLimit),
			revision(&rev, "rev", "Where to start: a commit or tag, or a range OLD..NEW.", ""),
			number(&skip, "skip", "How many commits to leave out first.", 0, 0, math.MaxInt32),
			flag(&firstParent, "first_parent", "Follow only the first parent of merges."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			opts := reader.LogOptions{Limit: int(limit), Skip: int(skip), FirstParent: firstParent}
			var err error
			if opts.Tips, opts.Exclude, err = c.revisions(ctx, rev); err != nil {
				return err
			}
			return writeLog(w, c.repo, c.repo.Log(ctx, opts))
		},
	}
}

// revisions returns what a revision or a range OLD..NEW includes and leaves
// out. An empty side means HEAD, as does an empty rev.
func (c *call) revisions(ctx context.Context, rev string) (tips, exclude []plumbing.Hash, err error) {
	if rev == "" {
		return nil, nil, nil
	}
	old, last, isRange := strings.Cut(rev, "..")
	if !isRange {
		id, err := c.resolveCommit(ctx, rev)
		return []plumbing.Hash{id}, nil, err
	}
	if strings.HasPrefix(last, ".") {
		return nil, nil, &UnavailableError{"log of a symmetric range (OLD...NEW)"}
	}
	from, err := c.resolveCommit(ctx, cmp.Or(old, "HEAD"))
	if err != nil {
		return nil, nil, err
	}
	id, err := c.resolveCommit(ctx, cmp.Or(last, "HEAD"))
	return []plumbing.Hash{id}, []plumbing.Hash{from}, err
}

func (c *call) resolveCommit(ctx context.Context, rev string) (plumbing.Hash, error) {
	parsed, err := sandbox.ParseRev(c.policy, "rev", rev)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return c.repo.ResolveCommit(ctx, parsed)
}

// writeLog prints the commits with a newline between two of them, as git's
// format: does.
func writeLog(w io.Writer, repo *reader.Repository, commits iter.Seq2[*reader.Commit, error]) error {
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
		if err := buf.flushFull(); err != nil {
			return err
		}
	}
	return buf.flush()
}

