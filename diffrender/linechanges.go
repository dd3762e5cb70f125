package diffrender

import (
	"context"
	"io"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/linerange"
	"github.com/ingit-dev/ingit/reader"
)

// WriteLines prints what a commit changed in followed lines as git log -L does:
// a patch whose hunks are the followed lines, whole. There is no quoting of
// names, and no setting changes it.
func WriteLines(ctx context.Context, w io.Writer, r *reader.Repository, changes []reader.LineChange) error {
	p := NewPrinter(w, Options{})
	for i := range changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.lineChange(r, &changes[i]); err != nil {
			return err
		}
	}
	return p.Flush()
}

func (p *Printer) lineChange(r *reader.Repository, c *reader.LineChange) error {
	var old, now linediff.Lines
	if err := split(&old, r, c.Old); err != nil {
		return err
	}
	if err := split(&now, r, c.New); err != nil {
		return err
	}
	p.text("diff --git a/", c.Old.Path, " b/", c.New.Path, "\n--- ")
	if c.Old.Present() {
		p.text("a/", c.Old.Path)
	} else {
		p.text("/dev/null")
	}
	p.text("\n+++ b/", c.New.Path, "\n")
	changes := c.Changes
	for _, span := range c.Spans {
		for len(changes) > 0 && changes[0].NewStart+changes[0].NewCount < span.From {
			changes = changes[1:]
		}
		if len(changes) == 0 || changes[0].NewStart > span.To {
			continue
		}
		changes = p.lineSpan(span, changes, &old, &now)
	}
	return p.err
}

// split reads a side's lines; a submodule has the one that names its commit.
func split(lines *linediff.Lines, r *reader.Repository, e reader.Entry) error {
	const gitlink = 0o160000
	var data []byte
	switch {
	case !e.Present():
	case e.Mode == gitlink:
		data = []byte("Subproject commit " + e.ID.String() + "\n")
	default:
		var err error
		if _, data, err = r.Objects().Read(e.ID); err != nil {
			return err
		}
	}
	lines.Split(data)
	return nil
}

// lineSpan prints a hunk of followed lines and returns the changes behind it.
func (p *Printer) lineSpan(span linerange.Span, changes []linediff.Change, old, now *linediff.Lines) []linediff.Change {
	within := 0
	for within < len(changes) && changes[within].NewStart < span.To {
		within++
	}
	p.spanHeader(span, changes[0], changes[max(within-1, 0)])
	at := span.From
	for _, c := range changes[:within] {
		at = p.between(' ', now, at, c.NewStart)
		p.between('-', old, c.OldStart, c.OldStart+c.OldCount)
		at = p.between('+', now, at, min(c.NewStart+c.NewCount, span.To))
	}
	p.between(' ', now, at, span.To)
	p.room()
	return changes[within:]
}

// between prints lines, as far as there are any, and returns the one behind them.
func (p *Printer) between(sign byte, lines *linediff.Lines, from, to int) int {
	if to = min(to, lines.Count()); from >= to {
		return from
	}
	p.lines(sign, lines, from, to)
	return to
}

// spanHeader prints where the lines are: the first and the last change tell where
// they were.
func (p *Printer) spanHeader(span linerange.Span, first, last linediff.Change) {
	from, to := first.OldStart, last.OldStart+last.OldCount
	from -= max(first.NewStart-span.From, 0)
	to += max(span.To-(last.NewStart+last.NewCount), 0)
	if from == 0 && to == 0 {
		from, to = -1, -1
	}
	p.text("@@ -")
	p.number(from + 1)
	p.text(",")
	p.number(to - from)
	p.text(" +")
	p.number(span.From + 1)
	p.text(",")
	p.number(span.To - span.From)
	p.text(" @@\n")
}
