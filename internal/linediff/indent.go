package linediff

import "cmp"

const (
	maxIndent = 200 // a deeper line counts as this deep
	maxBlanks = 20  // more blank lines in a row count as these
)

// splitPoint measures a place between two lines as a border of a group.
type splitPoint struct {
	atEnd       bool
	indent      int // of the line below, -1 if it is blank or absent
	blanksAbove int // directly above
	indentAbove int // of the next line above that isn't blank, or -1
	blanksBelow int // after the line below
	indentBelow int // of the next line there that isn't blank, or -1
}

// score rates a place for a group; lower is better. Indent weighs more.
type score struct{ indent, penalty int }

func (s score) add(t score) score { return score{s.indent + t.indent, s.penalty + t.penalty} }

// compare is negative if s is better than t.
func (s score) compare(t score) int {
	return 60*cmp.Compare(s.indent, t.indent) + s.penalty - t.penalty
}

// split measures the place above line at.
func (s *side) split(at int) splitPoint {
	n := len(s.changed)
	p := splitPoint{atEnd: at >= n, indent: -1, indentAbove: -1, indentBelow: -1}
	if !p.atEnd {
		p.indent = s.indent(at)
	}
	for i := at - 1; i >= 0 && p.indentAbove < 0; i-- {
		if p.indentAbove = s.indent(i); p.indentAbove >= 0 {
			break
		}
		if p.blanksAbove++; p.blanksAbove == maxBlanks {
			p.indentAbove = 0
		}
	}
	for i := at + 1; i < n && p.indentBelow < 0; i++ {
		if p.indentBelow = s.indent(i); p.indentBelow >= 0 {
			break
		}
		if p.blanksBelow++; p.blanksBelow == maxBlanks {
			p.indentBelow = 0
		}
	}
	return p
}

// indent returns the column of the first character of line i that isn't white
// space, or -1 for a blank line.
func (s *side) indent(i int) int {
	column := 0
	for _, c := range s.lines.Line(i) {
		switch {
		case !isSpace(c):
			return column
		case c == ' ':
			column++
		case c == '\t':
			column += 8 - column%8
		}
		if column >= maxIndent {
			return maxIndent
		}
	}
	return -1
}

// score rates p. The weights are git's; they were fitted to what people
// preferred in a large set of real diffs.
func (p splitPoint) score() score {
	var s score
	if p.indentAbove < 0 && p.blanksAbove == 0 {
		s.penalty++
	}
	if p.atEnd {
		s.penalty += 21
	}
	below := 0
	if p.indent < 0 {
		below = 1 + p.blanksBelow
	}
	blanks := p.blanksAbove + below
	s.penalty += 6*below - 30*blanks
	indent := p.indent
	if indent < 0 {
		indent = p.indentBelow
	}
	s.indent = indent
	if indent >= 0 && p.indentAbove >= 0 {
		s.penalty += relative(indent, p.indentAbove, p.indentBelow, blanks > 0)
	}
	return s
}

// relative is the penalty for the change of indentation at a place.
func relative(indent, above, below int, blanks bool) int {
	switch {
	case indent == above:
		return 0
	case indent > above && blanks:
		return 10
	case indent > above:
		return -4
	case blanks:
		return 17
	case below > indent:
		return 24
	default:
		return 23
	}
}
