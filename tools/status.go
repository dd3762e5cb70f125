package tools

import (
	"context"
	"io"
)

// status shows the state of the work tree.
func status() *operation {
	return &operation{
		doc: "Show the state of the work tree: branch, upstream, and changed, unmerged and untracked paths. Same bytes as git status --porcelain=2 --branch.",
		run: func(ctx context.Context, c *call, w io.Writer) error {
			return &UnavailableError{"status"}
		},
	}
}
