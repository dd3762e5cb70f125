package blame

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/columns"
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// Text prints a result in git blame's default format, with the settings of
// blame.* in git-config(1) but for colours.
func Text(ctx context.Context, w io.Writer, r *reader.Repository, result *Result) error {
	t := table{repo: r, commits: map[plumbing.Hash]details{}}
	if err := t.configure(ctx, result); err != nil {
		return err
	}
	if err := t.measure(result); err != nil {
		return err
	}
	for _, g := range result.Groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.group(g); err != nil {
			return err
		}
		if _, err := w.Write(t.text); err != nil {
			return err
		}
		t.text = t.text[:0]
	}
	return nil
}

// table is a result as it is printed, in columns.
type table struct {
	*describer
	repo    *reader.Repository
	lines   linediff.Lines
	commits map[plumbing.Hash]details
	text    []byte

	settings                  settings
	showPath                  bool
	id, path, author, numbers int // widths
}

func (t *table) configure(ctx context.Context, result *Result) (err error) {
	t.lines.Split(result.Content)
	if t.describer, err = newDescriber(ctx, t.repo, result); err != nil {
		return err
	}
	t.settings, err = readSettings(t.repo)
	return err
}

// measure finds the widths of the columns. Ids are a digit longer than the
// longest needs to be, since a boundary's has a mark before it.
func (t *table) measure(result *Result) error {
	last := 0
	for _, g := range result.Groups {
		o := g.Origin
		t.showPath = t.showPath || o.Path != result.Path
		t.path = max(t.path, len(o.Path))
		last = max(last, g.Final+g.Count-1)
		if _, known := t.commits[o.Commit]; known {
			continue
		}
		d, err := t.describe(o.Commit)
		if err != nil {
			return err
		}
		t.commits[o.Commit] = d
		t.author = max(t.author, columns.Of(string(t.who(d))))
		t.id = max(t.id, len(t.repo.Abbrev(o.Commit, t.id)))
	}
	t.id++
	t.numbers = len(strconv.Itoa(last))
	return nil
}

// who is what stands for the author.
func (t *table) who(d details) []byte {
	if t.settings.showEmail {
		return d.author.mail
	}
	return d.author.name
}

func (t *table) group(g Group) error {
	d := t.commits[g.Origin.Commit]
	date, err := t.moment(d.author)
	if err != nil {
		return err
	}
	id := t.shortID(g)
	who := t.who(d)
	pad := max(0, t.author-columns.Of(string(who)))
	for i := range g.Count {
		t.text = append(t.text, id...)
		if t.showPath {
			t.text = fmt.Appendf(append(t.text, ' '), "%s%*s", g.Origin.Path, t.path-len(g.Origin.Path), "")
		}
		t.text = fmt.Appendf(t.text, " (%s%*s %s %*d) ", who, pad, "", date, t.numbers, g.Final+i)
		t.text = appendLine(t.text, t.lines.Line(g.Final-1+i))
	}
	return nil
}

// shortID is a group's commit as the first column shows it, with its marks.
func (t *table) shortID(g Group) []byte {
	id := []byte(g.Origin.Commit.String())
	var marks []byte
	if g.Origin.Boundary {
		if t.settings.blankBoundary {
			id = bytes.Repeat([]byte(" "), len(id))
		} else {
			marks = append(marks, '^')
		}
	}
	if t.settings.markUnblamable && g.Unblamable {
		marks = append(marks, '*')
	}
	if t.settings.markIgnored && g.Ignored {
		marks = append(marks, '?')
	}
	return append(marks, id[:min(t.id-len(marks), len(id))]...)
}

// moment is when a person did it, filled up to the column's width.
func (t *table) moment(p person) ([]byte, error) {
	zone, negative := 0, false
	for i, c := range p.zone {
		switch {
		case i == 0 && (c == '-' || c == '+'):
			negative = c == '-'
			continue
		case c < '0' || c > '9':
			return t.appendMoment(p.when, 0)
		}
		zone = min(zone*10+int(c-'0'), 1<<31-1)
	}
	if negative {
		zone = -zone
	}
	return t.appendMoment(p.when, zone)
}

func (t *table) appendMoment(when uint64, zone int) ([]byte, error) {
	date, err := t.settings.dates.Append(nil, when, zone)
	for len(date) < t.settings.dateWidth {
		date = append(date, ' ')
	}
	return date, err
}
