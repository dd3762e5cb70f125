package diffrender

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// Merge is a path whose result is compared with several parents.
type Merge struct {
	Path    string
	Mode    uint32 // of the result; 0 when it is deleted
	ID      Hash   // of the result; zero for a work tree file
	Data    []byte
	Parents []MergeParent
	Driver  *Driver // nil is the default one

	// WorkTree says that the result is a work tree file: it is shown even
	// if it is the same as one of the parents.
	WorkTree bool
	Folder   bool // the path is a folder there, which shows as an empty file
}

// MergeParent is the state of the path in one parent.
type MergeParent struct {
	Kind reader.Kind // of the change from this parent to the result
	Mode uint32      // 0 when the parent lacks the path
	ID   Hash
	Data []byte
}

// maxParents is how many parents the bits of a mask can tell apart.
const maxParents = 62

// TooManyParentsError says that a merge has more parents than a combined diff
// can show.
type TooManyParentsError struct{ Parents int }

// Error names the number.
func (e *TooManyParentsError) Error() string {
	return fmt.Sprintf("a combined diff shows at most %d parents, not %d", maxParents, e.Parents)
}

// Combined writes m as git diff --cc: the hunks in which the result differs
// from every parent (git-diff-tree(1), "Combined diff format").
func (p *Printer) Combined(m *Merge) error {
	if len(m.Parents) > maxParents {
		return &TooManyParentsError{len(m.Parents)}
	}
	defer p.room()
	if m.binary() {
		p.combinedHeader(m, false)
		p.text("Binary files differ\n")
		return p.err
	}
	c := &p.combined
	c.reset(m, p.opts.context())
	for i := range m.Parents {
		if !c.reuse(m, i) {
			if err := c.compare(p, m, i); err != nil {
				return err
			}
		}
	}
	if c.choose() || m.modesDiffer() || m.WorkTree {
		p.combinedHeader(m, true)
		if m.Mode != 0 || !m.WorkTree || m.Folder {
			c.print(p)
		}
	}
	return p.err
}

func (m *Merge) binary() bool {
	if m.Driver != nil && m.Driver.Binary != Auto {
		return m.Driver.Binary == Yes
	}
	binary := isBinary(nil, m.Data, false)
	for i := range m.Parents {
		binary = binary || isBinary(nil, m.Parents[i].Data, false)
	}
	return binary
}

func (m *Merge) modesDiffer() bool {
	for i := range m.Parents {
		if m.Parents[i].Mode != m.Mode {
			return true
		}
	}
	return false
}

// added tells whether no parent had the path.
func (m *Merge) added() bool {
	for i := range m.Parents {
		if m.Parents[i].Kind != reader.Added {
			return false
		}
	}
	return m.Mode != 0
}

// combinedHeader prints the lines before the hunks.
func (p *Printer) combinedHeader(m *Merge, names bool) {
	p.text("diff --cc ", p.opts.fullName("", m.Path), "\nindex ")
	for i := range m.Parents {
		if i > 0 {
			p.text(",")
		}
		p.text(p.opts.abbreviate(m.Parents[i].ID))
	}
	p.text("..", p.opts.abbreviate(m.ID), "\n")
	added := m.modesDiffer() && m.added()
	deleted := m.modesDiffer() && m.Mode == 0
	switch {
	case added:
		p.buf = fmt.Appendf(p.buf, "new file mode %06o\n", m.Mode)
	case m.modesDiffer():
		p.combinedModes(m)
	}
	if !names {
		return
	}
	oldPrefix, newPrefix := p.opts.Prefix.sides()
	old, new := p.opts.fullName(oldPrefix, m.Path), p.opts.fullName(newPrefix, m.Path)
	if added {
		old = devNull
	}
	if deleted {
		new = devNull
	}
	p.text("--- ", old, "\n+++ ", new, "\n")
}

func (p *Printer) combinedModes(m *Merge) {
	if m.Mode == 0 {
		p.text("deleted file ")
	}
	p.text("mode ")
	for i := range m.Parents {
		if i > 0 {
			p.text(",")
		}
		p.buf = fmt.Appendf(p.buf, "%06o", m.Parents[i].Mode)
	}
	if m.Mode != 0 {
		p.buf = fmt.Appendf(p.buf, "..%06o", m.Mode)
	}
	p.text("\n")
}

// combined is the comparison of one result with its parents. Its memory is
// reused from one result to the next.
type combined struct {
	data    []byte // of the result
	count   int    // lines of the result
	parents int
	context int
	all     uint64 // the bits of all parents

	// By line of the result, and one more for what is lost at its end.
	added []uint64 // the parents that lack the line
	shown []bool
	bare  []bool // shown as context, without the lines lost before it

	lost    map[int][]lostLine  // by the line of the result that they were lost before
	changes [][]linediff.Change // from each parent
}

// lostLine is a line of some parents that the result lacks.
type lostLine struct {
	text    []byte // without its line feed
	parents uint64
}

