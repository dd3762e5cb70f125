package columns

import (
	"fmt"
	"slices"
	"strings"
)

// Layout is how a list is laid out in columns (git-column(1), column.ui in
// git-config(1)). The zero value writes one item a line.
type Layout struct {
	On    bool // in columns
	Rows  bool // fill rows before columns
	Dense bool // columns are as wide as their own items, not all alike
}

// ParseLayout reads values of column.ui and of a command's own setting, the
// latter last, as git reads them where the output is no terminal. A value that
// is none is an error.
func ParseLayout(values ...string) (Layout, error) {
	var l Layout
	plain := false
	for _, value := range values {
		enabled, chosen := false, false
		for _, word := range strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == ',' }) {
			switch word {
			case "always", "never", "auto":
				l.On, enabled = word == "always", true
			case "plain", "column", "row":
				plain, l.Rows, chosen = word == "plain", word == "row", true
			case "dense", "nodense":
				l.Dense = word == "dense"
			default:
				return Layout{}, fmt.Errorf("unsupported option '%s'", value[strings.Index(value, word):])
			}
		}
		l.On = l.On || chosen && !enabled
	}
	l.On = l.On && !plain
	return l, nil
}

// lineWidth is git's where the output is no terminal: 80 columns and not the
// last.
const lineWidth = 79

// Append appends the items, each line behind indent, to text.
func (l Layout) Append(text []byte, items []string, indent string) []byte {
	if !l.On {
		size := 0
		for _, item := range items {
			size += len(indent) + len(item) + 1
		}
		text = slices.Grow(text, size)
		for _, item := range items {
			text = append(append(append(text, indent...), item...), '\n')
		}
		return text
	}
	t := newTable(items, len(indent), l)
	for y := range t.rows {
		text = append(text, indent...)
		for x := range t.cols {
			i := t.item(x, y)
			if i >= len(items) {
				break
			}
			text = append(text, items[i]...)
			if t.last(x, y) {
				break
			}
			for n := t.lens[i]; n < t.width(x)+1; n++ {
				text = append(text, ' ')
			}
		}
		text = append(text, '\n')
	}
	return text
}

// table places items.
type table struct {
	rows, cols int
	byRow      bool
	lens       []int // of the items, in columns of the terminal
	widest     int
	own        []int // the columns' own widths, nil when all are as wide as the widest
}

func newTable(items []string, indent int, l Layout) *table {
	t := &table{byRow: l.Rows, lens: make([]int, len(items))}
	for i, item := range items {
		t.lens[i] = Of(item)
		t.widest = max(t.widest, t.lens[i])
	}
	t.cols = max(1, (lineWidth-indent)/(t.widest+1))
	t.rows = (len(items) + t.cols - 1) / t.cols
	if l.Dense {
		t.shrink(indent)
	}
	return t
}

// shrink takes fewer rows while their columns fit the line.
func (t *table) shrink(indent int) {
	for t.rows > 1 {
		rows, cols := t.rows, t.cols
		t.rows--
		t.cols = (len(t.lens) + t.rows - 1) / t.rows
		t.measure()
		total := indent
		for _, w := range t.own {
			total += w + 1
		}
		if total > lineWidth {
			t.rows, t.cols = rows, cols
			break
		}
	}
	t.measure()
}

// measure finds the columns' own widths.
func (t *table) measure() {
	t.own = make([]int, t.cols)
	for x := range t.own {
		for y := range t.rows {
			if i := t.item(x, y); i < len(t.lens) {
				t.own[x] = max(t.own[x], t.lens[i])
			}
		}
	}
}

func (t *table) item(x, y int) int {
	if t.byRow {
		return y*t.cols + x
	}
	return x*t.rows + y
}

// last reports whether nothing follows in the row.
func (t *table) last(x, y int) bool {
	return x == t.cols-1 || t.item(x+1, y) >= len(t.lens)
}

func (t *table) width(x int) int {
	if t.own != nil {
		return t.own[x]
	}
	return t.widest
}
