package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/ingit-dev/ingit/writer"
)

// stash saves local changes, brings them back, or lists what is saved.
func stash() *operation {
	var action string
	var dry bool
	return &operation{
		doc:         "Save the changes of tracked files and the index aside (push), bring the newest back and drop it (pop), keep it (apply), drop it, or list what is saved. Prints what git stash prints.",
		writes:      true,
		destructive: true,
		params: []*Param{
			choice(&action, "action", "What to do.", "push", "pop", "list", "apply", "drop"),
			dryRun(&dry),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			if action == "list" {
				return c.stashList(w)
			}
			stashing, err := c.writer()
			if err != nil {
				return err
			}
			var plan *writer.Plan
			switch action {
			case "pop":
				plan, err = stashing.PlanStashPop(ctx)
			case "apply":
				plan, err = stashing.PlanStashApply(ctx)
			case "drop":
				plan, err = stashing.PlanStashDrop(ctx)
			default:
				plan, err = stashing.PlanStashPush(ctx)
			}
			if err != nil {
				return err
			}
			if dry || action == "push" || action == "" {
				return c.carryOut(ctx, w, plan, dry, plan.Output)
			}
			return c.applyStash(ctx, w, plan, action == "drop")
		},
	}
}

// applyStash carries a plan out and prints the status that git prints after it, unless it only dropped a stash. Conflicts are
// an error whose text is all of that.
func (c *call) applyStash(ctx context.Context, w io.Writer, plan *writer.Plan, dropped bool) error {
	err := plan.Apply(ctx)
	if err != nil && !errors.Is(err, writer.ErrStashConflict) {
		return err
	}
	text := plan.Output
	if !dropped {
		status, statusErr := c.longStatus(ctx, false)
		if statusErr != nil {
			return statusErr
		}
		text += status + "\n"
	}
	text += plan.Trailer
	if err != nil {
		return &StatusError{Text: text, Err: err}
	}
	_, err = io.WriteString(w, text)
	return err
}

// stashList prints the stashes, newest first.
func (c *call) stashList(w io.Writer) error {
	entries, err := c.repo.Refs().Reflog("refs/stash")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range entries {
		if _, err := fmt.Fprintf(w, "stash@{%d}: %s\n", i, entries[len(entries)-1-i].Message); err != nil {
			return err
		}
	}
	return nil
}
