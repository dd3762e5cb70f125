package tools

import (
	"context"
	"io"

	"github.com/ingit-dev/ingit/sandbox"
)

// checkout switches branches.
func checkout() *operation {
	var branch string
	var dry bool
	return &operation{
		doc:         "Switch to a branch, or detach HEAD at a tag or commit. Local changes are carried along, or the switch is refused; a path is never restored. Index, files, HEAD and reflog afterwards are as git checkout BRANCH leaves them.",
		writes:      true,
		destructive: true,
		idempotent:  true,
		params: []*Param{
			text(&branch, "branch", "The branch, tag or commit; the name of a remote's branch makes a local one that tracks it.").required(),
			dryRun(&dry),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			name, err := sandbox.ParseBranch(c.policy, "branch", branch)
			if err != nil {
				return err
			}
			writer, err := c.writer()
			if err != nil {
				return err
			}
			plan, err := writer.PlanCheckout(ctx, name)
			if err != nil {
				return err
			}
			return c.carryOut(ctx, w, plan, dry, "Switched to branch: "+branch)
		},
	}
}
