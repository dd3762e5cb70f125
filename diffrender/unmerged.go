package diffrender

import (
	"bytes"
	"context"

	"github.com/ingit-dev/ingit/reader"
)

// combine tells whether c is shown as a combined diff.
func (o *Options) combine(c *reader.Change) bool {
	return o.Combined && c.Kind == reader.Unmerged && c.Stages[1].Present() && c.Stages[2].Present()
}

// unmerged prints the combined diffs of the unmerged paths, which git shows
// before everything else, and returns the other changes.
func (p *Printer) unmerged(ctx context.Context, r *reader.Repository, q Request, changes []reader.Change) ([]reader.Change, error) {
	l, err := newLoader(ctx, r, &q)
	if err != nil {
		return nil, err
	}
	defer l.close()
	rest, combined := changes[:0], ""
	for i := range changes {
		c := changes[i]
		switch {
		case p.opts.combine(&c):
			m, err := l.merge(&c)
			if err == nil {
				err = p.Combined(m)
			}
			if err != nil {
				return nil, err
			}
			combined = c.New.Path
		case c.New.Path != combined || combined == "":
			rest = append(rest, c)
		}
	}
	return rest, nil
}

// merge loads an unmerged path: the work tree file, our and their side.
func (l *loader) merge(c *reader.Change) (*Merge, error) {
	m := &Merge{Path: c.New.Path, Mode: c.New.Mode, WorkTree: true}
	var err error
	if m.Driver, err = l.drivers.Of(m.Path); err != nil {
		return nil, err
	}
	if c.New.Present() {
		if m.Data, err = l.new.Read(c.New); err != nil {
			return nil, err
		}
	} else if top, err := l.repo.WorkTree(); err == nil {
		st, err := top.Lstat(m.Path)
		m.Folder = err == nil && st.Mode.IsDir()
	}
	for _, stage := range c.Stages[1:] {
		data, err := l.old.Read(stage)
		if err != nil {
			return nil, err
		}
		m.Parents = append(m.Parents, MergeParent{Kind: reader.Modified, Mode: stage.Mode, ID: stage.ID, Data: bytes.Clone(data)})
	}
	return m, nil
}

// hasUnmerged tells whether the index has an unmerged path.
func hasUnmerged(r *reader.Repository) (bool, error) {
	ix, err := r.Index()
	if err != nil {
		return false, err
	}
	for i := range ix.Entries {
		if ix.Entries[i].Stage != 0 {
			return true, nil
		}
	}
	return false, nil
}
