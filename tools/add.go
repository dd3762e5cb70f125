package tools

import (
	"context"
	"io"
	"strings"
)

// add stages files.
func add() *operation {
	var paths []string
	var dry bool
	return &operation{
		doc:        "Stage files for the next commit: new, changed and deleted ones. The index afterwards is what git add -- PATHS leaves.",
		writes:     true,
		idempotent: true,
		params: []*Param{
			texts(&paths, "paths", "What to stage: one git pathspec or several, relative to cwd; \".\" is everything below cwd.").required(),
			dryRun(&dry),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			writer, err := c.writer()
			if err != nil {
				return err
			}
			plan, err := writer.PlanAdd(ctx, paths)
			if err != nil {
				return err
			}
			return c.carryOut(ctx, w, plan, dry, "Staged: "+strings.Join(paths, " "))
		},
	}
}
