package tools

import (
	"context"
	"io"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/linediff"
)

// diffParams are what a diff may be asked for.
type diffParams struct {
	files                                     []string
	from, to, whitespace, algorithm, wordDiff string
	cached, mergeBase, findCopies             bool
	functionContext, blankLines               bool
	stat, numstat, shortstat, summary         bool
	nameStatus, nameOnly                      bool
	unified                                   int64
}

// diff shows what changed in files.
func diff() *operation {
	var p diffParams
	return &operation{
		doc: "Show changes of tracked files as a unified diff: those not staged, or with cached those staged for commit, or those between revisions. Same bytes as git diff --unified=3 [--cached] [FROM [TO]] -- FILES.",
		params: []*Param{
			texts(&p.files, "files", "Only these paths: one git pathspec or several, relative to cwd. Default: everything below cwd."),
			flag(&p.cached, "cached", "Compare the index with HEAD (or from) instead of the work tree with the index."),
			text(&p.from, "from", "The old side: a commit, tag, tree or file (REV:PATH), a range OLD..NEW, or BASE...NEW for what NEW did since both parted. Default: the index, or with cached HEAD."),
			text(&p.to, "to", "The new side, with from: a commit, tag, tree or file. Default: the work tree, or with cached the index."),
			flag(&p.mergeBase, "merge_base", "Take as the old side the merge base of from with to, or with HEAD."),
			number(&p.unified, "unified", "Lines of context around changes.", 3, 0, 1<<20),
			flag(&p.functionContext, "function_context", "Show the whole function around a change."),
			flag(&p.stat, "stat", "Show how much changed in each file instead of the diff."),
			flag(&p.numstat, "numstat", "The same in numbers: added, deleted, path."),
			flag(&p.shortstat, "shortstat", "Show only how much changed in all."),
			flag(&p.summary, "summary", "Show only which files came, went, moved or changed their mode."),
			flag(&p.nameStatus, "name_status", "Show which files changed, and how, instead of the diff."),
			flag(&p.nameOnly, "name_only", "Show which files changed, instead of the diff."),
			word(&p.whitespace, "ignore_whitespace", "Ignore white space: all of it, changes of its amount, or at line ends.", "all", "change", "eol"),
			flag(&p.blankLines, "ignore_blank_lines", "Ignore changes that only add or remove blank lines."),
			word(&p.wordDiff, "word_diff", "Mark the words that changed within lines: [-old-]{+new+}, or a run of words a line.", "plain", "porcelain"),
			flag(&p.findCopies, "find_copies", "Look for copies as well as renames."),
			word(&p.algorithm, "algorithm", "How lines are matched. Default: what diff.algorithm says, or myers.", "myers", "minimal", "patience", "histogram"),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			sides, err := c.diffSides(ctx, &p)
			if err != nil {
				return err
			}
			q, err := c.diffRequest(sides.what, &p)
			if err != nil {
				return err
			}
			if sides.parents != nil {
				m := diffrender.MergeRequest{Parents: sides.parents, Result: sides.new, Changes: q.Changes, Options: q.Options, Formats: q.Formats}
				return diffrender.WriteMerge(ctx, w, c.repo, m)
			}
			q.Old, q.New, q.Given = sides.old, sides.new, sides.given
			return diffrender.Write(ctx, w, c.repo, q)
		},
	}
}

// diffRequest turns the request's values into how a comparison is shown.
func (c *call) diffRequest(what diffrender.Comparison, p *diffParams) (q diffrender.Request, err error) {
	if q.Changes, err = diffrender.ChangesFromConfig(c.repo); err != nil {
		return q, err
	}
	if q.Options, err = diffrender.OptionsFromConfig(c.repo, what); err != nil {
		return q, err
	}
	if q.Changes.Paths, err = c.pathspecs(p.files, "."); err != nil {
		return q, err
	}
	q.Changes.Copies = q.Changes.Copies || p.findCopies
	q.Changes.Renames = q.Changes.Renames || p.findCopies
	p.lineOptions(&q.Options)
	if p.nameOnly && p.nameStatus {
		return q, complaint("options '--name-only' and '--name-status' cannot be used together")
	}
	q.Formats = diffrender.Formats{
		Stat: p.stat, NumStat: p.numstat, ShortStat: p.shortstat, Summary: p.summary, NameStatus: p.nameStatus, NameOnly: p.nameOnly,
	}
	q.Formats.Patch = q.Formats == diffrender.Formats{}
	q.Changes.RefuseLinkedSubmodules = q.Formats.Patch
	return q, nil
}

// lineOptions sets how lines are matched and shown.
func (p *diffParams) lineOptions(o *diffrender.Options) {
	o.Unified = contextLines(p.unified)
	o.FunctionContext = p.functionContext
	o.IgnoreBlankLines = p.blankLines
	o.WordDiff = map[string]diffrender.WordDiff{"plain": diffrender.PlainWords, "porcelain": diffrender.PorcelainWords}[p.wordDiff]
	switch p.whitespace {
	case "all":
		o.Whitespace = linediff.IgnoreAll
	case "change":
		o.Whitespace = linediff.IgnoreChange
	case "eol":
		o.Whitespace = linediff.IgnoreEOL
	}
	if algorithm, ok := diffrender.ParseAlgorithm(p.algorithm); ok {
		o.Algorithm = algorithm
	}
}
