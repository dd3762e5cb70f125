package tools

import (
	"context"
	"io"
)

// reset unstages.
func reset() *operation {
	var paths []string
	var dry bool
	return &operation{
		doc:         "Unstage: bring the index back to HEAD, for some paths or as a whole, which also ends a merge under way. Files stay as they are. Prints what git reset [-- PATHS] prints: the files that differ from the index then.",
		writes:      true,
		destructive: true,
		idempotent:  true,
		params: []*Param{
			texts(&paths, "paths", "What to unstage: one git pathspec or several, relative to cwd. Default: all."),
			dryRun(&dry),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			writer, err := c.writer()
			if err != nil {
				return err
			}
			plan, err := writer.PlanReset(ctx, paths)
			if err != nil {
				return err
			}
			return c.carryOut(ctx, w, plan, dry, plan.Output)
		},
	}
}
