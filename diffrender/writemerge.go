package diffrender

import (
	"bytes"
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
	err := p.writeMerge(ctx, r, q)
	if flushed := p.Flush(); err == nil {
		err = flushed
	}
	return err
}

func (p *Printer) writeMerge(ctx context.Context, r *reader.Repository, q MergeRequest) error {
	first, err := collect(r.Changes(ctx, q.Parents[0], q.Result, q.Changes))
	if err != nil {
		return err
	}
	if q.Formats.stats() {
		p.opts.Order.sort(first)
		stats := Request{Old: q.Parents[0], New: q.Result, Options: q.Options, Formats: q.Formats}
		stats.Formats.Patch, stats.Formats.NameOnly, stats.Formats.NameStatus = false, false, false
		if err := p.all(ctx, r, stats, first); err != nil {
			return err
		}
	}
	merges, err := mergePaths(ctx, r, q, first)
	if err != nil || len(merges) == 0 {
		return err
	}
	for i := range merges {
		p.mergeName(&merges[i], q.Formats)
	}
	if !q.Formats.Patch {
		return nil
	}
	if q.Formats.lists() || q.Formats.stats() {
		p.text("\n")
	}
	return p.merges(ctx, r, q, merges)
}

// mergeChange is a path that differs from every parent: the change from each.
type mergeChange []reader.Change

// mergePaths returns the paths in which the result differs from every parent.
// first holds the changes from the first one.
func mergePaths(ctx context.Context, r *reader.Repository, q MergeRequest, first []reader.Change) ([]mergeChange, error) {
	paths := make([]mergeChange, len(first))
	for i, c := range first {
		paths[i] = mergeChange{c}
	}
	for _, parent := range q.Parents[1:] {
		if len(paths) == 0 {
			return nil, nil
		}
		changes, err := collect(r.Changes(ctx, parent, q.Result, q.Changes))
		if err != nil {
			return nil, err
		}
		byPath := make(map[string]reader.Change, len(changes))
		for _, c := range changes {
			byPath[c.New.Path] = c
		}
		kept := paths[:0]
		for _, m := range paths {
			if c, ok := byPath[m[0].New.Path]; ok {
				kept = append(kept, append(m, c))
			}
		}
		paths = kept
	}
	return q.Options.Order.sortMerges(paths), nil
}

// mergeName prints the path, with a letter for each parent, where names are
// asked for.
func (p *Printer) mergeName(m *mergeChange, f Formats) {
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
func (p *Printer) merges(ctx context.Context, r *reader.Repository, q MergeRequest, merges []mergeChange) error {
	l, err := newLoader(ctx, r, q.Parents[0], q.Result)
	if err != nil {
		return err
	}
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

// loadMerge reads the contents of a path in the result and in all parents.
func (l *loader) loadMerge(changes mergeChange) (*Merge, error) {
	result := changes[0].New
	m := &Merge{Path: result.Path, Mode: result.Mode, ID: result.ID}
	var err error
	if m.Driver, err = l.drivers.Of(m.Path); err != nil {
		return nil, err
	}
	if m.Data, err = l.new.Read(result); err != nil {
		return nil, err
	}
	for _, c := range changes {
		data, err := l.old.Read(c.Old)
		if err != nil {
			return nil, err
		}
		m.Parents = append(m.Parents, MergeParent{Kind: c.Kind, Mode: c.Old.Mode, ID: c.Old.ID, Data: bytes.Clone(data)})
	}
	return m, nil
}
