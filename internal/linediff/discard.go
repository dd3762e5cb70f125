package linediff

import "math/bits"

// How many lines of a text are worth matching, and how far the neighbourhood
// of a frequent line reaches.
const (
	maxFrequent = 1024
	maxScan     = 100
)

// verdict says what becomes of a line before the search.
type verdict uint8

const (
	noMatch verdict = iota // it isn't in the other text: changed
	keep
	frequent // it may be left out among lines without match
)

// roughSqrt is git's estimate of a square root: the power of two that has
// half as many bits as n, rounded up.
func roughSqrt(n int) int { return 1 << ((bits.Len(uint(n)) + 1) / 2) }

// kept holds the lines of a region that the search has to match.
type kept struct {
	class   []int32
	line    []int32 // the place of each in the region
	changed []bool  // by place in the region
	verdict []verdict
}

// fill chooses the lines of r to keep, by how often they occur in the other
// text, and marks the others as changed.
func (k *kept) fill(r region, otherCount []int32) {
	k.judge(r, otherCount)
	k.class, k.line, k.changed = k.class[:0], k.line[:0], r.changed
	for i, v := range k.verdict {
		if v == keep || v == frequent && !k.drowned(i) {
			k.class = append(k.class, r.class[i])
			k.line = append(k.line, int32(i))
		} else {
			r.changed[i] = true
		}
	}
}

// judge finds the verdict of each line of r.
func (k *kept) judge(r region, otherCount []int32) {
	limit := int32(min(roughSqrt(r.total), maxFrequent))
	k.verdict = grow(k.verdict, len(r.class))
	for i, class := range r.class {
		switch n := otherCount[class]; {
		case n == 0:
			k.verdict[i] = noMatch
		case n >= limit:
			k.verdict[i] = frequent
		default:
			k.verdict[i] = keep
		}
	}
}

// drowned tells whether the frequent line i lies in a run that consists
// mostly of lines without a match.
func (k *kept) drowned(i int) bool {
	last := len(k.verdict) - 1
	before, frequentBefore := k.scan(i, max(0, i-maxScan), -1)
	if before == 0 {
		return false
	}
	after, frequentAfter := k.scan(i, min(last, i+maxScan), 1)
	if after == 0 {
		return false
	}
	missing, many := before+after, frequentBefore+frequentAfter
	return many*4 < many+missing
}

// scan counts the lines without a match and the frequent ones (i among them)
// from i to end, until a line that is kept.
func (k *kept) scan(i, end, step int) (missing, many int) {
	many = 1
	for i != end {
		i += step
		switch k.verdict[i] {
		case noMatch:
			missing++
		case frequent:
			many++
		case keep:
			return missing, many
		}
	}
	return missing, many
}
