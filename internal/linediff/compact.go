package linediff

// maxSlide is how far up a group may be moved to a better looking place.
const maxSlide = 100

// group is a maximal run of changed lines, start..end-1. Between any two
// unchanged lines there is a group, possibly an empty one, so that the groups
// of both texts correspond.
type group struct {
	*side
	start, end int
}

// compact slides each group of s to where git shows it; other is the other
// text. No line before head is changed in either, nor one of the last tail
// lines of s. It returns head, or the first line of a group that went above it.
func compact(s, other *side, head, tail int, indent bool, watch *watch) int {
	count := len(s.changed)
	first := head
	g, o := group{s, head, head}, group{other, head, head}
	g.extend()
	o.extend()
	for n := 0; ; n++ {
		if n%chunk == 0 {
			watch.step()
		}
		if g.start != g.end {
			g.settle(&o, indent)
			first = min(first, g.start)
		}
		if g.end >= count-tail || !g.next() {
			return first
		}
		o.next()
	}
}

// settle moves g, and o with it, to its final place.
func (g *group) settle(o *group, indent bool) {
	var highest, aligned int
	for size := 0; size != g.end-g.start; {
		size = g.end - g.start
		aligned = -1
		for g.slideUp() {
			o.previous()
		}
		highest = g.end
		if o.start != o.end {
			aligned = g.end
		}
		for g.slideDown() {
			o.next()
			if o.start != o.end {
				aligned = g.end
			}
		}
	}
	switch {
	case g.end == highest:
	case aligned >= 0:
		for o.start == o.end {
			g.slideUp()
			o.previous()
		}
	case indent:
		for best := g.bestEnd(highest); g.end > best; {
			g.slideUp()
			o.previous()
		}
	}
}

// bestEnd returns the end, from highest on, at which the group looks best.
func (g *group) bestEnd(highest int) int {
	size := g.end - g.start
	first := max(highest, g.end-size-1, g.end-maxSlide)
	best, end := score{}, -1
	for at := first; at <= g.end; at++ {
		s := g.split(at).score().add(g.split(at - size).score())
		if end < 0 || s.compare(best) <= 0 {
			best, end = s, at
		}
	}
	return end
}

// extend moves the end to the end of the run.
func (g *group) extend() {
	for g.flags[g.end+1] {
		g.end++
	}
}

// next moves to the following group; false means that there is none.
func (g *group) next() bool {
	if g.end == len(g.changed) {
		return false
	}
	g.start = g.end + 1
	g.end = g.start
	g.extend()
	return true
}

// previous moves to the group before.
func (g *group) previous() {
	g.end = g.start - 1
	g.start = g.end
	for g.flags[g.start] {
		g.start--
	}
}

// slideUp moves the group up by a line, if its last line equals the one above
// it, and swallows a group that it then touches.
func (g *group) slideUp() bool {
	if g.start == 0 || !g.same(g.start-1, g.end-1) {
		return false
	}
	g.start--
	g.end--
	g.changed[g.start], g.changed[g.end] = true, false
	for g.flags[g.start] {
		g.start--
	}
	return true
}

// slideDown is slideUp in the other direction.
func (g *group) slideDown() bool {
	if g.end == len(g.changed) || !g.same(g.start, g.end) {
		return false
	}
	g.changed[g.start], g.changed[g.end] = false, true
	g.start++
	g.end++
	g.extend()
	return true
}
