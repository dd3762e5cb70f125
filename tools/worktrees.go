package tools

import (
	"context"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/internal/quote"
)

// worktrees lists work trees.
func worktrees() *operation {
	return &operation{
		doc: "List the work trees of the repository, the main one first: path, HEAD, branch, and whether it is locked or gone. Same bytes as git worktree list --porcelain.",
		run: func(ctx context.Context, c *call, w io.Writer) error {
			list, err := c.repo.Worktrees(ctx)
			if err != nil {
				return err
			}
			var text []byte
			for _, tree := range list {
				text = fmt.Appendf(text, "worktree %s\n", tree.Path)
				switch {
				case tree.Bare:
					text = append(text, "bare\n"...)
				case tree.Branch == "":
					text = fmt.Appendf(text, "HEAD %s\ndetached\n", tree.Head)
				default:
					text = fmt.Appendf(text, "HEAD %s\nbranch %s\n", tree.Head, tree.Branch)
				}
				if tree.Locked {
					text = append(text, "locked"...)
					if tree.Reason != "" {
						text = quote.Append(append(text, ' '), tree.Reason, true)
					}
					text = append(text, '\n')
				}
				if tree.Prunable != "" {
					text = fmt.Appendf(text, "prunable %s\n", tree.Prunable)
				}
				text = append(text, '\n')
			}
			_, err = w.Write(text)
			return err
		},
	}
}
