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
			var buf []byte
			for _, b := range branches {
				mark := " "
				if b.Head {
					mark = "*"
				}
				buf = append(append(append(buf, b.Name...), '|'), mark+"\n"...)
			}
			_, err = w.Write(buf)
			return err
		},
	}
}
