package blame

import "github.com/ingit-dev/ingit/internal/linediff"

// guesser guesses for new lines which old lines they may have been. Lines of a
// change are matched with those that they replace, in order; the others go to
// whichever line of the whole old file is most alike.
//
// The matching is that of git blame --ignore-rev: the pair that is matched with
// the greatest certainty divides both sides, and takes what it has in common
// from the old line; then come the lines before and after.
type guesser struct {
	old []fingerprint // of all old lines; they are used up
}

// guess returns the old line for each new line of a change, -1 for none. New
// are the fingerprints of its lines. Changes must come in order.
func (g *guesser) guess(c linediff.Change, new []fingerprint) []int {
	m := newMatcher(g.old[c.OldStart:c.OldStart+c.OldCount], new)
	if c.OldCount > 0 {
		m.match(interval{0, c.OldCount}, interval{0, len(new)})
	}
	for j, at := range m.best {
		if at >= 0 {
			m.best[j] += c.OldStart
		} else {
			m.best[j] = g.mostAlike(new[j], c.NewStart+j)
		}
	}
	return m.best
}

// leastAlike is how similar lines must be to be matched out of order.
const leastAlike = 10

// mostAlike is the old line that is most like a new one in what other lines
// have not taken; of several the one whose number is nearest; -1 when none is.
func (g *guesser) mostAlike(new fingerprint, number int) int {
	apart := func(i int) int { return max(i-number, number-i) }
	found, best := -1, leastAlike
	for i, line := range g.old {
		alike := new.similarity(line)
		if alike < best || alike == best && found >= 0 && apart(found) < apart(i) {
			continue
		}
		found, best = i, alike
	}
	return found
}

// interval is the lines from..to-1.
type interval struct{ from, to int }

// matcher matches old with new lines. A new line is compared with the old line
// that stands at the same place, in proportion, and those around it.
type matcher struct {
	old, new   []fingerprint
	reach      int   // how far around
	span       int   // how far apart new lines that are compared with one old line may be
	similarity []int // by new line, then by old line within reach; -1: not known
	certainty  []int // by new line, or one of the marks
	best       []int // by new line: the old line that is most alike, -1 for none
	second     []int // and the next one
}

// Marks instead of a certainty.
const (
	notKnown = -2
	noMatch  = -1
)

// maxReach is git's.
const maxReach = 10

func newMatcher(old, new []fingerprint) *matcher {
	m := &matcher{old: old, new: new, best: fill(len(new), -1)}
	if len(old) == 0 {
		return m
	}
	m.reach = min(maxReach, len(old)-1)
	m.span = ((2*m.reach+1)*len(new) - 1) / len(old)
	m.similarity = fill(len(new)*(2*m.reach+1), -1)
	m.certainty = fill(len(new), notKnown)
	m.second = fill(len(new), -1)
	return m
}

func fill(n, value int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = value
	}
	return s
}

// nearest is the old line at the same place as the new line j.
func (m *matcher) nearest(j int) int {
	return (j*2 + 1) * len(m.old) / (len(m.new) * 2)
}

// known is where the similarity of the old line i, which is within reach, and
// the new line j is kept.
func (m *matcher) known(i, j int) *int {
	return &m.similarity[j*(2*m.reach+1)+i-m.nearest(j)+m.reach]
}

// match matches the lines of two intervals.
func (m *matcher) match(old, new interval) {
	surest, certainty := -1, -1
	for j := new.from; j < new.to; j++ {
		m.find(j, old)
		if m.certainty[j] > certainty {
			surest, certainty = j, m.certainty[j]
		}
	}
	if surest < 0 {
		return
	}
	line := m.best[surest]
	m.old[line].subtract(m.new[surest])
	m.forget(line, surest, new)
	if surest > new.from {
		m.match(interval{old.from, line + 1}, interval{new.from, surest})
	}
	if surest+1 < new.to {
		m.match(interval{line, old.to}, interval{surest + 1, new.to})
	}
}

// find finds the old lines that are most like the new line j. A line that is
// much like one old line is matched with more certainty than one that is like
// two; a line nearer to the same place counts a little more.
func (m *matcher) find(j int, old interval) {
	if m.certainty[j] != notKnown {
		return
	}
	near := m.nearest(j)
	best, second := 0, 0
	bestAt, secondAt := old.from, old.from
	for i := max(old.from, near-m.reach); i < min(old.to, near+m.reach+1); i++ {
		alike := m.known(i, j)
		if *alike < 0 {
			*alike = m.new[j].similarity(m.old[i]) * (1000 - max(i-near, near-i))
		}
		if *alike > best {
			second, secondAt = best, bestAt
			best, bestAt = *alike, i
		} else if *alike > second {
			second, secondAt = *alike, i
		}
	}
	if best == 0 {
		m.certainty[j], m.best[j] = noMatch, -1
		return
	}
	m.certainty[j] = best*2 - second
	m.best[j], m.second[j] = bestAt, secondAt
}

// forget drops what is not true any more once the new line surest has taken
// the old one: similarities with that, and matches that cross it.
func (m *matcher) forget(line, surest int, new interval) {
	for j := max(new.from, surest-m.span); j < min(new.to, surest+m.span+1); j++ {
		if near := m.nearest(j); max(line-near, near-line) <= m.reach {
			*m.known(line, j) = -1
		}
		crosses := j < surest && (m.best[j] >= line || m.second[j] >= line) ||
			j > surest && (m.best[j] <= line || m.second[j] <= line)
		if crosses && m.certainty[j] >= 0 {
			m.certainty[j] = notKnown
		}
	}
}
