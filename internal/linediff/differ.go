package linediff

// Differ computes diffs one after another and reuses its memory. The zero
// value is ready; it serves one goroutine at a time.
type Differ struct {
	Old, New Lines // of the last Diff, without what ZeroContext cut off

	borrowed bool // Old and New share memory with the caller of DiffLines
	old, new side
	classes  interner
	myers    myers
	changes  []Change
	watch    watch
}

// side is what is known of one of the two texts.
type side struct {
	lines   *Lines
	space   bool    // lines are compared by class, since white space may differ
	class   []int32 // of each line, where classes were needed
	count   []int32 // how often each class occurs in the whole text
	flags   []bool  // changed, with a false more at each end
	changed []bool  // by line
}

// region is a run of lines of one text, as the matching algorithms see it.
type region struct {
	class   []int32 // of the region's lines
	changed []bool  // of the region's lines: the result
	count   []int32 // how often each class occurs in the whole text
	total   int     // number of lines of the whole text
}

// Diff is like the function Diff. The result, and the lines in d.Old and
// d.New, are valid until the next call.
func (d *Differ) Diff(old, new []byte, opts Options) []Change {
	if d.borrowed {
		d.Old, d.New, d.borrowed = Lines{}, Lines{}, false
	}
	if opts.ZeroContext {
		old, new = cutCommonTail(old, new)
	}
	head, tail := 0, 0
	if opts.trims() {
		head, tail = d.splitCommon(old, new)
	} else {
		d.Old.Split(old)
		d.New.Split(new)
	}
	return d.match(head, tail, opts)
}

// DiffLines is Diff of texts whose lines are known already.
func (d *Differ) DiffLines(old, new *Lines, opts Options) []Change {
	d.Old, d.New, d.borrowed = *old, *new, true
	if opts.ZeroContext {
		o, n := cutCommonTail(old.Data, new.Data)
		d.Old, d.New = old.until(len(o)), new.until(len(n))
	}
	head, tail := 0, 0
	if opts.trims() {
		prefix, suffix := commonEnds(d.Old.Data, d.New.Data)
		head = d.Old.startsBefore(prefix)
		tail = d.Old.Count() - d.Old.startsBefore(len(d.Old.Data)-suffix)
	}
	return d.match(head, tail, opts)
}

// trims says that only lines between the common ends need classes.
func (o *Options) trims() bool { return o.Whitespace == 0 && o.Algorithm <= Minimal }

// match finds the changes between d.Old and d.New, which have head and tail
// lines in common at their ends.
func (d *Differ) match(head, tail int, opts Options) (changes []Change) {
	d.watch = watch{stop: opts.Stop}
	defer resumeStopped()
	if opts.trims() {
		d.matchTrimmed(head, tail, opts)
	} else {
		d.matchWhole(opts)
	}
	head = compact(&d.old, &d.new, head, tail, !opts.NoIndentHeuristic, &d.watch)
	head = compact(&d.new, &d.old, head, tail, !opts.NoIndentHeuristic, &d.watch)
	d.collect(head)
	return d.changes
}

// matchTrimmed matches the lines between the common ends; only they need
// classes.
func (d *Differ) matchTrimmed(head, tail int, opts Options) {
	d.old.reset(&d.Old, false)
	d.new.reset(&d.New, false)
	oldEnd, newEnd := d.Old.Count()-tail, d.New.Count()-tail
	switch {
	case head == oldEnd:
		setAll(d.new.changed[head:newEnd])
	case head == newEnd:
		setAll(d.old.changed[head:oldEnd])
	default:
		d.classes.reset(oldEnd + newEnd - 2*head)
		d.old.intern(&d.classes, head, oldEnd, 0, &d.watch)
		d.new.intern(&d.classes, head, newEnd, 0, &d.watch)
		d.countMiddle(head, oldEnd, newEnd)
		d.myers.run(d.old.region(head, oldEnd), d.new.region(head, newEnd), opts.Algorithm == Minimal, &d.watch)
	}
}

// matchWhole is for the modes in which every line needs its class.
func (d *Differ) matchWhole(opts Options) {
	d.old.reset(&d.Old, opts.Whitespace != 0)
	d.new.reset(&d.New, opts.Whitespace != 0)
	n, m := d.Old.Count(), d.New.Count()
	d.classes.reset(n + m)
	d.old.intern(&d.classes, 0, n, opts.Whitespace, &d.watch)
	d.new.intern(&d.classes, 0, m, opts.Whitespace, &d.watch)
	d.old.recount(0, n, d.classes.len())
	d.new.recount(0, m, d.classes.len())
	switch opts.Algorithm {
	case Patience:
		newPatience(d).match(0, n, 0, m)
	case Histogram:
		newHistogram(d).match(0, n, 0, m)
	default:
		d.myers.run(d.old.region(0, n), d.new.region(0, m), opts.Algorithm == Minimal, &d.watch)
	}
}

