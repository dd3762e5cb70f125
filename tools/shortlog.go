package tools

import (
	"context"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/reader"
)

// shortlog groups commits by people.
func shortlog() *operation {
	var p logParams
	var opts reader.ShortlogOptions
	return &operation{
		doc:     "Group commits by author, names by the mailmap: NAME (COUNT): and the subjects, or with summary COUNT, a tab, NAME. Same bytes as git shortlog [-s] [-n] [-e] REV... [-- FILES].",
		bounded: true,
		params: []*Param{
			texts(&p.revs, "rev", "Which commits: those that this one leads to, or a range OLD..NEW; one or several. Default: HEAD."),
			texts(&p.files, "files", "Only commits that change these paths: one git pathspec or several, relative to cwd."),
			flag(&opts.Summary, "summary", "Show only how many commits each author has."),
			flag(&opts.Numbered, "numbered", "Most commits first, instead of by name."),
			flag(&opts.Email, "email", "Show mail addresses, too."),
			flag(&opts.Committer, "committer", "Group by committer instead of author."),
			flag(&p.all, "all", "Start from all branches, tags and other refs, and HEAD, too."),
			word(&p.merges, "merges", "only: merges alone; none: no merges.", "only", "none"),
			text(&p.since, "since", "Only commits since this date: 2026-01-31, 2 weeks ago, yesterday."),
			text(&p.until, "until", "Only commits until this date."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			p.revs = headWithout(p.revs, p.all)
			commits, err := c.logOptions(ctx, &p)
			if err != nil {
				return err
			}
			groups, err := c.repo.Shortlog(ctx, commits, opts)
			if err != nil {
				return err
			}
			return writeShortlog(w, groups, opts.Summary)
		},
	}
}

func writeShortlog(w io.Writer, groups []reader.ShortlogGroup, summary bool) error {
	buf := buffer{to: w}
	for _, g := range groups {
		if summary {
			buf.text = fmt.Appendf(buf.text, "%6d\t%s\n", g.Count, g.Who)
			continue
		}
		buf.text = fmt.Appendf(buf.text, "%s (%d):\n", g.Who, g.Count)
		for _, subject := range g.Subjects {
			buf.text = append(append(append(buf.text, "      "...), subject...), '\n')
		}
		buf.text = append(buf.text, '\n')
		if err := buf.flushFull(); err != nil {
			return err
		}
	}
	return buf.flush()
}
