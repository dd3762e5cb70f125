package linediff

// HunkOptions say how changes are grouped for printing.
type HunkOptions struct {
	Context   int // unchanged lines around a change
	InterHunk int // join hunks with up to this many lines between their contexts

	// IgnoreBlankLines leaves changes of blank lines out where nothing else
	// changes nearby; Whitespace says which lines are blank.
	IgnoreBlankLines bool
	Whitespace       Whitespace

	// Function, when given, extends each hunk to the whole function around
	// it (--function-context); it tells whether a function begins at line.
	Function func(line []byte) bool
}

// Hunk is a group of changes with the unchanged lines around them: old lines
// OldStart..OldEnd-1 and new lines NewStart..NewEnd-1.
type Hunk struct {
	OldStart, OldEnd, NewStart, NewEnd int
	Changes                            []Change // a part of the slice given to Hunks
}

// Hunks hands out the hunks of a diff one by one. The zero value has none.
type Hunks struct {
	opts     HunkOptions
	old, new *Lines
	changes  []Change
	rest     int // index of the first change not yet in a hunk
}

// NewHunks groups the changes between old and new.
func NewHunks(changes []Change, old, new *Lines, opts HunkOptions) Hunks {
	return Hunks{opts, old, new, changes, 0}
}

// Next returns the next hunk, or false after the last.
func (h *Hunks) Next() (Hunk, bool) {
	previous := h.rest
	first := h.skipIgnored(h.rest)
	if first == len(h.changes) {
		h.rest = first
		return Hunk{}, false
	}
	last := h.lastOf(first)
	k := h.begin(first)
	if h.opts.Function != nil && h.extendUp(&k, first) {
		if above := h.firstInside(k, previous, first); above < first {
			first = above
			k = h.begin(first)
			h.extendUp(&k, first)
		}
	}
	h.end(&k, last)
	for h.opts.Function != nil && h.extendDown(&k, last) {
		last++
		h.end(&k, last)
	}
	h.rest = last + 1
	k.Changes = h.changes[first:h.rest]
	return k, true
}

// firstInside returns the first of the skipped changes from..to-1 that the
// hunk has come to include, or to.
func (h *Hunks) firstInside(k Hunk, from, to int) int {
	for ; from < to; from++ {
		if old, new := h.changes[from].ends(); old > k.OldStart || new > k.NewStart {
			return from
		}
	}
	return to
}

// begin starts a hunk with the context above change i.
func (h *Hunks) begin(i int) Hunk {
	c := h.changes[i]
	return Hunk{OldStart: max(0, c.OldStart-h.opts.Context), NewStart: max(0, c.NewStart-h.opts.Context)}
}

// end sets the end of k to the context below change i.
func (h *Hunks) end(k *Hunk, i int) {
	oldEnd, newEnd := h.changes[i].ends()
	context := min(h.opts.Context, h.old.Count()-oldEnd, h.new.Count()-newEnd)
	k.OldEnd, k.NewEnd = oldEnd+context, newEnd+context
}

func (c Change) ends() (old, new int) { return c.OldStart + c.OldCount, c.NewStart + c.NewCount }

// skipIgnored passes over changes from i on that are ignored and not close to
// one that is not, and returns the first to show.
func (h *Hunks) skipIgnored(i int) int {
	if !h.opts.IgnoreBlankLines {
		return i
	}
	first := i
	for ; i < len(h.changes) && h.ignored(h.changes[i]); i++ {
		if i+1 == len(h.changes) || h.changes[i+1].OldStart-h.oldEnd(i) >= h.opts.Context {
			first = i + 1
		}
	}
	return first
}

func (h *Hunks) oldEnd(i int) int { return h.changes[i].OldStart + h.changes[i].OldCount }

// ignored tells whether c consists of blank lines only, where these are ignored.
func (h *Hunks) ignored(c Change) bool {
	if !h.opts.IgnoreBlankLines {
		return false
	}
	for i := range c.OldCount {
		if !h.opts.Whitespace.blank(h.old.Line(c.OldStart + i)) {
			return false
		}
	}
	for i := range c.NewCount {
		if !h.opts.Whitespace.blank(h.new.Line(c.NewStart + i)) {
			return false
		}
	}
	return true
}

// lastOf returns the last change of the hunk that begins with change first.
// Ignored changes take part only where another follows closely.
func (h *Hunks) lastOf(first int) int {
	most := 2*h.opts.Context + h.opts.InterHunk
	last, skipped := first, 0
	for i := first + 1; i < len(h.changes); i++ {
		gap := h.changes[i].OldStart - h.oldEnd(i-1)
		if gap > most {
			break
		}
		near, ignored := gap < h.opts.Context, h.ignored(h.changes[i])
		switch {
		case near && (!ignored || last == i-1):
			last, skipped = i, 0
		case near:
			skipped += h.changes[i].NewCount
		case last != i-1 && h.changes[i].OldStart+skipped-h.oldEnd(last) > most:
			return last
		case !ignored:
			last, skipped = i, 0
		default:
			skipped += h.changes[i].NewCount
		}
	}
	return last
}

// extendUp moves the beginning of k, whose first change is number first, up to
// the beginning of the function, with the comment above it. False means that
// it stays.
func (h *Hunks) extendUp(k *Hunk, first int) bool {
	at := h.changes[first].OldStart
	if at >= h.old.Count() {
		// A whole function that is appended needs no context.
		if h.find(h.new, h.changes[first].NewStart, h.new.Count()) >= 0 {
			return false
		}
		at = h.old.Count() - 1
	}
	begin := h.findUp(at)
	for begin > 0 && !isBlank(h.old.Line(begin-1)) && !h.opts.Function(h.old.Line(begin-1)) {
		begin--
	}
	begin = max(begin, 0)
	if begin >= k.OldStart {
		return false
	}
	k.NewStart = max(0, k.NewStart-(k.OldStart-begin))
	k.OldStart = begin
	return true
}

// extendDown moves the end of k, whose last change is number last, down to
// the end of the function. True means that the next change is reached and
// belongs to the hunk.
func (h *Hunks) extendDown(k *Hunk, last int) bool {
	n := h.old.Count()
	end := h.find(h.old, h.oldEnd(last), n)
	for end > 0 && isBlank(h.old.Line(end-1)) {
		end--
	}
	if end < 0 {
		end = n
	}
	if end > k.OldEnd {
		k.NewEnd = min(k.NewEnd+end-k.OldEnd, h.new.Count())
		k.OldEnd = end
	}
	if last+1 == len(h.changes) {
		return false
	}
	next := min(h.changes[last+1].OldStart, n-1)
	return next-h.opts.Context <= k.OldEnd || h.find(h.old, next, k.OldEnd) < 0
}

// find returns the first line from..to-1 at which a function begins, or -1. If
// to lies before from, it looks upwards from there, to to+1.
func (h *Hunks) find(lines *Lines, from, to int) int {
	step := 1
	if from > to {
		step = -1
	}
	for i := from; i != to && i >= 0 && i < lines.Count(); i += step {
		if h.opts.Function(lines.Line(i)) {
			return i
		}
	}
	return -1
}

// findUp returns the last old line up to from at which a function begins, or -1.
func (h *Hunks) findUp(from int) int { return h.find(h.old, from, -1) }
