package linediff

// goodSnake looks for a point that much progress leads to and that a long
// run of equal lines leads up to (or, from behind, away from). There the box
// is split although the path may not be the shortest.
func (s *search) goodSnake(cost int) (split, bool) {
	if x, y, ok := s.goodForward(cost); ok {
		return split{x, y, true, false}, true
	}
	if x, y, ok := s.goodBackward(cost); ok {
		return split{x, y, false, true}, true
	}
	return split{}, false
}

func (s *search) goodForward(cost int) (bestX, bestY int, ok bool) {
	best := 0
	for d := s.f.high; d >= s.f.low; d -= 2 {
		x := int(s.forward[d+s.origin])
		y := x - d
		value := x - s.x0 + y - s.y0 - distance(d, s.f.middle)
		inside := x >= s.x0+longSnake && x < s.x1 && y >= s.y0+longSnake && y < s.y1
		if value > worth*cost && value > best && inside && s.equalRun(x-longSnake, y-longSnake) {
			best, bestX, bestY = value, x, y
		}
	}
	return bestX, bestY, best > 0
}

func (s *search) goodBackward(cost int) (bestX, bestY int, ok bool) {
	best := 0
	for d := s.b.high; d >= s.b.low; d -= 2 {
		x := int(s.backward[d+s.origin])
		y := x - d
		value := s.x1 - x + s.y1 - y - distance(d, s.b.middle)
		inside := x > s.x0 && x <= s.x1-longSnake && y > s.y0 && y <= s.y1-longSnake
		if value > worth*cost && value > best && inside && s.equalRun(x, y) {
			best, bestX, bestY = value, x, y
		}
	}
	return bestX, bestY, best > 0
}

func distance(a, b int) int { return max(a-b, b-a) }

// equalRun tells whether longSnake lines from x and from y are equal.
func (s *search) equalRun(x, y int) bool {
	for i := range longSnake {
		if s.old[x+i] != s.new[y+i] {
			return false
		}
	}
	return true
}

// furthest gives up the search for the shortest path and splits the box where
// one of the two searches has come furthest.
func (s *search) furthest() split {
	forward, fx := -1, 0
	for d := s.f.high; d >= s.f.low; d -= 2 {
		x := min(int(s.forward[d+s.origin]), s.x1)
		if x-d > s.y1 {
			x = s.y1 + d
		}
		if sum := x + x - d; sum > forward {
			forward, fx = sum, x
		}
	}
	backward, bx := s.x1+s.y1+1, 0
	for d := s.b.high; d >= s.b.low; d -= 2 {
		x := max(int(s.backward[d+s.origin]), s.x0)
		if x-d < s.y0 {
			x = s.y0 + d
		}
		if sum := x + x - d; sum < backward {
			backward, bx = sum, x
		}
	}
	if s.x1+s.y1-backward < forward-(s.x0+s.y0) {
		return split{fx, forward - fx, true, false}
	}
	return split{bx, backward - bx, false, true}
}
