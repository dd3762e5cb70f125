package tools

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/ingit-dev/ingit/internal/statustext"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/writer"
)

// commit records what is staged.
func commit() *operation {
	var message string
	var dry bool
	return &operation{
		doc:    "Commit what is staged, concluding a merge or cherry-pick that is under way. Same commit as git commit -m MESSAGE.",
		writes: true,
		params: []*Param{
			text(&message, "message", "The commit message; more than 2,000 bytes are cut off.").required(),
			dryRun(&dry),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			committing, err := c.writer()
			if err != nil {
				return err
			}
			plan, err := committing.PlanCommit(ctx, writer.CommitOptions{Message: message})
			if errors.Is(err, writer.ErrNothingToCommit) {
				return c.nothingToCommit(ctx, err)
			}
			if err != nil {
				return err
			}
			return c.carryOut(ctx, w, plan, dry, "Committed: "+writer.Truncate(message))
		},
	}
}

// StatusError is a refusal that git explains with its status.
type StatusError struct {
	Text string // git's long status
	Err  error
}

// Error is git's text.
func (e *StatusError) Error() string { return e.Text }

// GitLevel says that the text stands as it is.
func (e *StatusError) GitLevel() string { return "" }

// Unwrap returns the reason.
func (e *StatusError) Unwrap() error { return e.Err }

// nothingToCommit adds the status that git prints then.
func (c *call) nothingToCommit(ctx context.Context, reason error) error {
	text, err := c.longStatus(ctx, true)
	if err != nil {
		return err
	}
	return &StatusError{Text: text, Err: reason}
}

// longStatus is what git status prints, or git commit when it refuses.
func (c *call) longStatus(ctx context.Context, commit bool) (string, error) {
	opts, err := statustext.OptionsFor(c.repo)
	if err != nil {
		return "", err
	}
	opts.Commit = commit
	s, err := c.repo.Status(ctx, reader.StatusOptions{Operation: true})
	if err != nil {
		return "", err
	}
	if opts.Submodules, err = statustext.Submodules(ctx, c.repo); err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := statustext.Long(&out, s, opts); err != nil {
		return "", err
	}
	return string(bytes.TrimRight(out.Bytes(), "\n")), nil
}
