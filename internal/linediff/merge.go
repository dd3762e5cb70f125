package linediff

// MergeStyle says how a conflict is written (merge.conflictStyle in git-config(1)).
type MergeStyle uint8

// The styles of conflicts; MergePlain is git's default.
const (
	MergePlain  MergeStyle = iota // both sides, with what they share taken out
	MergeDiff3                    // the base between them, nothing taken out
	MergeZDiff3                   // the same, equal lines at both ends taken out
)

// Favor decides conflicts instead of writing them (the options of that name in git-merge-file(1)).
type Favor uint8

// What becomes of conflicts.
const (
	FavorNone Favor = iota
	FavorOurs
	FavorTheirs
	FavorUnion
)

// MergeOptions of Merge3. The zero value is what git's default merge strategy does, without labels.
type MergeOptions struct {
	Algorithm          Algorithm // git's strategy uses Histogram
	Style              MergeStyle
	Favor              Favor
	MarkerSize         int    // 0 is 7
	Ours, Theirs, Base string // labels of the markers
	// JoinAcrossPunctuation also joins conflicts that only lines without letters and digits part, as git merge-file does.
	JoinAcrossPunctuation bool
}

// Merge3 merges the changes from base to ours with those from base to theirs, line by line as git does, and returns the
// text and how many conflicts it holds.
func Merge3(base, ours, theirs []byte, opts MergeOptions) (merged []byte, conflicts int) {
	m := merger{opts: opts}
	m.base.Split(base)
	m.ours.Split(ours)
	m.theirs.Split(theirs)
	diff := Options{Algorithm: opts.Algorithm, NoIndentHeuristic: true}
	m.align(Diff(base, ours, diff), Diff(base, theirs, diff))
	switch {
	case opts.Style == MergeZDiff3:
		m.shrink()
	case opts.Style == MergePlain:
		m.refine(diff)
		m.join()
	}
	return m.write()
}

// origin says where a piece of the result comes from.
type origin uint8

const (
	fromConflict origin = iota
	fromOurs
	fromTheirs
	fromBoth // ours, then theirs
	fromSame // a conflict that turned out to be none: both sides are alike
)

// piece is a stretch where at least one side differs from the base: its ranges in base, ours and theirs.
type piece struct {
	origin                origin
	base, ours, theirs    int
	nBase, nOurs, nTheirs int
}

type merger struct {
	opts               MergeOptions
	base, ours, theirs Lines
	pieces             []piece
}

// align walks both lists of changes by their place in the base.
func (m *merger) align(ours, theirs []Change) {
	shiftOurs, shiftTheirs := 0, 0 // what the changes so far moved each side's lines by
	for len(ours) > 0 || len(theirs) > 0 {
		switch {
		case len(theirs) == 0 || len(ours) > 0 && ours[0].OldStart+ours[0].OldCount < theirs[0].OldStart:
			c := ours[0]
			m.add(piece{fromOurs, c.OldStart, c.NewStart, c.OldStart + shiftTheirs, c.OldCount, c.NewCount, c.OldCount})
			shiftOurs, ours = shift(c), ours[1:]
		case len(ours) == 0 || theirs[0].OldStart+theirs[0].OldCount < ours[0].OldStart:
			c := theirs[0]
			m.add(piece{fromTheirs, c.OldStart, c.OldStart + shiftOurs, c.NewStart, c.OldCount, c.OldCount, c.NewCount})
			shiftTheirs, theirs = shift(c), theirs[1:]
		default:
			a, b := ours[0], theirs[0]
			if !m.same(a, b) {
				m.add(overlap(a, b))
			}
			endOurs, endTheirs := a.OldStart+a.OldCount, b.OldStart+b.OldCount
			if endOurs >= endTheirs {
				shiftTheirs, theirs = shift(b), theirs[1:]
			}
			if endTheirs >= endOurs {
				shiftOurs, ours = shift(a), ours[1:]
			}
		}
	}
}

// shift is how far the lines after a change have moved.
func shift(c Change) int { return c.NewStart + c.NewCount - c.OldStart - c.OldCount }

// same reports whether both sides made the same change.
func (m *merger) same(a, b Change) bool {
	if a.OldStart != b.OldStart || a.OldCount != b.OldCount || a.NewCount != b.NewCount {
		return false
	}
	for i := range a.NewCount {
		if string(m.ours.Line(a.NewStart+i)) != string(m.theirs.Line(b.NewStart+i)) {
			return false
		}
	}
	return true
}

