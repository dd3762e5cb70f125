package tools

import (
	"context"
	"io"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// diff shows what changed in files.
func diff() *operation {
	var files []string
	var from, to string
	var cached bool
	return &operation{
		doc: "Show changes of tracked files as a unified diff: those not staged, or with cached those staged for commit, or those between revisions. Same bytes as git diff --unified=3 [--cached] [FROM [TO]] -- FILES.",
		params: []*Param{
			texts(&files, "files", "Only these paths: one git pathspec or several, relative to cwd. Default: everything below cwd."),
			flag(&cached, "cached", "Compare the index with HEAD (or from) instead of the work tree with the index."),
			text(&from, "from", "The old side: a commit, tag or tree. Default: the index, or with cached HEAD."),
			text(&to, "to", "The new side, with from: a commit, tag or tree. Default: the work tree, or with cached the index."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			q, err := c.compare(ctx, from, to, cached)
			if err != nil {
				return err
			}
			if q.Changes.Paths, err = c.pathspecs(files, "."); err != nil {
				return err
			}
			q.Options.Unified = 3
			q.Formats.Patch = true
			return diffrender.Write(ctx, w, c.repo, q)
		},
	}
}

// compare returns the comparison of two sides with the repository's settings.
// Empty revisions mean what git diff means without them.
func (c *call) compare(ctx context.Context, from, to string, cached bool) (q diffrender.Request, err error) {
	what := diffrender.Trees
	switch {
	case to != "" && from == "":
		return q, &RequestError{Operation: "diff", Param: "from", Reason: "parameter 'to' of diff needs 'from'"}
	case to != "" && cached:
		return q, &RequestError{Operation: "diff", Param: "cached", Reason: "parameter 'cached' of diff doesn't go with 'to'"}
	case cached:
		what = diffrender.TreeToIndex
	case from == "":
		what = diffrender.IndexToWorkTree
	case to == "":
		what = diffrender.TreeToWorkTree
	}
	if q.Changes, err = diffrender.ChangesFromConfig(c.repo); err != nil {
		return q, err
	}
	if q.Options, err = diffrender.OptionsFromConfig(c.repo, what); err != nil {
		return q, err
	}
	if q.Old, err = c.oldSide(ctx, from, cached); err != nil {
		return q, err
	}
	q.New, err = c.newSide(ctx, to, cached)
	return q, err
}

func (c *call) oldSide(ctx context.Context, from string, cached bool) (reader.Side, error) {
	switch {
	case from != "":
		return c.treeSide(ctx, "from", from)
	case !cached:
		return reader.IndexSide, nil
	}
	return c.repo.HeadSide()
}

func (c *call) newSide(ctx context.Context, to string, cached bool) (reader.Side, error) {
	switch {
	case to != "":
		return c.treeSide(ctx, "to", to)
	case cached:
		return reader.IndexSide, nil
	}
	_, err := c.repo.WorkTree()
	return reader.WorkTreeSide, err
}

func (c *call) treeSide(ctx context.Context, param, rev string) (reader.Side, error) {
	parsed, err := sandbox.ParseRev(c.policy, param, rev)
	if err != nil {
		return nil, err
	}
	tree, err := c.repo.ResolveTree(ctx, parsed)
	return reader.Tree(tree), err
}
