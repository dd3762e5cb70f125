package tools

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/linerange"
	"github.com/ingit-dev/ingit/reader"
)

// logLines reads the lines that a log follows.
func (c *call) logLines(opts *reader.LogOptions, p *logParams) error {
	switch {
	case len(p.lineRange) == 0:
		return nil
	case p.stat || p.nameStatus:
		return complaint("-L does not yet support diff formats besides -p and -s")
	case len(p.files) > 0 || p.path != "":
		return complaint("-L<range>:<file> cannot be used with pathspec")
	}
	for _, text := range p.lineRange {
		lines, name, ok := linerange.Cut(text)
		if !ok {
			return complaint(fmt.Sprintf("-L argument not 'start,end:file' or ':funcname:file': %s", text))
		}
		within, err := c.pathInTree(name)
		if err != nil {
			return err
		}
		opts.Lines = append(opts.Lines, reader.LineRange{Range: lines, Path: strings.TrimSuffix(within, "/"), Name: name})
	}
	opts.Paths = nil
	opts.Function = c.functionLines
	return nil
}

// functionLines returns what tells the lines that begin a function in a file;
// nil for git's default rule, which the setting diff.default.xfuncname does not
// change here.
func (c *call) functionLines(path string) (func(line []byte) bool, error) {
	drivers, err := diffrender.NewDrivers(c.repo, nil, true)
	if err != nil {
		return nil, err
	}
	driver, err := drivers.Of(path)
	if err != nil || driver == nil || driver.Name == "default" {
		return nil, err
	}
	function, err := driver.Function()
	if err != nil || function == nil {
		return nil, err
	}
	return function.Begins, nil
}

// lineChanges returns what prints a commit's changes of followed lines below it.
func (c *call) lineChanges(ctx context.Context) func(io.Writer, *reader.Commit) error {
	return func(w io.Writer, commit *reader.Commit) error {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		return diffrender.WriteLines(ctx, w, c.repo, commit.Lines)
	}
}
