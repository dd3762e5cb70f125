package diffrender

import (
	"context"
	"io"
	"iter"
	"slices"

	"github.com/ingit-dev/ingit/reader"
)

// Request is a comparison of two sides and how to show it.
type Request struct {
	Old, New reader.Side
	Changes  reader.ChangeOptions
	Options  Options
	Formats  Formats

	// Given are changes to show instead of those that a comparison finds;
	// nil finds them.
	Given []reader.Change
}

// Formats are the texts to print, in the order in which git prints them. Lists
// of names are printed alone.
type Formats struct {
	NameOnly, NameStatus     bool
	NumStat, Stat, ShortStat bool
	Summary                  bool
	Patch                    bool
}

// lists tells whether a format that lists names is asked for.
func (f Formats) lists() bool { return f.NameOnly || f.NameStatus }

// settled leaves the lists of names alone where they are asked for, as git
// does.
func (f Formats) settled() Formats {
	if f.lists() {
		return Formats{NameOnly: f.NameOnly, NameStatus: f.NameStatus}
	}
	return f
}

func (f Formats) stats() bool { return f.NumStat || f.Stat || f.ShortStat }

// What Write takes of memory at most, beside the caches of the repository.
const (
	MemoryPerFile = 1536 // bytes for each changed file, its path included
	MemoryPerByte = 3    // bytes for each byte of both sides of the largest file
)

// Write compares two sides of r and writes the texts asked for to w, as git
// diff does. The memory it takes is bounded by the largest file and the number
// of changes: see MemoryPerFile and MemoryPerByte. A cancelled context stops it
// within 50 ms of work, but for the time that reading one file takes. An error
// is w's, the context's, or says what could not be read.
func Write(ctx context.Context, w io.Writer, r *reader.Repository, q Request) error {
	p := NewPrinter(w, q.Options)
	p.ctx, p.repo = ctx, r
	q.Formats = q.Formats.settled()
	err := p.write(ctx, r, q)
	if flushed := p.Flush(); err == nil {
		err = flushed
	}
	return err
}

func (p *Printer) write(ctx context.Context, r *reader.Repository, q Request) error {
	combine := q.Formats.Patch && p.opts.Combined
	if combine {
		var err error
		if combine, err = hasUnmerged(r); err != nil {
			return err
		}
	}
	if q.Formats.stats() || q.Formats.Patch {
		if _, err := q.cleaner(ctx, r); err != nil {
			return err
		}
	}
	all := q.changes(ctx, r)
	if q.Formats == (Formats{Patch: true}) && !combine && p.opts.Order == nil {
		return p.patches(files(ctx, r, &q, all))
	}
	changes, err := collect(all)
	if err != nil {
		return err
	}
	if combine {
		if changes, err = p.unmerged(ctx, r, q, changes); err != nil {
			return err
		}
	}
	p.opts.Order.sort(changes)
	return p.all(ctx, r, q, changes)
}

func (q *Request) changes(ctx context.Context, r *reader.Repository) iter.Seq2[reader.Change, error] {
	if q.Given != nil {
		return each(slices.Clone(q.Given))
	}
	return r.Changes(ctx, q.Old, q.New, q.Changes)
}

// all prints the formats one after another.
func (p *Printer) all(ctx context.Context, r *reader.Repository, q Request, changes []reader.Change) error {
	f := q.Formats
	for i := range changes {
		switch {
		case f.NameStatus:
			p.NameStatus(&changes[i])
		case f.NameOnly:
			p.NameOnly(&changes[i])
		}
	}
	if f.stats() {
		for d, err := range files(ctx, r, &q, each(changes)) {
			if err == nil {
				err = p.Count(d)
			}
			if err != nil {
				return err
			}
		}
		p.stats(f)
	}
	if f.Summary {
		for i := range changes {
			p.Summary(&changes[i])
		}
	}
	if !f.Patch {
		return nil
	}
	if len(changes) > 0 && (f.stats() || f.Summary) {
		p.text("\n")
	}
	return p.patches(files(ctx, r, &q, each(changes)))
}

// stats prints what has been counted.
func (p *Printer) stats(f Formats) {
	if f.NumStat {
		p.NumStat()
	}
	if f.Stat {
		p.Stat()
	}
	if f.ShortStat {
		p.ShortStat()
	}
}

func (p *Printer) patches(files iter.Seq2[*FileDiff, error]) error {
	for d, err := range files {
		if err == nil {
			err = p.Patch(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// collect returns all changes, or the error that ends them.
func collect(all iter.Seq2[reader.Change, error]) (changes []reader.Change, err error) {
	for c, err := range all {
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// each yields changes without an error.
func each(changes []reader.Change) iter.Seq2[reader.Change, error] {
	return func(yield func(reader.Change, error) bool) {
		for _, c := range changes {
			if !yield(c, nil) {
				return
			}
		}
	}
}
