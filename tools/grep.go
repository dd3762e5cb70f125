package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/reader"
)

// grepParams are what a grep may be asked for.
type grepParams struct {
	patterns, files                    []string
	rev                                string
	cached, ignoreCase, fixed          bool
	extended, word, namesOnly, counted bool
	showFunction, functionContext      bool
	context, maxCount                  int64
}

// grep searches files for lines.
func grep() *operation {
	var p grepParams
	return &operation{
		doc:     "Search tracked files for lines that match, a hit a line: path:line:text. Same bytes as git grep -n PATTERN [REV] -- FILES; no hit is an empty answer.",
		bounded: true,
		params: []*Param{
			texts(&p.patterns, "pattern", "A basic regular expression to look for, or several of which any may match.").required(),
			texts(&p.files, "files", "Only these paths: one git pathspec or several, relative to cwd. Default: cwd."),
			revision(&p.rev, "rev", "Search this commit, tag, tree or REV:PATH instead of the work tree.", ""),
			flag(&p.cached, "cached", "Search the index instead of the work tree."),
			flag(&p.ignoreCase, "ignore_case", "Match letters of either case."),
			flag(&p.fixed, "fixed", "The pattern is a plain text."),
			flag(&p.extended, "extended", "The pattern is an extended regular expression."),
			flag(&p.word, "word", "Match whole words only."),
			number(&p.context, "context", "Show so many lines before and after each hit, too.", 0, 0, math.MaxInt32),
			flag(&p.showFunction, "show_function", "Show before each hit the line that begins the function it is in, too: path=line=text."),
			flag(&p.functionContext, "function_context", "Show the whole function around each hit, too."),
			number(&p.maxCount, "max_count", "Show at most so many hits of each file.", 0, 0, math.MaxInt32),
			flag(&p.namesOnly, "names_only", "Show only the paths of files with a hit."),
			flag(&p.counted, "count", "Show only how many lines match in each file: path:count."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error { return c.grep(ctx, w, &p) },
	}
}

func (c *call) grep(ctx context.Context, w io.Writer, p *grepParams) error {
	opts, err := c.grepOptions(p)
	if err != nil {
		return err
	}
	printer, err := c.grepPrinter(w, p)
	if err != nil {
		return err
	}
	side := reader.Side(reader.WorkTreeSide)
	switch {
	case p.rev != "" && p.cached:
		return complaint("both --cached and trees are given")
	case p.cached:
		side = reader.IndexSide
	case p.rev != "":
		id, kind, err := c.grepObject(ctx, p.rev)
		if err != nil {
			return err
		}
		if kind == plumbing.BlobObject {
			return c.grepBlob(ctx, printer, p.rev, id, opts)
		}
		tree, err := c.repo.TreeOf(id)
		if err != nil {
			return err
		}
		side, opts.NoAttributes, printer.before = reader.Tree(tree), kind == plumbing.TreeObject, p.rev+":"
	}
	for file, err := range c.repo.Grep(ctx, side, opts) {
		if err != nil {
			return err
		}
		if err := printer.file(file); err != nil {
			return err
		}
	}
	return printer.buf.flush()
}

func (c *call) grepOptions(p *grepParams) (opts reader.GrepOptions, err error) {
	opts = reader.GrepOptions{
		Patterns: p.patterns, IgnoreCase: p.ignoreCase, Word: p.word,
		Before: int(p.context), After: int(p.context), MaxCount: int(p.maxCount),
		NamesOnly: p.namesOnly, CountOnly: p.counted,
		FunctionNames: p.showFunction, Functions: p.functionContext, Function: c.grepFunctions(),
	}
	switch {
	case p.fixed:
		opts.Type = reader.PatternFixed
	case p.extended:
		opts.Type = reader.PatternExtended
	}
	if opts.Paths, err = c.repo.PathsHere(p.files); err != nil {
		return opts, err
	}
	return opts, c.refuseSubmodules()
}

// grepFunctions returns what finds the rule for lines that begin a function, as
// reader.GrepOptions wants it.
func (c *call) grepFunctions() func(path string) (func(line []byte) bool, error) {
	var mu sync.Mutex
	var drivers *diffrender.Drivers
	return func(path string) (_ func(line []byte) bool, err error) {
		mu.Lock()
		defer mu.Unlock()
		if drivers == nil {
			if drivers, err = diffrender.NewDrivers(c.repo, nil, true); err != nil {
				return nil, err
			}
		}
		find := func() (*diffrender.Driver, error) { return drivers.Of(path) }
		if path == "" {
			find = drivers.Default
		}
		driver, err := find()
		if err != nil {
			return nil, err
		}
		function, err := driver.Function()
		return function.Begins, err
	}
}

// refuseSubmodules refuses to search where git would go into submodules.
func (c *call) refuseSubmodules() error {
	recurse, err := c.repo.Config().Bool("submodule.recurse", false)
	if err != nil || !recurse {
		return err
	}
	ix, err := c.repo.Index()
	if err != nil {
		return err
	}
	for i := range ix.Entries {
		if ix.Entries[i].IsGitlink() {
			return &UnavailableError{"grep in submodules (submodule.recurse)"}
		}
	}
	return nil
}

// grepObject resolves what a grep is to search, through tags.
func (c *call) grepObject(ctx context.Context, rev string) (id plumbing.Hash, kind plumbing.ObjectType, err error) {
	id, err = c.resolve(ctx, "rev", rev)
	if unknown := new(reader.UnknownRevisionError); errors.As(err, &unknown) || errors.Is(err, fs.ErrNotExist) && err != nil {
		return id, kind, fmt.Errorf("unable to resolve revision: %s", rev)
	}
	for err == nil {
		var data []byte
		if kind, data, err = c.repo.Objects().Read(id); err != nil || kind != plumbing.TagObject {
			break
		}
		tag, parseErr := object.ParseTag(id, data)
		id, err = tag.Target, parseErr
	}
	return id, kind, err
}

// grepBlob searches the one file that REV:PATH names.
func (c *call) grepBlob(ctx context.Context, printer *grepPrinter, rev string, id plumbing.Hash, opts reader.GrepOptions) error {
	_, name, named := strings.Cut(rev, ":")
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		name = path.Join(c.repo.Prefix(), name)
	}
	opts.NoAttributes = !named
	file, hit, err := c.repo.GrepBlob(ctx, id, name, opts)
	if err != nil || !hit {
		return err
	}
	file.Path = rev
	if err := printer.file(file); err != nil {
		return err
	}
	return printer.buf.flush()
}

// grepPrinter prints files with hits as git grep -n does.
type grepPrinter struct {
	buf        buffer
	prefix     string // show paths relative to this folder
	before     string // each path
	quotePath  bool
	column     bool
	marks      bool // separate pieces that are not adjacent
	shown      bool // a line of some file was shown
	namesOnly  bool
	countsOnly bool
}

func (c *call) grepPrinter(w io.Writer, p *grepParams) (*grepPrinter, error) {
	g := &grepPrinter{buf: buffer{to: w}, prefix: c.repo.Prefix(), marks: p.context > 0 || p.functionContext, namesOnly: p.namesOnly, countsOnly: p.counted}
	var err error
	if g.quotePath, err = c.repo.Config().Bool("core.quotePath", true); err != nil {
		return nil, err
	}
	if g.column, err = c.repo.Config().Bool("grep.column", false); err != nil {
		return nil, err
	}
	full, err := c.repo.Config().Bool("grep.fullName", false)
	if full {
		g.prefix = ""
	}
	return g, err
}

func (g *grepPrinter) file(f reader.GrepFile) error {
	name := append([]byte(g.before), quote.Append(nil, relativeTo(g.prefix, f.Path), g.quotePath)...)
	text := &g.buf.text
	switch {
	case g.namesOnly:
		*text = append(append(*text, name...), '\n')
	case g.countsOnly:
		*text = fmt.Appendf(*text, "%s:%d\n", name, f.Count)
	case f.Binary:
		*text = fmt.Appendf(*text, "Binary file %s matches\n", name)
	}
	last := 0
	for _, line := range f.Lines {
		if g.marks && (last > 0 && line.Number > last+1 || last == 0 && g.shown) {
			*text = append(*text, "--\n"...)
		}
		last, g.shown = line.Number, true
		g.line(name, line)
		if err := g.buf.flushFull(); err != nil {
			return err
		}
	}
	return g.buf.flushFull()
}

func (g *grepPrinter) line(name []byte, line reader.GrepLine) {
	mark := byte('-')
	switch {
	case line.Hit:
		mark = ':'
	case line.Function:
		mark = '='
	}
	text := append(append(g.buf.text, name...), mark)
	text = append(strconv.AppendInt(text, int64(line.Number), 10), mark)
	if g.column && line.Column > 0 {
		text = append(strconv.AppendInt(text, int64(line.Column), 10), mark)
	}
	g.buf.text = append(append(text, line.Text...), '\n')
}
