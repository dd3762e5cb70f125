package linediff

// patience matches lines that occur once in a region of both texts, and
// works on the regions between them.
type patience struct {
	*Differ
	entry []int32 // by class: index into entries + 1; zero between two calls
}

// pairing is a class that occurs in the old region.
type pairing struct {
	old, new int // lines; new is -1 for none and -2 if one of both isn't unique
	previous int32
}

func newPatience(d *Differ) *patience {
	return &patience{d, make([]int32, d.classes.len())}
}

// match marks the changed lines of old lines i..iEnd-1 and new lines j..jEnd-1.
func (p *patience) match(i, iEnd, j, jEnd int) {
	if i == iEnd || j == jEnd {
		setAll(p.old.changed[i:iEnd])
		setAll(p.new.changed[j:jEnd])
		return
	}
	p.watch.step()
	entries, common := p.pair(i, iEnd, j, jEnd)
	if !common {
		setAll(p.old.changed[i:iEnd])
		setAll(p.new.changed[j:jEnd])
		return
	}
	sequence := longestIncreasing(entries)
	if len(sequence) == 0 {
		p.fallBack(i, iEnd, j, jEnd)
		return
	}
	p.between(sequence, i, iEnd, j, jEnd)
}

// pair lists the classes of the old region in order of their first line, and
// tells whether any of them is in the new region.
func (p *patience) pair(i, iEnd, j, jEnd int) (entries []pairing, common bool) {
	for k := i; k < iEnd; k++ {
		if at := p.entry[p.old.class[k]]; at > 0 {
			entries[at-1].new = -2
			continue
		}
		entries = append(entries, pairing{old: k, new: -1})
		p.entry[p.old.class[k]] = int32(len(entries))
	}
	for k := j; k < jEnd; k++ {
		at := p.entry[p.new.class[k]]
		if at == 0 {
			continue
		}
		common = true
		if e := &entries[at-1]; e.new == -1 {
			e.new = k
		} else {
			e.new = -2
		}
	}
	for _, e := range entries {
		p.entry[p.old.class[e.old]] = 0
	}
	return entries, common
}

// longestIncreasing returns the longest sequence of unique pairs in which both
// lines increase, as patience sorting finds it.
func longestIncreasing(entries []pairing) []pairing {
	var piles []int32 // the top of each, an index of entries
	for k := range entries {
		e := &entries[k]
		if e.new < 0 {
			continue
		}
		low, high := 0, len(piles)
		for low < high {
			middle := int(uint(low+high) >> 1)
			if entries[piles[middle]].new > e.new {
				high = middle
			} else {
				low = middle + 1
			}
		}
		e.previous = -1
		if low > 0 {
			e.previous = piles[low-1]
		}
		if low == len(piles) {
			piles = append(piles, 0)
		}
		piles[low] = int32(k)
	}
	sequence := make([]pairing, len(piles))
	if len(piles) == 0 {
		return nil
	}
	at := piles[len(piles)-1]
	for k := len(piles) - 1; k >= 0; k-- {
		sequence[k] = entries[at]
		at = entries[at].previous
	}
	return sequence
}

// between works on the regions before, between and after the matched pairs.
func (p *patience) between(sequence []pairing, i, iEnd, j, jEnd int) {
	for k := 0; ; k++ {
		nextI, nextJ := iEnd, jEnd
		if k < len(sequence) {
			nextI, nextJ = sequence[k].old, sequence[k].new
			for nextI > i && nextJ > j && p.old.class[nextI-1] == p.new.class[nextJ-1] {
				nextI--
				nextJ--
			}
		}
		for i < nextI && j < nextJ && p.old.class[i] == p.new.class[j] {
			i++
			j++
		}
		if i < nextI || j < nextJ {
			p.match(i, nextI, j, nextJ)
		}
		if k >= len(sequence) {
			return
		}
		for k+1 < len(sequence) && sequence[k+1].old == sequence[k].old+1 && sequence[k+1].new == sequence[k].new+1 {
			k++
		}
		i, j = sequence[k].old+1, sequence[k].new+1
	}
}

// fallBack runs Myers on two regions as if they were whole texts.
func (d *Differ) fallBack(i, iEnd, j, jEnd int) {
	old, new := d.old.region(i, iEnd), d.new.region(j, jEnd)
	old.count, old.total = countAgain(d.old.count, old.class, new.class), iEnd-i
	new.count, new.total = countAgain(d.new.count, new.class, old.class), jEnd-j
	d.myers.run(old, new, false, &d.watch)
}

// countAgain makes count hold how often the classes of both regions occur in
// own, and returns it. Other classes keep what they had.
func countAgain(count, own, other []int32) []int32 {
	for _, class := range own {
		count[class] = 0
	}
	for _, class := range other {
		count[class] = 0
	}
	for _, class := range own {
		count[class]++
	}
	return count
}