// overlap is the conflict of two changes, widened on each side to what the other one covers.
func overlap(a, b Change) piece {
	p := piece{base: a.OldStart, ours: a.NewStart, theirs: b.NewStart}
	if ahead := a.OldStart - b.OldStart; ahead > 0 {
		p.base, p.ours = p.base-ahead, p.ours-ahead
	} else {
		p.theirs += ahead
	}
	p.nBase = a.OldStart + a.OldCount - p.base
	p.nOurs = a.NewStart + a.NewCount - p.ours
	p.nTheirs = b.NewStart + b.NewCount - p.theirs
	if over := a.OldStart + a.OldCount - b.OldStart - b.OldCount; over < 0 {
		p.nBase, p.nOurs = p.nBase-over, p.nOurs-over
	} else {
		p.nTheirs += over
	}
	return p
}

// add appends a piece, or joins it to the one before where they touch on either side.
func (m *merger) add(p piece) {
	if n := len(m.pieces); n > 0 {
		last := &m.pieces[n-1]
		if p.ours <= last.ours+last.nOurs || p.theirs <= last.theirs+last.nTheirs {
			if p.origin != last.origin {
				last.origin = fromConflict
			}
			last.nBase = p.base + p.nBase - last.base
			last.nOurs = p.ours + p.nOurs - last.ours
			last.nTheirs = p.theirs + p.nTheirs - last.theirs
			return
		}
	}
	m.pieces = append(m.pieces, p)
}

// shrink takes lines that both sides of a conflict share at its ends out of it.
func (m *merger) shrink() {
	for i := range m.pieces {
		p := &m.pieces[i]
		if p.origin != fromConflict {
			continue
		}
		for p.nOurs > 0 && p.nTheirs > 0 && m.alike(p.ours, p.theirs) {
			p.ours, p.theirs, p.nOurs, p.nTheirs = p.ours+1, p.theirs+1, p.nOurs-1, p.nTheirs-1
		}
		for p.nOurs > 0 && p.nTheirs > 0 && m.alike(p.ours+p.nOurs-1, p.theirs+p.nTheirs-1) {
			p.nOurs, p.nTheirs = p.nOurs-1, p.nTheirs-1
		}
	}
}

func (m *merger) alike(ours, theirs int) bool {
	return string(m.ours.Line(ours)) == string(m.theirs.Line(theirs))
}

// refine compares the sides of each conflict; only what differs stays one.
func (m *merger) refine(diff Options) {
	var refined []piece
	for _, p := range m.pieces {
		if p.origin != fromConflict || p.nOurs == 0 || p.nTheirs == 0 {
			refined = append(refined, p)
			continue
		}
		changes := Diff(m.ours.Range(p.ours, p.ours+p.nOurs), m.theirs.Range(p.theirs, p.theirs+p.nTheirs), diff)
		if len(changes) == 0 {
			p.origin = fromSame
			refined = append(refined, p)
		}
		for _, c := range changes {
			refined = append(refined, piece{
				base: p.base, nBase: p.nBase,
				ours: p.ours + c.OldStart, nOurs: c.OldCount, theirs: p.theirs + c.NewStart, nTheirs: c.NewCount,
			})
		}
	}
	m.pieces = refined
}

// join makes one conflict of two with at most three lines between them.
func (m *merger) join() {
	if len(m.pieces) == 0 {
		return
	}
	joined := m.pieces[:1]
	for _, p := range m.pieces[1:] {
		last := &joined[len(joined)-1]
		begin := last.ours + last.nOurs
		if last.origin != fromConflict || p.origin != fromConflict || !m.bridges(begin, p.ours) {
			joined = append(joined, p)
			continue
		}
		last.nOurs = p.ours + p.nOurs - last.ours
		last.nTheirs = p.theirs + p.nTheirs - last.theirs
	}
	m.pieces = joined
}

// bridges reports whether the lines of ours between two conflicts are too few, or too empty, to part them.
func (m *merger) bridges(from, to int) bool {
	if to-from <= 3 {
		return true
	}
	if !m.opts.JoinAcrossPunctuation {
		return false
	}
	for _, c := range m.ours.Range(from, to) {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}
