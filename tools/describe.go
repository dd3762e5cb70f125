package tools

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// describeCommit names a commit by a tag.
func describeCommit() *operation {
	var rev string
	var dirty bool
	var opts reader.DescribeOptions
	var candidates int64
	return &operation{
		doc: "Name a commit by the nearest tag from which it can be reached: TAG, or TAG-COMMITS-gID. Same bytes as git describe [REV].",
		params: []*Param{
			revision(&rev, "rev", "The commit to name. Default: HEAD.", ""),
			flag(&opts.Tags, "tags", "Take lightweight tags, too, not only annotated ones."),
			flag(&opts.All, "all", "Take any ref: branches and remote branches, too."),
			flag(&opts.Long, "long", "Show the number of commits and the id even at the tag itself."),
			flag(&opts.Always, "always", "Show an abbreviated id where there is no tag."),
			flag(&opts.Exact, "exact", "Only a tag of the commit itself will do."),
			flag(&opts.FirstParent, "first_parent", "Follow only the first parent of merges."),
			flag(&dirty, "dirty", "Add -dirty when tracked files have changes; without rev."),
			texts(&opts.Match, "match", "Only tags whose name matches this shell pattern, or one of these."),
			texts(&opts.Exclude, "exclude", "No tags whose name matches this shell pattern, or one of these."),
			number(&candidates, "candidates", "How many tags to compare, 1 to 26.", 10, 1, 26),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			opts.Candidates = int(candidates)
			text, err := c.describe(ctx, rev, dirty, opts)
			if err == nil {
				_, err = fmt.Fprintln(w, text)
			}
			return err
		},
	}
}

func (c *call) describe(ctx context.Context, rev string, dirty bool, opts reader.DescribeOptions) (string, error) {
	if rev != "" && dirty {
		return "", complaint("option '--dirty' and commit-ishes cannot be used together")
	}
	asked := rev
	if asked == "" {
		asked = "HEAD"
	}
	id, err := c.resolve(ctx, "rev", asked)
	if unknown := new(reader.UnknownRevisionError); errors.As(err, &unknown) {
		return "", &badNameError{"object", asked}
	}
	if err != nil {
		return "", err
	}
	commit, err := c.repo.ResolveCommit(ctx, sandbox.Rev(id.String()))
	if err != nil {
		return "", complaint(asked + " is not a commit")
	}
	text, err := c.repo.Describe(ctx, commit, opts)
	if err != nil || !dirty {
		return text, err
	}
	changed, err := c.repo.Dirty(ctx, reader.StatusOptions{Untracked: reader.UntrackedNo, IgnoreSubmodules: reader.IgnoreUntracked})
	if changed {
		text += "-dirty"
	}
	return text, err
}
