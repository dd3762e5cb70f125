package writer

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
)

// smudge marks the entries of files that changed in the second in which the index was written, and look unchanged for it: once
// the index is younger than they are, nobody would compare their content again (git's "racy git" document). An entry without
// a size is always compared.
func (p *Plan) smudge(ctx context.Context) error {
	before, err := p.w.repo.FullIndex(ctx)
	if err != nil {
		return err
	}
	var racy []*index.Entry
	for i := range p.index.Entries {
		e := &p.index.Entries[i]
		if e.Stage != 0 || e.Size == 0 || !before.Racy(e) {
			continue
		}
		if at, ok := before.Find(e.Name, 0); ok && sameStat(&before.Entries[at], e) {
			racy = append(racy, e)
		}
	}
	if len(racy) == 0 {
		return nil
	}
	return p.smudgeChanged(ctx, racy)
}

// sameStat reports whether an entry has the stat data that it had: others are those of a file that was just looked at.
func sameStat(x, y *index.Entry) bool {
	return x.MTime == y.MTime && x.CTime == y.CTime && x.Ino == y.Ino && x.Size == y.Size
}

func (p *Plan) smudgeChanged(ctx context.Context, racy []*index.Entry) error {
	cleaner, err := p.w.repo.Cleaner(ctx, p.index)
	if err != nil {
		return err
	}
	for _, e := range racy {
		stat, err := p.statFile(e.Name)
		if err != nil {
			return err
		}
		if stat.Mode == 0 || e.MatchStat(&stat, index.StatOptions{}) != 0 {
			continue // which shows
		}
		data, err := cleaner.Content(e.Name)
		if err != nil {
			e.Size = 0 // whoever looks again meets the same error
			continue
		}
		if id, err := p.objects.hasher.id(plumbing.BlobObject, data); err != nil || id != e.ID {
			e.Size = 0
		}
	}
	return nil
}
