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
}

// pass moves suspects to the parents of the origin's commit.
func (b *blamer) pass(o *origin) error {
	parents := o.commit.parents
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
	for i, parent := range o.commit.parents {
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
		p, err := b.findRenamed(o.commit.parents[i], o)
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
		b.history.queue.push(o.commit)
	}
	if len(o.suspects) == 0 {
		o.suspects = suspects
		return
	}
	o.suspects = append(o.suspects, suspects...)
	slices.SortStableFunc(o.suspects, func(x, y entry) int { return x.source - y.source })
}

// passUnchanged moves those suspects to a parent's origin that stand there
// unchanged.
func (b *blamer) passUnchanged(o, parent *origin) error {
	old, err := b.content(parent)
	if err != nil {
		return err
	}
	new, err := b.content(o)
	if err != nil {
		return err
	}
	if max(len(old), len(new)) > linediff.MaxSize {
		return fmt.Errorf("unable to generate diff (%s -> %s)", parent.commit.id, o.commit.id)
	}
	changes := b.differ.Diff(old, new, b.diff)
	kept, moved := divide(o.suspects, changes)
	o.suspects = kept
	b.queue(parent, moved)
	return nil
}

// divide parts suspects into those that lie in the new lines of changes, and
// the others, with their source lines as they were before the changes. It
// reuses the memory of suspects for the former.
func divide(suspects []entry, changes []linediff.Change) (kept, moved []entry) {
	sorted := true
	first, firstOffset := 0, 0
	var kepts []entry
	for _, e := range suspects {
		for first < len(changes) && changes[first].NewStart+changes[first].NewCount <= e.source {
			firstOffset = offsetAfter(changes[first])
			first++
		}
		for at, offset := first, firstOffset; e.count > 0; {
			if at < len(changes) && changes[at].NewStart+changes[at].NewCount <= e.source {
				offset = offsetAfter(changes[at])
				at++
				continue
			}
			n := e.count
			if at < len(changes) && changes[at].NewStart <= e.source {
				n = min(n, changes[at].NewStart+changes[at].NewCount-e.source)
				kepts = appendEntry(kepts, entry{e.final, e.source, n}, &sorted)
			} else {
				if at < len(changes) {
					n = min(n, changes[at].NewStart-e.source)
				}
				moved = appendEntry(moved, entry{e.final, e.source + offset, n}, &sorted)
			}
			e = entry{e.final + n, e.source + n, e.count - n}
		}
	}
	if !sorted {
		slices.SortStableFunc(kepts, func(x, y entry) int { return x.source - y.source })
		slices.SortStableFunc(moved, func(x, y entry) int { return x.source - y.source })
	}
	return kepts, moved
}

// offsetAfter is what leads from a new line after the change to the old one.
func offsetAfter(c linediff.Change) int {
	return c.OldStart + c.OldCount - (c.NewStart + c.NewCount)
}

// appendEntry adds an entry, joined to the last one where it goes on there.
func appendEntry(entries []entry, e entry, sorted *bool) []entry {
	if n := len(entries); n > 0 {
		last := &entries[n-1]
		if last.final+last.count == e.final && last.source+last.count == e.source {
			last.count += e.count
			return entries
		}
		if last.source > e.source {
			*sorted = false
		}
	}
	return append(entries, e)
}