// reset begins with another result.
func (c *combined) reset(m *Merge, context int) {
	c.data, c.count, c.parents = m.Data, bytes.Count(m.Data, []byte("\n")), len(m.Parents)
	if n := len(m.Data); n > 0 && m.Data[n-1] != '\n' {
		c.count++
	}
	c.context, c.all = context, 1<<len(m.Parents)-1
	c.added = zeroed(c.added, c.count+1)
	c.shown, c.bare = zeroed(c.shown, c.count+1), zeroed(c.bare, c.count+1)
	c.lost, c.changes = map[int][]lostLine{}, nil
}

// zeroed returns n zero values, in the memory of s if it is enough.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// reuse copies what is known of an earlier parent with the same content.
func (c *combined) reuse(m *Merge, parent int) bool {
	same := -1
	for j := range parent {
		if m.Parents[j].ID == m.Parents[parent].ID {
			same = j
			break
		}
	}
	if same < 0 {
		return false
	}
	from, to := uint64(1)<<same, uint64(1)<<parent
	c.changes = append(c.changes, c.changes[same])
	for _, change := range c.changes[same] {
		for i := range change.NewCount {
			c.added[change.NewStart+i] |= to
		}
		lost := c.lost[change.NewStart]
		for k := range lost {
			if lost[k].parents&from != 0 {
				lost[k].parents |= to
			}
		}
	}
	return true
}

// compare takes the changes from one parent to the result in.
func (c *combined) compare(p *Printer, m *Merge, parent int) error {
	data := m.Parents[parent].Data
	if len(data) > linediff.MaxSize || len(m.Data) > linediff.MaxSize {
		return &SizeError{m.Path}
	}
	bit := uint64(1) << parent
	opts := p.lineOptions()
	opts.ZeroContext = true
	changes := slices.Clone(p.differ.Diff(data, m.Data, opts))
	if p.err != nil {
		return p.err
	}
	c.changes = append(c.changes, changes)
	for _, change := range changes {
		for i := range change.NewCount {
			c.added[change.NewStart+i] |= bit
		}
		if change.OldCount == 0 {
			continue
		}
		own := make([]lostLine, change.OldCount)
		for i := range own {
			own[i] = lostLine{bytes.TrimSuffix(p.differ.Old.Line(change.OldStart+i), []byte("\n")), bit}
		}
		c.lost[change.NewStart] = coalesce(c.lost[change.NewStart], own, bit, p.opts.Whitespace)
	}
	return nil
}

// coalesce merges the lines that one more parent lost into those that others
// lost at the same place: a longest common subsequence is shared.
func coalesce(base, own []lostLine, bit uint64, w linediff.Whitespace) []lostLine {
	if len(base) == 0 {
		return own
	}
	const match, ofOwn, ofBase = 0, 1, 2
	steps := make([][]uint8, len(base)+1)
	row, above := make([]int, len(own)+1), make([]int, len(own)+1)
	for i := range steps {
		steps[i] = make([]uint8, len(own)+1)
		steps[i][0] = ofBase
	}
	for j := 1; j <= len(own); j++ {
		steps[0][j] = ofOwn
	}
	for i := 1; i <= len(base); i++ {
		row, above = above, row
		row[0] = 0
		for j := 1; j <= len(own); j++ {
			switch {
			case sameLost(base[i-1].text, own[j-1].text, w):
				row[j], steps[i][j] = above[j-1]+1, match
			case row[j-1] >= above[j]:
				row[j], steps[i][j] = row[j-1], ofOwn
			default:
				row[j], steps[i][j] = above[j], ofBase
			}
		}
	}
	merged := make([]lostLine, 0, len(base)+len(own))
	for i, j := len(base), len(own); i > 0 || j > 0; {
		switch steps[i][j] {
		case match:
			base[i-1].parents |= bit
			merged = append(merged, base[i-1])
			i, j = i-1, j-1
		case ofOwn:
			merged = append(merged, own[j-1])
			j--
		default:
			merged = append(merged, base[i-1])
			i--
		}
	}
	for i, j := 0, len(merged)-1; i < j; i, j = i+1, j-1 {
		merged[i], merged[j] = merged[j], merged[i]
	}
	return merged
}

// sameLost compares two lines that different parents lost. Git does it from the
// end and, unlike the line diff, tells different white space at the very start
// apart.
func sameLost(a, b []byte, w linediff.Whitespace) bool {
	if w != 0 {
		a, b = trimSpace(a), trimSpace(b)
	}
	if w&(linediff.IgnoreAll|linediff.IgnoreChange) == 0 {
		return bytes.Equal(a, b)
	}
	for len(a) > 0 && len(b) > 0 {
		spaceA, spaceB := isSpace(a[len(a)-1]), isSpace(b[len(b)-1])
		if w&linediff.IgnoreChange != 0 && spaceA != spaceB {
			return false
		}
		if spaceA || spaceB {
			a, b = trimSpaceToFirst(a), trimSpaceToFirst(b)
		}
		if a[len(a)-1] != b[len(b)-1] {
			return false
		}
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if w&linediff.IgnoreAll != 0 {
		a, b = trimSpace(a), trimSpace(b)
	}
	return len(a) == 0 && len(b) == 0
}

// trimSpace cuts white space off the end of line.
func trimSpace(line []byte) []byte {
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}

// trimSpaceToFirst is trimSpace, but leaves the first byte.
func trimSpaceToFirst(line []byte) []byte {
	for len(line) > 1 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}
