package tools

import (
	"context"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/writer"
)

// dryRun is the parameter of every operation that writes.
func dryRun(dst *bool) *Param {
	return flag(dst, "dry_run", "Change nothing: check everything and list what would be done, a line each.")
}

// writer returns a writer for the call's repository.
func (c *call) writer() (*writer.Writer, error) { return writer.New(c.repo, c.write) }

// carryOut applies a plan and prints what git would, or with dry lists the plan's steps.
func (c *call) carryOut(ctx context.Context, w io.Writer, plan *writer.Plan, dry bool, output string) error {
	if dry {
		for _, s := range plan.Steps() {
			if _, err := fmt.Fprintf(w, "%s %s %s\n", s.Action, s.Name, s.Detail); err != nil {
				return err
			}
		}
		return nil
	}
	if err := plan.Apply(ctx); err != nil {
		return err
	}
	_, err := io.WriteString(w, output)
	return err
}