// splitCommon splits both texts, scanning what they have in common once, and
// returns the numbers of lines in the common ends.
func (d *Differ) splitCommon(old, new []byte) (head, tail int) {
	prefix, suffix := commonEnds(old, new)
	oldEnd, newEnd := len(old)-suffix, len(new)-suffix

	starts := splitLines(d.Old.starts[:0], old[:prefix], 0)
	head = len(starts)
	other := append(d.New.starts[:0], starts...)
	starts = splitLines(starts, old[prefix:oldEnd], prefix)
	other = splitLines(other, new[prefix:newEnd], prefix)
	middle := len(starts)
	starts = splitLines(starts, old[oldEnd:], oldEnd)
	tail = len(starts) - middle
	for _, start := range starts[middle:] {
		other = append(other, start+int32(newEnd-oldEnd))
	}
	d.Old = Lines{old, append(starts, int32(len(old)))}
	d.New = Lines{new, append(other, int32(len(new)))}
	return head, tail
}

// countMiddle counts the classes of the lines between the common ends. The
// ends themselves are looked at only if it matters how often a line occurs in
// the whole text, that is, if some line is in the middle of one text only.
func (d *Differ) countMiddle(head, oldEnd, newEnd int) {
	d.old.recount(head, oldEnd, d.classes.len())
	d.new.recount(head, newEnd, d.classes.len())
	if !d.oneSided() {
		return
	}
	for _, ends := range [][2]int{{0, head}, {oldEnd, d.Old.Count()}} {
		for i := ends[0]; i < ends[1]; i++ {
			if class := d.classes.lookup(d.Old.Line(i)); class >= 0 {
				d.old.count[class]++
				d.new.count[class]++
			}
		}
	}
}

// oneSided tells whether a class occurs on one side only.
func (d *Differ) oneSided() bool {
	for class, n := range d.old.count {
		if n == 0 || d.new.count[class] == 0 {
			return true
		}
	}
	return false
}

// collect makes the changes from the flags, starting at line head.
func (d *Differ) collect(head int) {
	d.changes = d.changes[:0]
	old, new := d.old.changed, d.new.changed
	for i, j := head, head; i < len(old) || j < len(new); {
		from := Change{OldStart: i, NewStart: j}
		for i < len(old) && old[i] {
			i++
		}
		for j < len(new) && new[j] {
			j++
		}
		if i > from.OldStart || j > from.NewStart {
			from.OldCount, from.NewCount = i-from.OldStart, j-from.NewStart
			d.changes = append(d.changes, from)
		}
		i++
		j++
	}
}

// reset prepares s for the text that has just been split into lines.
func (s *side) reset(lines *Lines, space bool) {
	s.lines, s.space = lines, space
	n := lines.Count()
	s.flags = grow(s.flags, n+2)
	clear(s.flags)
	s.changed = s.flags[1 : n+1]
	s.class = grow(s.class, n)
}

// intern gives lines from..to-1 their classes.
func (s *side) intern(in *interner, from, to int, w Whitespace, watch *watch) {
	for i := from; i < to; i++ {
		if i%chunk == 0 {
			watch.step()
		}
		s.class[i] = in.internLine(s.lines.Line(i), w)
	}
}

// recount counts the classes of lines from..to-1.
func (s *side) recount(from, to, classes int) {
	s.count = grow(s.count, classes)
	clear(s.count)
	for _, class := range s.class[from:to] {
		s.count[class]++
	}
}

// region returns lines from..to-1 for matching.
func (s *side) region(from, to int) region {
	return region{s.class[from:to], s.changed[from:to], s.count, s.lines.Count()}
}

// same tells whether lines i and j of the text are equal.
func (s *side) same(i, j int) bool {
	if s.space {
		return s.class[i] == s.class[j]
	}
	return string(s.lines.Line(i)) == string(s.lines.Line(j))
}

// grow returns a slice of length n, s if it is long enough.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

func setAll(flags []bool) {
	for i := range flags {
		flags[i] = true
	}
}
