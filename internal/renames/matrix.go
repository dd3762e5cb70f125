package renames

import (
	"cmp"
	"context"
	"slices"
)

// perDest is the number of best sources that are remembered for each destination.
const perDest = 4

// inexact pairs what exact has left over by similarity.
func (d *detector) inexact(ctx context.Context) error {
	if d.opts.MinScore >= MaxScore {
		return nil
	}
	d.forget()
	if !d.opts.Copies {
		if err := d.byBaseName(ctx); err != nil {
			return err
		}
		d.forget()
		d.sources = filter(d.sources, d.relevant)
	}
	if len(d.sources) == 0 || len(d.dests) == 0 || !d.withinLimit() {
		return nil
	}
	return d.matrix(ctx)
}

// byBaseName pairs files whose base name is the only one of its kind among
// the sources and among the destinations.
func (d *detector) byBaseName(ctx context.Context) error {
	minimum := d.opts.MinScore + (MaxScore-d.opts.MinScore)/2
	sources, dests := uniqueBases(d.sources), uniqueBases(d.dests)
	for _, source := range d.sources {
		base := source.base
		dest := dests[base]
		if sources[base] == nil || dest == nil || !d.relevant(source) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		score, err := d.similarity(source, dest)
		if err != nil {
			return err
		}
		if score >= minimum {
			pair(source, dest, score)
		}
	}
	return nil
}

func (d *detector) relevant(source *file) bool {
	return d.opts.Relevant == nil || d.opts.Relevant(source.Path)
}

// uniqueBases maps base names to their file, or to nil if there are several.
func uniqueBases(files []*file) map[string]*file {
	byBase := make(map[string]*file, len(files))
	for _, f := range files {
		if _, more := byBase[f.base]; more {
			byBase[f.base] = nil
		} else {
			byBase[f.base] = f
		}
	}
	return byBase
}

// withinLimit tells whether the matrix is small enough to compute. If it is
// only small enough without the unchanged sources, these are dropped.
func (d *detector) withinLimit() bool {
	limit := d.opts.Limit
	if limit < 0 || len(d.dests)*len(d.sources) <= limit*limit {
		return true
	}
	if !d.opts.CopiesHarder {
		return false
	}
	changed := filter(d.sources, func(s *file) bool { return !s.unchanged })
	if len(d.dests)*len(changed) > limit*limit {
		return false
	}
	d.sources = changed
	return true
}

// match is a possible pair.
type match struct {
	source, dest *file
	score        int
	sameBase     bool
}

// compareMatches orders better matches first; free places come last.
func compareMatches(a, b match) int {
	switch {
	case a.dest == nil || b.dest == nil:
		return cmp.Compare(boolInt(a.dest == nil), boolInt(b.dest == nil))
	case a.score != b.score:
		return b.score - a.score
	default:
		return boolInt(b.sameBase) - boolInt(a.sameBase)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// matrix compares every destination with every source, and takes the best
// pairs first.
func (d *detector) matrix(ctx context.Context) error {
	matches := make([]match, perDest*len(d.dests))
	for i, dest := range d.dests {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.bestSources(matches[i*perDest:(i+1)*perDest], dest); err != nil {
			return err
		}
	}
	slices.SortStableFunc(matches, compareMatches)
	d.take(matches, false)
	if d.opts.Copies {
		d.take(matches, true)
	}
	return nil
}

// bestSources fills best with the sources that resemble dest most.
func (d *detector) bestSources(best []match, dest *file) error {
	for _, source := range d.sources {
		score, err := d.similarity(source, dest)
		if err != nil {
			return err
		}
		m := match{source, dest, score, source.base == dest.base}
		worst := 0
		for i := range best {
			if compareMatches(best[i], best[worst]) > 0 {
				worst = i
			}
		}
		if compareMatches(best[worst], m) > 0 {
			best[worst] = m
		}
	}
	return nil
}

// take pairs by the sorted matches what is still free; with copies, used
// sources are free.
func (d *detector) take(matches []match, copies bool) {
	for _, m := range matches {
		if m.dest == nil || m.score < d.opts.MinScore {
			return
		}
		if m.dest.from == nil && (copies || m.source.used == 0) {
			pair(m.source, m.dest, m.score)
		}
	}
}
