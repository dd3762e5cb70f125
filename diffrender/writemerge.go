package diffrender

import (
	"context"
	"io"

	"github.com/ingit-dev/ingit/reader"
)

// MergeRequest is a comparison of the result of a merge with its parents, and
// how to show it.
type MergeRequest struct {
	Parents []reader.Side
	Result  reader.Side
	Changes reader.ChangeOptions
	Options Options
	// Formats: a patch is a dense combined diff, names are those of paths
	// that differ from every parent, statistics compare with the first.
	Formats Formats
}

// WriteMerge compares the result of a merge with all its parents and writes the
// texts asked for to w, as git show does. Errors are those of Write.
func WriteMerge(ctx context.Context, w io.Writer, r *reader.Repository, q MergeRequest) error {
	p := NewPrinter(w, q.Options)
	p.ctx, p.repo = ctx, r
	q.Formats = q.Formats.settled()
	err := p.writeMerge(ctx, r, q)
	if flushed := p.Flush(); err == nil {
		err = flushed
	}
	return err
}

func (p *Printer) writeMerge(ctx context.Context, r *reader.Repository, q MergeRequest) error {
	if q.Formats.stats() {
		first, err := collect(r.Changes(ctx, q.Parents[0], q.Result, q.Changes))
		if err != nil {
			return err
		}
		p.opts.Order.sort(first)
		stats := Request{Old: q.Parents[0], New: q.Result, Options: q.Options, Formats: q.Formats}
		stats.Formats.Patch = false
		if err := p.all(ctx, r, stats, first); err != nil {
			return err
		}
	}
	if !q.Formats.lists() && !q.Formats.Patch {
		return nil
	}
	merges, err := r.MergeChanges(ctx, q.Parents, q.Result, q.Changes)
	if err != nil || len(merges) == 0 {
		return err
	}
	q.Options.Order.sortMerges(merges)
	for i := range merges {
		p.mergeName(&merges[i], q.Formats)
	}
	if !q.Formats.Patch {
		return nil
	}
	if q.Formats.stats() {
		p.text("\n")
	}
	return p.merges(ctx, r, q, merges)
}

// mergeName prints the path, with a letter for each parent, where names are
// asked for.
func (p *Printer) mergeName(m *reader.MergeChange, f Formats) {
	if !f.lists() {
		return
	}
	if f.NameStatus {
		for _, c := range *m {
			p.buf = append(p.buf, byte(c.Kind))
		}
		p.text("\t")
	}
	p.text(p.opts.fullName("", (*m)[0].New.Path), "\n")
	p.room()
}

// merges prints the combined diffs.
func (p *Printer) merges(ctx context.Context, r *reader.Repository, q MergeRequest, merges []reader.MergeChange) error {
	l, err := newLoader(ctx, r, &Request{Old: q.Parents[0], New: q.Result})
	if err != nil {
		return err
	}
	defer l.close()
	for _, changes := range merges {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := l.loadMerge(changes)
		if err == nil {
			err = p.Combined(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loadMerge reads the contents of a path in the result and in all parents, by
// one reader, since they are deltas of each other as a rule.
func (l *loader) loadMerge(changes reader.MergeChange) (*Merge, error) {
	result := changes[0].New
	m := &Merge{Path: result.Path, Mode: result.Mode, ID: result.ID, Parents: make([]MergeParent, len(changes))}
	l.texts = append(l.texts, make([][]byte, max(0, len(changes)+1-len(l.texts)))...)
	err := l.meet(&changes[0])
	if err != nil {
		return nil, err
	}
	if m.Driver, err = l.drivers.Of(m.Path); err != nil {
		return nil, err
	}
	if m.Data, err = l.copy(result, len(changes)); err != nil {
		return nil, err
	}
	for i, c := range changes {
		m.Parents[i] = MergeParent{Kind: c.Kind, Mode: c.Old.Mode, ID: c.Old.ID}
		if m.Parents[i].Data, err = l.copy(c.Old, i); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// copy reads a content into the memory of l.texts[i].
func (l *loader) copy(e reader.Entry, i int) ([]byte, error) {
	data, err := l.old.Read(e)
	l.texts[i] = append(l.texts[i][:0], data...)
	return l.texts[i], err
}
