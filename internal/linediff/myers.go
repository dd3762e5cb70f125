package linediff

import "math"

// The limits at which the search stops looking for the best path.
const (
	longSnake = 20  // equal lines that make a run trustworthy
	minCost   = 256 // edit cost below which there is no cut-off
	worth     = 4   // progress that a good run must bring per unit of cost
)

// myers searches in linear space: a forward and a backward search for the
// furthest points per diagonal meet in the middle of a box, which splits it.
// x counts the kept old lines, y the new ones; diagonal d is where x-y == d.
type myers struct {
	old, new          kept
	forward, backward []int32 // furthest x by diagonal + origin
	origin            int
	maxCost           int
	watch             *watch
}

// box is the part of the problem between two corners; minimal means that the
// cut-offs don't apply to it.
type box struct {
	x0, x1, y0, y1 int
	minimal        bool
}

// split is a point that divides a box, with the mode of the two parts.
type split struct {
	x, y                    int
	lowMinimal, highMinimal bool
}

// run marks the lines of two regions that have no partner.
func (m *myers) run(old, new region, minimal bool, watch *watch) {
	m.watch = watch
	head, tail := commonClasses(old.class, new.class)
	old, new = old.cut(head, tail), new.cut(head, tail)
	m.old.fill(old, new.count)
	m.new.fill(new, old.count)

	diagonals := len(m.old.class) + len(m.new.class) + 3
	m.maxCost = max(minCost, roughSqrt(diagonals))
	m.origin = len(m.new.class) + 1
	m.forward = grow(m.forward, diagonals+1)
	m.backward = grow(m.backward, diagonals+1)
	m.match(box{0, len(m.old.class), 0, len(m.new.class), minimal})
}

// commonClasses returns the lengths of the common prefix and suffix.
func commonClasses(old, new []int32) (head, tail int) {
	n := min(len(old), len(new))
	for head < n && old[head] == new[head] {
		head++
	}
	n -= head
	for tail < n && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	return head, tail
}

// cut returns r without its first head and last tail lines.
func (r region) cut(head, tail int) region {
	r.class = r.class[head : len(r.class)-tail]
	r.changed = r.changed[head : len(r.changed)-tail]
	return r
}

// match finds the partners of the lines in b.
func (m *myers) match(b box) {
	for {
		for b.x0 < b.x1 && b.y0 < b.y1 && m.old.class[b.x0] == m.new.class[b.y0] {
			b.x0++
			b.y0++
		}
		for b.x0 < b.x1 && b.y0 < b.y1 && m.old.class[b.x1-1] == m.new.class[b.y1-1] {
			b.x1--
			b.y1--
		}
		if b.x0 == b.x1 || b.y0 == b.y1 {
			m.old.mark(b.x0, b.x1)
			m.new.mark(b.y0, b.y1)
			return
		}
		s := m.split(b)
		m.match(box{b.x0, s.x, b.y0, s.y, s.lowMinimal})
		b = box{s.x, b.x1, s.y, b.y1, s.highMinimal}
	}
}

// mark says that kept lines from..to-1 are changed.
func (k *kept) mark(from, to int) {
	for _, line := range k.line[from:to] {
		k.changed[line] = true
	}
}

// search is the state of the two searches in one box.
type search struct {
	box
	old, new          []int32
	forward, backward []int32 // furthest x by diagonal + origin
	origin            int
	f, b              diagonals
	snake             bool // a long run of equal lines was met in this round
}

// diagonals is the window that one search has reached.
type diagonals struct{ middle, low, high int }

// split finds a point on a shortest path through b, or, where that costs too
// much, on a good one.
func (m *myers) split(b box) split {
	s := search{
		box: b, old: m.old.class, new: m.new.class,
		forward: m.forward, backward: m.backward, origin: m.origin,
		f: diagonals{b.x0 - b.y0, b.x0 - b.y0, b.x0 - b.y0},
		b: diagonals{b.x1 - b.y1, b.x1 - b.y1, b.x1 - b.y1},
	}
	s.forward[s.f.middle+s.origin] = int32(b.x0)
	s.backward[s.b.middle+s.origin] = int32(b.x1)
	for cost := 1; ; cost++ {
		m.watch.step()
		s.snake = false
		if x, d, met := s.advance(); met {
			return split{x, x - d, true, true}
		}
		if x, d, met := s.retreat(); met {
			return split{x, x - d, true, true}
		}
		if b.minimal {
			continue
		}
		if s.snake && cost > minCost {
			if at, ok := s.goodSnake(cost); ok {
				return at
			}
		}
		if cost >= m.maxCost {
			return s.furthest()
		}
	}
}

// widen grows the window by a diagonal at each end that is inside the box,
// with a value there that no path comes from, and shrinks it at an end
// that has left it.
func (s *search) widen(w *diagonals, furthest []int32, none int32) {
	if w.low > s.x0-s.y1 {
		w.low--
		furthest[w.low-1+s.origin] = none
	} else {
		w.low++
	}
	if w.high < s.x1-s.y0 {
		w.high++
		furthest[w.high+1+s.origin] = none
	} else {
		w.high--
	}
}

// advance makes the forward search one step longer. If it meets the backward
// one, it returns the point.
func (s *search) advance() (x, diagonal int, met bool) {
	s.widen(&s.f, s.forward, -1)
	old, new, furthest := s.old[:s.x1], s.new[:s.y1], s.forward
	odd := (s.f.middle-s.b.middle)&1 != 0
	for d := s.f.high; d >= s.f.low; d -= 2 {
		around := furthest[d-1+s.origin : d+2+s.origin : d+2+s.origin]
		x := int(max(around[0]+1, around[2]))
		from, y := x, x-d
		for uint(x) < uint(len(old)) && uint(y) < uint(len(new)) && old[x] == new[y] {
			x++
			y++
		}
		if x-from > longSnake {
			s.snake = true
		}
		around[1] = int32(x)
		if odd && s.b.low <= d && d <= s.b.high && int(s.backward[d+s.origin]) <= x {
			return x, d, true
		}
	}
	return 0, 0, false
}

// retreat makes the backward search one step longer. If it meets the forward
// one, it returns the point.
func (s *search) retreat() (x, diagonal int, met bool) {
	s.widen(&s.b, s.backward, math.MaxInt32)
	old, new, furthest, x0, y0 := s.old, s.new, s.backward, s.x0, s.y0
	even := (s.f.middle-s.b.middle)&1 == 0
	for d := s.b.high; d >= s.b.low; d -= 2 {
		around := furthest[d-1+s.origin : d+2+s.origin : d+2+s.origin]
		x := int(min(around[0], around[2]-1))
		from, y := x, x-d
		for x > x0 && y > y0 && old[x-1] == new[y-1] {
			x--
			y--
		}
		if from-x > longSnake {
			s.snake = true
		}
		around[1] = int32(x)
		if even && s.f.low <= d && d <= s.f.high && x <= int(s.forward[d+s.origin]) {
			return x, d, true
		}
	}
	return 0, 0, false
}
