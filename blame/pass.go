package blame

import (
	"fmt"
	"slices"

	"github.com/ingit-dev/ingit/internal/linediff"
)

// entry is a run of lines, which count from 0 here: from final in the file
// that is asked about, from source in an origin.
type entry struct {
	final, source, count int
	ignored              bool // passed on from an ignored commit
	unblamable           bool // left with an ignored commit
}

// pass moves suspects to the parents of the origin's commit.
func (b *blamer) pass(o *origin) error {
	parents := b.scapegoats(o.commit)
	if len(parents) == 0 {
		return nil
	}
	found := make([]*origin, len(parents))
	if whole, err := b.findOrigins(o, found); whole || err != nil {
		return err
	}
	for _, p := range found {
		if p == nil {
			continue
		}
		if o.previous == nil {
			o.previous = p
		}
		if err := b.passUnchanged(o, p); err != nil {
			return err
		}
		if len(o.suspects) == 0 {
			break
		}
	}
	if b.ignored[o.commit.id] {
		for _, p := range found {
			if p == nil || len(o.suspects) == 0 {
				continue
			}
			if err := b.passIgnored(o, p); err != nil {
				return err
			}
		}
	}
	if err := b.passMoved(o, found); err != nil {
		return err
	}
	for _, p := range found {
		if p != nil && len(p.suspects) == 0 {
			b.release(p)
		}
	}
	return nil
}

// findOrigins finds the file in the parents: under the same path, then, if no
// parent has the very same content, under other ones. The same content takes
// all suspects, and ends the search; whole says so. Of several parents with one
// content the first counts.
func (b *blamer) findOrigins(o *origin, found []*origin) (whole bool, err error) {
	var renamed []int // parents that lack the path
	for i, parent := range b.scapegoats(o.commit) {
		ok, err := b.history.load(parent)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		p, lacking, err := b.inParent(parent, o)
		if err != nil {
			return false, err
		}
		if lacking {
			renamed = append(renamed, i)
		}
		if b.take(o, p, found, i) {
			return true, nil
		}
	}
	for _, i := range renamed {
		p, err := b.findRenamed(b.scapegoats(o.commit)[i], o)
		if err != nil {
			return false, err
		}
		if b.take(o, p, found, i) {
			return true, nil
		}
	}
	return false, nil
}

// take notes the origin p of the parent i. With o's own content it takes all
// suspects, and take reports true.
func (b *blamer) take(o, p *origin, found []*origin, i int) bool {
	switch {
	case p == nil:
	case p.blob == o.blob:
		b.handOver(o, p)
		suspects := o.suspects
		o.suspects = nil
		b.queue(p, suspects)
		return true
	case !slices.ContainsFunc(found[:i], func(other *origin) bool { return other != nil && other.blob == p.blob }):
		found[i] = p
	}
	return false
}

// queue adds suspects, sorted by source, to an origin.
func (b *blamer) queue(o *origin, suspects []entry) {
	if len(suspects) == 0 {
		return
	}
	if o.commit.suspect() == nil {
		b.history.queue.Push(o.commit)
	}
	if len(o.suspects) == 0 {
		o.suspects = suspects
		return
	}
	o.suspects = append(o.suspects, suspects...)
	sortBySource(o.suspects)
}

// passUnchanged moves those suspects to a parent's origin that stand there
// unchanged.
func (b *blamer) passUnchanged(o, parent *origin) error {
	changes, err := b.changes(o, parent)
	if err != nil {
		return err
	}
	kept, moved := divide(o.suspects, changes, nil, b.copies != NoCopies)
	o.suspects = kept
	b.queue(parent, moved)
	return nil
}

// changes compares an origin with a parent's.
func (b *blamer) changes(o, parent *origin) ([]linediff.Change, error) {
	old, err := b.content(parent)
	if err != nil {
		return nil, err
	}
	new, err := b.content(o)
	if err != nil {
		return nil, err
	}
	if max(len(old), len(new)) > linediff.MaxSize {
		return nil, fmt.Errorf("unable to generate diff (%s -> %s)", parent.commit.id, o.commit.id)
	}
	lines := b.linesOf(o, nil)
	return b.differ.DiffLines(b.linesOf(parent, lines), lines, b.diff), b.ctx.Err()
}

// divide parts suspects into those that lie in the new lines of changes, and
// the others, with their source lines as they were before the changes. With
// guess, a line in a change goes to the old line that guess(change, line) knows
// for it, if it is not negative. Apart leaves suspects as long as they are, also
// where they go on in each other: copies are looked for one by one.
func divide(suspects []entry, changes []linediff.Change, guess func(change, line int) int, apart bool) (kept, moved []entry) {
	d := divider{changes: changes, guess: guess, apart: apart}
	first, offset := 0, 0
	for _, e := range suspects {
		for first < len(changes) && changes[first].NewStart+changes[first].NewCount <= e.source {
			offset = offsetAfter(changes[first])
			first++
		}
		d.divide(e, first, offset)
	}
	if d.unsorted {
		sortBySource(d.kept)
		sortBySource(d.moved)
	}
	return d.kept, d.moved
}

type divider struct {
	changes     []linediff.Change
	guess       func(change, line int) int
	kept, moved []entry
	unsorted    bool
	apart       bool
}

// divide parts one entry. Changes from at on end behind its beginning; offset
// leads from its lines to old ones as long as no change comes.
func (d *divider) divide(e entry, at, offset int) {
	for e.count > 0 {
		part := e
		if at == len(d.changes) {
			part.source += offset
			d.append(&d.moved, part)
			return
		}
		c := d.changes[at]
		switch end := c.NewStart + c.NewCount; {
		case end <= e.source:
			offset = offsetAfter(c)
			at++
			continue
		case c.NewStart <= e.source:
			part.count = min(e.count, end-e.source)
			d.inside(part, at)
		default:
			part.count = min(e.count, c.NewStart-e.source)
			part.source += offset
			d.append(&d.moved, part)
		}
		e.final, e.source, e.count = e.final+part.count, e.source+part.count, e.count-part.count
	}
}

// inside takes an entry that lies in a change.
func (d *divider) inside(e entry, change int) {
	if d.guess == nil {
		d.append(&d.kept, e)
		return
	}
	for i := range e.count {
		line := entry{e.final + i, e.source + i, 1, e.ignored, e.unblamable}
		if old := d.guess(change, line.source); old >= 0 {
			line.source, line.ignored = old, true
			d.append(&d.moved, line)
		} else {
			line.unblamable = true
			d.append(&d.kept, line)
		}
	}
}

// append adds an entry, joined to the last one where it goes on there.
func (d *divider) append(list *[]entry, e entry) {
	if n := len(*list); n > 0 {
		last := &(*list)[n-1]
		if !d.apart && last.final+last.count == e.final && last.source+last.count == e.source && last.ignored == e.ignored && last.unblamable == e.unblamable {
			last.count += e.count
			return
		}
		d.unsorted = d.unsorted || last.source > e.source
	}
	*list = append(*list, e)
}

// offsetAfter is what leads from a new line after the change to the old one.
func offsetAfter(c linediff.Change) int {
	return c.OldStart + c.OldCount - (c.NewStart + c.NewCount)
}

func sortBySource(entries []entry) {
	slices.SortStableFunc(entries, func(x, y entry) int { return x.source - y.source })
}
