package tools

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// revListParams are what a rev_list may be asked for.
type revListParams struct {
	revs, files                 []string
	count, leftRight, all       bool
	firstParent, reverse        bool
	limit, skip                 int64
	since, until, merges, order string
	author, committer, grep     []string
	ignoreCase, extended, fixed bool
}

// revList lists or counts commits.
func revList() *operation {
	var p revListParams
	return &operation{
		doc:     "List the ids of commits that can be reached, a line each, or count them. Same bytes as git rev-list [--count] REV... [-- FILES].",
		bounded: true,
		params: []*Param{
			texts(&p.revs, "rev", "Where to start: a commit, a range OLD..NEW or LEFT...RIGHT, or ^REV to leave its history out; one or several. Default: HEAD."),
			texts(&p.files, "files", "Only commits that change these paths: one git pathspec or several, relative to cwd."),
			flag(&p.count, "count", "Show only how many commits there are."),
			flag(&p.leftRight, "left_right", "Mark commits of the left side of LEFT...RIGHT with <, others with >; with count, count them separately."),
			flag(&p.all, "all", "Start from all branches, tags and other refs, and HEAD, too."),
			number(&p.limit, "limit", "How many commits at most; 0: all.", 0, 0, math.MaxInt32),
			number(&p.skip, "skip", "How many commits to leave out first.", 0, 0, math.MaxInt32),
			flag(&p.firstParent, "first_parent", "Follow only the first parent of merges."),
			word(&p.merges, "merges", "only: merges alone; none: no merges.", "only", "none"),
			word(&p.order, "order", "date: no parent before its children; topo: lines of history together; author-date: like date, by the author's date.", "date", "topo", "author-date"),
			flag(&p.reverse, "reverse", "Oldest first."),
			text(&p.since, "since", "Only commits since this date: 2026-01-31, 2 weeks ago, yesterday."),
			text(&p.until, "until", "Only commits until this date."),
			texts(&p.author, "author", "Only commits whose author (Name <mail>) matches this regular expression, or one of these."),
			texts(&p.committer, "committer", "The same for the committer."),
			texts(&p.grep, "grep", "Only commits whose message has a line that matches this regular expression, or one of these."),
			flag(&p.ignoreCase, "ignore_case", "Regular expressions match letters of either case."),
			flag(&p.extended, "extended", "Regular expressions are extended ones."),
			flag(&p.fixed, "fixed", "What would be regular expressions are plain texts."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error { return c.revList(ctx, w, &p) },
	}
}

func (c *call) revList(ctx context.Context, w io.Writer, p *revListParams) error {
	opts, err := c.logOptions(ctx, &logParams{
		revs: headWithout(p.revs, p.all), all: p.all,
		limit: p.limit, skip: p.skip, since: p.since, until: p.until, order: p.order, merges: p.merges,
		files: p.files, author: p.author, committer: p.committer, grep: p.grep, firstParent: p.firstParent,
		ignoreCase: p.ignoreCase, extended: p.extended, fixed: p.fixed,
	})
	if err != nil {
		return err
	}
	opts.Reverse, opts.IDs = p.reverse, true
	if p.count {
		return c.countList(ctx, w, opts, p.leftRight)
	}
	buf := buffer{to: w}
	for commit, err := range c.repo.Log(ctx, opts) {
		if err != nil {
			buf.flush() // what came before stands, as in git; the error counts
			return err
		}
		if p.leftRight {
			buf.text = append(buf.text, map[bool]byte{true: '<', false: '>'}[commit.Left])
		}
		buf.text = append(object.AppendID(buf.text, commit.ID), '\n')
		if err := buf.flushFull(); err != nil {
			return err
		}
	}
	return buf.flush()
}

// countList prints how many commits there are, or how many on either side.
func (c *call) countList(ctx context.Context, w io.Writer, opts reader.LogOptions, leftRight bool) error {
	if !leftRight {
		n, err := c.repo.Count(ctx, opts)
		if err == nil {
			_, err = fmt.Fprintln(w, n)
		}
		return err
	}
	var left, right int
	for commit, err := range c.repo.Log(ctx, opts) {
		if err != nil {
			return err
		}
		if commit.Left {
			left++
		} else {
			right++
		}
	}
	_, err := fmt.Fprintf(w, "%d\t%d\n", left, right)
	return err
}

// headWithout returns the revisions that a walk starts from: HEAD without any.
func headWithout(revs []string, all bool) []string {
	if len(revs) == 0 && !all {
		return []string{"HEAD"}
	}
	return revs
}

// selection resolves revisions and ranges, and all refs if they are asked for.
func (c *call) selection(ctx context.Context, revs []string, all bool) (reader.Selection, error) {
	parsed := make([]sandbox.Rev, len(revs))
	for i, rev := range revs {
		var err error
		if parsed[i], err = sandbox.ParseRev(c.policy, "rev", rev); err != nil {
			return reader.Selection{}, err
		}
	}
	s, err := c.repo.ResolveRange(ctx, parsed...)
	if err != nil || !all {
		return s, err
	}
	tips, err := c.repo.AllTips()
	s.Tips = append(s.Tips, tips...)
	return s, err
}
