package tools

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/approxidate"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// The bounds of a log's limit, from the reference.
const (
	defaultLimit = 10
	maxLimit     = 1000
)

// logParams are what a log may be asked for.
type logParams struct {
	limit, skip                                   int64
	rev, path, since, until, order, merges        string
	pickaxe, pickaxeRegex                         string
	files, revs, lineRange                        []string
	author, committer, grep                       []string
	follow, firstParent, all                      bool
	ignoreCase, extended, fixed, allMatch, invert bool
	stat, patch, noPatch, nameStatus              bool
}

// log lists commits, a line each.
func log() *operation {
	var p logParams
	return &operation{
		doc: "List commits from HEAD (or rev) back, newest first, a line each: hash|author|email|date|subject. Same bytes as git log -N --pretty=format:%H|%an|%ae|%ad|%s --date=iso.",
		params: []*Param{
			number(&p.limit, "limit", "How many commits at most, 1 to 1000.", defaultLimit, 1, maxLimit),
			revision(&p.rev, "rev", "Where to start: a commit or tag, or a range OLD..NEW.", ""),
			text(&p.path, "path", "Only commits that change this path, relative to cwd."),
			texts(&p.files, "files", "Only commits that change these paths: one git pathspec or several, relative to cwd."),
			flag(&p.follow, "follow", "Follow the one path beyond renames."),
			texts(&p.lineRange, "line_range", "Follow lines of a file back, each commit with what it changed in them: START,END:PATH, /EXPRESSION/,+5:PATH or :FUNCTION:PATH, or several of these."),
			texts(&p.author, "author", "Only commits whose author (Name <mail>) matches this regular expression, or one of these."),
			texts(&p.committer, "committer", "The same for the committer."),
			texts(&p.grep, "grep", "Only commits whose message has a line that matches this regular expression, or one of these."),
			flag(&p.allMatch, "all_match", "All expressions of grep must match."),
			flag(&p.invert, "invert_grep", "Only commits whose message doesn't match grep."),
			flag(&p.ignoreCase, "ignore_case", "Regular expressions match letters of either case."),
			flag(&p.extended, "extended", "Regular expressions are extended ones."),
			flag(&p.fixed, "fixed", "What would be regular expressions are plain texts."),
			text(&p.since, "since", "Only commits since this date: 2026-01-31, 2 weeks ago, yesterday."),
			text(&p.until, "until", "Only commits until this date."),
			text(&p.pickaxe, "pickaxe", "Only commits that change how often this text occurs in a file."),
			text(&p.pickaxeRegex, "pickaxe_regex", "Only commits with an added or removed line that matches this regular expression."),
			flag(&p.firstParent, "first_parent", "Follow only the first parent of merges."),
			word(&p.merges, "merges", "only: merges alone; none: no merges.", "only", "none"),
			number(&p.skip, "skip", "How many commits to leave out first.", 0, 0, math.MaxInt32),
			flag(&p.all, "all", "Start from all branches, tags and other refs, and HEAD."),
			word(&p.order, "order", "date: no parent before its children; topo: lines of history together; author-date: like date, by the author's date.", "date", "topo", "author-date"),
			flag(&p.stat, "stat", "Show after each commit how much changed in each file."),
			flag(&p.patch, "patch", "Show after each commit its changes as a diff."),
			flag(&p.noPatch, "no_patch", "With line_range, show the commits alone."),
			flag(&p.nameStatus, "name_status", "Show after each commit which files changed, and how."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error { return c.log(ctx, w, &p) },
	}
}

func (c *call) log(ctx context.Context, w io.Writer, p *logParams) error {
	if err := c.logSettings(); err != nil {
		return err
	}
	if p.rev != "" {
		p.revs = []string{p.rev}
	}
	opts, err := c.logOptions(ctx, p)
	if err != nil {
		return err
	}
	if err := c.followByDefault(&opts); err != nil {
		return err
	}
	opts.Changes = p.stat || p.patch || p.nameStatus
	commits := c.repo.Log(ctx, opts)
	if len(opts.Lines) > 0 && !p.noPatch {
		return writeLog(w, c.repo, commits, c.lineChanges(ctx))
	}
	if !opts.Changes {
		return writeLog(w, c.repo, commits, nil)
	}
	changes := commitChanges{call: c, ctx: ctx, firstParent: p.firstParent}
	changes.formats = diffrender.Formats{Stat: p.stat, Patch: p.patch, NameStatus: p.nameStatus}
	if err := changes.configure(opts.Paths); err != nil {
		return err
	}
	return writeLog(w, c.repo, commits, changes.write)
}

// logSettings refuses settings of other formats that git can't read, although
// they are not used.
func (c *call) logSettings() error {
	var unbuilt *pretty.UnbuiltError
	if _, err := c.prettyFormat(); err != nil && !errors.As(err, &unbuilt) {
		return err
	}
	_, _, err := c.dates()
	return err
}

// logOptions turns the request's values into those of a walk.
func (c *call) logOptions(ctx context.Context, p *logParams) (opts reader.LogOptions, err error) {
	opts = reader.LogOptions{
		Limit: int(p.limit), Skip: int(p.skip), FirstParent: p.firstParent,
		Order:  map[string]reader.Order{"date": reader.OrderDate, "topo": reader.OrderTopo, "author-date": reader.OrderAuthorDate}[p.order],
		Merges: map[string]reader.Merges{"only": reader.MergesOnly, "none": reader.MergesNone}[p.merges],
		Match: reader.MessageMatch{
			Author: p.author, Committer: p.committer, Grep: p.grep,
			IgnoreCase: p.ignoreCase, AllMatch: p.allMatch, Invert: p.invert,
		},
		Pickaxe: p.pickaxe, PickaxeRegex: p.pickaxeRegex,
	}
	switch {
	case p.fixed:
		opts.Match.Type = reader.PatternFixed
	case p.extended:
		opts.Match.Type = reader.PatternExtended
	}
	if len(p.revs) > 0 || p.all {
		selection, err := c.selection(ctx, p.revs, p.all)
		if err != nil {
			return opts, err
		}
		if len(p.lineRange) > 0 {
			if err := onlyCommits(selection, false); err != nil {
				return opts, err
			}
		}
		opts.Select(selection)
	}
	if opts.Since, err = c.date("since", p.since); err != nil {
		return opts, err
	}
	if opts.Until, err = c.date("until", p.until); err != nil {
		return opts, err
	}
	if err := c.logPaths(&opts, p); err != nil {
		return opts, err
	}
	return opts, c.logLines(&opts, p)
}

// logPaths reads the paths that a log is limited to.
func (c *call) logPaths(opts *reader.LogOptions, p *logParams) (err error) {
	files := p.files
	if p.path != "" {
		files = append(files[:len(files):len(files)], p.path)
	}
	if opts.Paths, err = c.pathspecs(files); err != nil || !p.follow {
		return err
	}
	return followPath(opts)
}

// followPath makes a log of a path one that follows it. What a pattern selects
// cannot be renamed, but its history is not simplified either.
func followPath(opts *reader.LogOptions) error {
	items := opts.Paths.Items()
	if len(items) != 1 || items[0].Magic&pathspec.Exclude != 0 {
		return complaint("--follow requires exactly one pathspec")
	}
	if magic := beyondFollow(items[0]); magic != 0 {
		return complaint("pathspec magic not supported by --follow: " + magic.String())
	}
	if opts.Flat = !items[0].Literal; !opts.Flat {
		opts.Follow, opts.Paths = strings.TrimSuffix(items[0].Path, "/"), nil
	}
	return nil
}

// beyondFollow returns the magic of a pathspec that following can't have.
func beyondFollow(item pathspec.Item) pathspec.Magic {
	return item.Magic &^ (pathspec.Top | pathspec.Literal)
}

// followByDefault follows the one path of a log without being asked to
// (git-config(1), log.follow).
func (c *call) followByDefault(opts *reader.LogOptions) error {
	on, err := c.repo.Config().Bool("log.follow", false)
	if items := opts.Paths.Items(); err != nil || !on || len(items) != 1 || beyondFollow(items[0]) != 0 {
		return err
	}
	return followPath(opts)
}

// complaint is a sentence of git's.
type complaint string

// Error returns the sentence.
func (c complaint) Error() string { return string(c) }

// date reads a date as git does; "" is none.
func (c *call) date(param, value string) (int64, error) {
	if value == "" {
		return 0, nil
	}
	parsed, err := sandbox.ParseDate(c.policy, param, value)
	if err != nil {
		return 0, err
	}
	options := c.repo.Options()
	now, zone := time.Now, time.UTC
	if options.Now != nil {
		now = options.Now
	}
	if options.Zone != nil {
		zone = options.Zone
	}
	when, _ := approxidate.Parse(string(parsed), now(), zone) // git takes what it can't read as now
	return when, nil
}

func (c *call) resolveCommit(ctx context.Context, rev string) (plumbing.Hash, error) {
	parsed, err := sandbox.ParseRev(c.policy, "rev", rev)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return c.repo.ResolveCommit(ctx, parsed)
}
