package tools

import (
	"context"
	"io"
)

// revParse shows which object a revision names.
func revParse() *operation {
	var rev string
	return &operation{
		doc: "Show the full id of the object that a revision names. Same bytes as git rev-parse REV.",
		params: []*Param{
			text(&rev, "rev", "The revision, in the syntax of gitrevisions(7).").required(),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			id, err := c.resolve(ctx, "rev", rev)
			if err != nil {
				return err
			}
			_, err = io.WriteString(w, id.String()+"\n")
			return err
		},
	}
}
