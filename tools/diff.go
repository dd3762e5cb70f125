package tools

import (
	"context"
	"io"
)

// diff shows what changed in files.
func diff() *operation {
	var files []string
	var cached bool
	return &operation{
		doc: "Show changes of tracked files as a unified diff: those not staged, or with cached those staged for commit. Same bytes as git diff --unified=3 [--cached] -- FILES.",
		params: []*Param{
			texts(&files, "files", "Only these paths: one git pathspec or several, relative to cwd. Default: everything below cwd."),
			flag(&cached, "cached", "Compare the index with HEAD instead of the work tree with the index."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			return &UnavailableError{"diff"}
		},
	}
}
