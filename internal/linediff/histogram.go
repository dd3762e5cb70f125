package linediff

// maxChain is the number of occurrences from which a line is too frequent to
// start a match from.
const maxChain = 64

// histogram matches around the rarest lines of a region, and works on what
// lies before and after the match.
type histogram struct {
	*Differ
	first []int32 // by class: its first line in the old region + 1, or 0
	count []int32 // by class: how many lines it has there
	next  []int32 // by old line: the next line of its class + 1, or 0
}

// common is a run of equal lines, old..oldEnd-1 and new..newEnd-1.
type common struct{ old, oldEnd, new, newEnd int }

func newHistogram(d *Differ) *histogram {
	n := d.classes.len()
	return &histogram{d, make([]int32, n), make([]int32, n), make([]int32, d.Old.Count())}
}

// match marks the changed lines of old lines i..iEnd-1 and new lines j..jEnd-1.
func (h *histogram) match(i, iEnd, j, jEnd int) {
	for i < iEnd && j < jEnd {
		h.watch.step()
		h.index(i, iEnd)
		best, verdict := h.longest(i, iEnd, j, jEnd)
		h.forget(i, iEnd)
		if verdict == tooFrequent {
			h.fallBack(i, iEnd, j, jEnd)
			return
		}
		if verdict == nothingCommon {
			break
		}
		h.match(i, best.old, j, best.new)
		i, j = best.oldEnd, best.newEnd
	}
	setAll(h.old.changed[i:iEnd])
	setAll(h.new.changed[j:jEnd])
}

// index chains the lines of the old region by class.
func (h *histogram) index(i, iEnd int) {
	for k := iEnd - 1; k >= i; k-- {
		class := h.old.class[k]
		h.next[k] = h.first[class]
		h.first[class] = int32(k + 1)
		h.count[class]++
	}
}

func (h *histogram) forget(i, iEnd int) {
	for _, class := range h.old.class[i:iEnd] {
		h.first[class], h.count[class] = 0, 0
	}
}

type outcome uint8

const (
	found outcome = iota
	nothingCommon
	tooFrequent
)

// longest finds the match around the rarest line; among equally rare ones
// the longest.
func (h *histogram) longest(i, iEnd, j, jEnd int) (common, outcome) {
	best, rarest := common{}, int32(maxChain+1)
	some := false
	for y := j; y < jEnd; {
		h.watch.step()
		class := h.new.class[y]
		nextY := y + 1
		if h.count[class] > 0 {
			some = true
		}
		if h.count[class] <= rarest {
			for x := int(h.first[class]); x > 0; {
				m, count := h.grow(x-1, y, common{i, iEnd, j, jEnd})
				nextY = max(nextY, m.newEnd)
				if m.oldEnd-m.old > best.oldEnd-best.old || count < rarest {
					best, rarest = m, count
				}
				for x = int(h.next[x-1]); x > 0 && x-1 < m.oldEnd; {
					x = int(h.next[x-1])
				}
			}
		}
		y = nextY
	}
	switch {
	case !some:
		return best, nothingCommon
	case rarest > maxChain:
		return best, tooFrequent
	default:
		return best, found
	}
}

// grow extends the match of old line x and new line y within a region, and
// returns how often its rarest line occurs.
func (h *histogram) grow(x, y int, within common) (common, int32) {
	m := common{x, x + 1, y, y + 1}
	count := h.count[h.old.class[x]]
	for m.old > within.old && m.new > within.new && h.old.class[m.old-1] == h.new.class[m.new-1] {
		m.old--
		m.new--
		count = min(count, h.count[h.old.class[m.old]])
	}
	for m.oldEnd < within.oldEnd && m.newEnd < within.newEnd && h.old.class[m.oldEnd] == h.new.class[m.newEnd] {
		count = min(count, h.count[h.old.class[m.oldEnd]])
		m.oldEnd++
		m.newEnd++
	}
	return m, count
}
