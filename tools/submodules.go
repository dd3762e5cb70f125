package tools

import (
	"context"
	"fmt"
	"io"
)

// submodules lists submodules.
func submodules() *operation {
	var files []string
	return &operation{
		doc: "List the submodules, a line each: a blank, + (another commit is checked out), - (not checked out) or U (conflict), the commit, the path, and a name for the commit. Same bytes as git submodule status.",
		params: []*Param{
			texts(&files, "files", "Only these submodules: one git pathspec or several, relative to cwd."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			if _, err := c.repo.WorkTree(); err != nil {
				return err
			}
			spec, err := c.pathspecs(files)
			if err != nil {
				return err
			}
			list, err := c.repo.Submodules(ctx, spec)
			if err != nil {
				return err
			}
			var text []byte
			for _, s := range list {
				text = fmt.Appendf(text, "%c%s %s", s.State, s.ID, relativeTo(c.repo.Prefix(), s.Path))
				if s.Description != "" {
					text = fmt.Appendf(text, " (%s)", s.Description)
				}
				text = append(text, '\n')
			}
			_, err = w.Write(text)
			return err
		},
	}
}
