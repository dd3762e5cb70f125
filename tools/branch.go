package tools

import (
	"context"
	"io"
)

// branch lists the local branches.
func branch() *operation {
	return &operation{
		doc: "List the local branches, a line each: name|*, with the star at the one that is checked out. Same bytes as git branch --format=%(refname:short)|%(HEAD).",
		run: func(ctx context.Context, c *call, w io.Writer) error {
			branches, err := c.repo.Branches(ctx)
			if err != nil {
				return err
			}
			layout, err := c.repo.ColumnLayout("branch")
			if err != nil {
				return err
			}
			lines := make([]string, len(branches))
			for i, b := range branches {
				lines[i] = b.Name + "| "
				if b.Head {
					lines[i] = b.Name + "|*"
				}
			}
			_, err = w.Write(layout.Append(nil, lines, ""))
			return err
		},
	}
}
