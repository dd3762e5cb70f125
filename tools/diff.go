package tools

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// diffParams are what a diff may be asked for.
type diffParams struct {
	files                               []string
	from, to, whitespace, algorithm     string
	cached, findCopies, functionContext bool
	stat, numstat, shortstat, summary   bool
	nameStatus, nameOnly                bool
	unified                             int64
}

// diff shows what changed in files.
func diff() *operation {
	var p diffParams
	return &operation{
		doc: "Show changes of tracked files as a unified diff: those not staged, or with cached those staged for commit, or those between revisions. Same bytes as git diff --unified=3 [--cached] [FROM [TO]] -- FILES.",
		params: []*Param{
			texts(&p.files, "files", "Only these paths: one git pathspec or several, relative to cwd. Default: everything below cwd."),
			flag(&p.cached, "cached", "Compare the index with HEAD (or from) instead of the work tree with the index."),
			text(&p.from, "from", "The old side: a commit, tag or tree, or a range OLD..NEW. Default: the index, or with cached HEAD."),
			text(&p.to, "to", "The new side, with from: a commit, tag or tree. Default: the work tree, or with cached the index."),
			number(&p.unified, "unified", "Lines of context around changes.", 3, 0, 1<<20),
			flag(&p.functionContext, "function_context", "Show the whole function around a change."),
			flag(&p.stat, "stat", "Show how much changed in each file instead of the diff."),
			flag(&p.numstat, "numstat", "The same in numbers: added, deleted, path."),
			flag(&p.shortstat, "shortstat", "Show only how much changed in all."),
			flag(&p.summary, "summary", "Show only which files came, went, moved or changed their mode."),
			flag(&p.nameStatus, "name_status", "Show which files changed, and how, instead of the diff."),
			flag(&p.nameOnly, "name_only", "Show which files changed, instead of the diff."),
			word(&p.whitespace, "ignore_whitespace", "Ignore white space: all of it, changes of its amount, or at line ends.", "all", "change", "eol"),
			flag(&p.findCopies, "find_copies", "Look for copies as well as renames."),
			word(&p.algorithm, "algorithm", "How lines are matched. Default: what diff.algorithm says, or myers.", "myers", "minimal", "patience", "histogram"),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			q, err := c.diffRequest(ctx, &p)
			if err != nil {
				return err
			}
			return diffrender.Write(ctx, w, c.repo, q)
		},
	}
}

// diffRequest turns the request's values into a comparison.
func (c *call) diffRequest(ctx context.Context, p *diffParams) (diffrender.Request, error) {
	from, to := p.from, p.to
	if old, last, isRange := strings.Cut(from, ".."); isRange && to == "" && !strings.Contains(old, ":") {
		if strings.HasPrefix(last, ".") {
			return diffrender.Request{}, &UnavailableError{"diff of a symmetric range (OLD...NEW)"}
		}
		from, to = cmp.Or(old, "HEAD"), cmp.Or(last, "HEAD")
	}
	q, err := c.compare(ctx, from, to, p.cached)
	if err != nil {
		return q, err
	}
	if q.Changes.Paths, err = c.pathspecs(p.files, "."); err != nil {
		return q, err
	}
	q.Changes.Copies = q.Changes.Copies || p.findCopies
	q.Changes.Renames = q.Changes.Renames || p.findCopies
	q.Options.Unified = contextLines(p.unified)
	q.Options.FunctionContext = p.functionContext
	switch p.whitespace {
	case "all":
		q.Options.Whitespace = linediff.IgnoreAll
	case "change":
		q.Options.Whitespace = linediff.IgnoreChange
	case "eol":
		q.Options.Whitespace = linediff.IgnoreEOL
	}
	if algorithm, ok := diffrender.ParseAlgorithm(p.algorithm); ok {
		q.Options.Algorithm = algorithm
	}
	if p.nameOnly && p.nameStatus {
		return q, complaint("options '--name-only' and '--name-status' cannot be used together")
	}
	q.Formats = diffrender.Formats{
		Stat: p.stat, NumStat: p.numstat, ShortStat: p.shortstat, Summary: p.summary, NameStatus: p.nameStatus, NameOnly: p.nameOnly,
	}
	q.Formats.Patch = q.Formats == diffrender.Formats{}
	return q, nil
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
