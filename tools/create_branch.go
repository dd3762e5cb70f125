package tools

import (
	"context"
	"io"

	"github.com/ingit-dev/ingit/sandbox"
)

// createBranch makes a branch without switching to it.
func createBranch() *operation {
	var branch, start string
	var dry bool
	return &operation{
		doc:    "Create a branch, without switching to it. One that starts at a remote's branch tracks it. Prints what git branch BRANCH [START_POINT] prints: nothing, or what is tracked.",
		writes: true,
		params: []*Param{
			text(&branch, "branch", "The new branch's name.").required(),
			text(&start, "start_point", "The revision that it starts at. Default: HEAD."),
			dryRun(&dry),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			name, err := sandbox.ParseBranch(c.policy, "branch", branch)
			if err != nil {
				return err
			}
			var at sandbox.Rev
			if start != "" {
				if at, err = sandbox.ParseRev(c.policy, "start_point", start); err != nil {
					return err
				}
			}
			writer, err := c.writer()
			if err != nil {
				return err
			}
			plan, err := writer.PlanCreateBranch(ctx, name, at)
			if err != nil {
				return err
			}
			return c.carryOut(ctx, w, plan, dry, plan.Output)
		},
	}
}
