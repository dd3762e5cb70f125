package tools

import (
	"context"
	"io"
	"strings"

	"github.com/ingit-dev/ingit/reader"
)

// FsckError is the answer of a check that found something wrong: git's
// sentences, and then the lines that it prints on standard output.
type FsckError struct{ Lines []string }

// Error is the lines.
func (e *FsckError) Error() string { return strings.Join(e.Lines, "\n") }

// GitLevel says that the text stands alone.
func (e *FsckError) GitLevel() string { return "" }

// checkObjects tells whether the repository is whole.
func checkObjects() *operation {
	var opts reader.FsckOptions
	var objects []string
	dangling, reflogs := true, true
	return &operation{
		doc: "Check that all objects are there and whole, and tell which nothing points to. Same bytes as git fsck; what is wrong comes as an error.",
		params: []*Param{
			texts(&objects, "objects", "What counts as reachable starts at these revisions. Default: all refs, reflogs and the index."),
			flag(&opts.Unreachable, "unreachable", "Tell of every object that is not reachable."),
			flag(&dangling, "dangling", "Tell of unreachable objects that no other points to."),
			flag(&reflogs, "reflogs", "What a reflog names is reachable."),
			flag(&opts.Root, "root", "Tell of commits without parents."),
			flag(&opts.Tags, "tags", "Tell what annotated tags are of."),
			flag(&opts.Strict, "strict", "Take warnings for errors."),
			flag(&opts.ConnectivityOnly, "connectivity_only", "Only check that all objects are there, not what they hold. Much faster."),
		},
		bounded: true,
		run: func(ctx context.Context, c *call, w io.Writer) error {
			opts.NoDangling, opts.NoReflogs = !dangling, !reflogs
			for _, rev := range objects {
				id, err := c.resolve(ctx, "objects", rev)
				if err != nil {
					return err
				}
				opts.Objects = append(opts.Objects, id)
			}
			return c.fsck(ctx, w, opts)
		},
	}
}

// fsck writes the answer when nothing is wrong.
func (c *call) fsck(ctx context.Context, w io.Writer, opts reader.FsckOptions) error {
	report, err := c.repo.Fsck(ctx, opts)
	if err != nil {
		return err
	}
	if !report.OK {
		return &FsckError{append(report.Problems, report.Lines...)}
	}
	for _, line := range report.Lines {
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}
