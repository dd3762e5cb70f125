package diffrender

import (
	"bytes"
	"strconv"

	"github.com/ingit-dev/ingit/internal/linediff"
)

// choose marks the lines to show, and tells whether there are any.
func (c *combined) choose() bool {
	for i, parents := range c.added {
		c.shown[i] = parents != 0
	}
	for i := range c.lost {
		c.shown[i] = true
	}
	c.dropUninteresting()
	return c.addContext()
}

// dropUninteresting unmarks the hunks in which the result takes one of only
// two versions: there the merge decided nothing.
func (c *combined) dropUninteresting() {
	for begin := c.next(0, true); begin <= c.count; {
		end := c.hunkEnd(begin)
		if !c.interesting(begin, end) {
			for i := begin; i < end; i++ {
				c.shown[i] = false
			}
		}
		begin = c.next(end, true)
	}
}

// next returns the first line from i on that is marked, or is not; count+1 if
// there is none.
func (c *combined) next(i int, shown bool) int {
	for i <= c.count && c.shown[i] != shown {
		i++
	}
	return i
}

// hunkEnd returns the line after the hunk that begins with line begin; gaps
// within the context belong to it.
func (c *combined) hunkEnd(begin int) int {
	for i := begin + 1; i <= c.count; i++ {
		if c.shown[i] {
			continue
		}
		ahead := min(c.tail(begin, i)+c.context, c.count+1) - 1
		for ahead >= i && !c.shown[ahead] {
			ahead--
		}
		if ahead < i {
			return i
		}
		i = ahead
	}
	return c.count + 1
}

// tail returns where the context after a hunk begins, i being the first line
// behind it: a line that is only there for lines lost before it is context.
func (c *combined) tail(begin, i int) int {
	if begin+1 <= i && c.added[i-1] == 0 {
		return i - 1
	}
	return i
}

// interesting tells whether a hunk has lines that differ from other sets of
// parents than the rest, or from all.
func (c *combined) interesting(begin, end int) bool {
	same := uint64(0)
	differs := func(parents uint64) bool {
		if same == 0 {
			same = parents
		}
		return same != parents
	}
	for i := begin; i < end; i++ {
		if c.added[i] != 0 && differs(c.added[i]) {
			return true
		}
		for _, gone := range c.lost[i] {
			if differs(gone.parents) {
				return true
			}
		}
	}
	return same == c.all
}

// addContext marks the lines around those that are marked, and tells whether
// there are any.
func (c *combined) addContext() bool {
	at := c.next(0, true)
	if at > c.count {
		return false
	}
	for at <= c.count {
		for i := max(0, at-c.context); i < at; i++ {
			if !c.shown[i] {
				c.bare[i] = true
			}
			c.shown[i] = true
		}
		at = c.closeGaps(at)
	}
	return true
}

// closeGaps marks the lines between hunks that are close to each other, from
// the marked line at on, and the context behind the last of them. It returns
// the next marked line.
func (c *combined) closeGaps(at int) int {
	for {
		end := c.next(at, false)
		if end > c.count {
			return end
		}
		following := c.next(end, true)
		end = c.tail(at, end)
		if following >= end+c.context {
			c.mark(end, min(end+c.context, c.count+1))
			return following
		}
		c.mark(end, following)
		at = following
	}
}

func (c *combined) mark(from, to int) {
	for i := from; i < to; i++ {
		c.shown[i] = true
	}
}

// print writes the marked lines as hunks.
func (c *combined) print(p *Printer) {
	rest, numbers := c.data, make([]numbering, c.parents)
	for at := 0; ; {
		var comment []byte
		for ; at <= c.count && !c.shown[at]; at++ {
			text := cutLine(&rest)
			if startsFunction(text) {
				comment = text
			}
		}
		if at > c.count {
			return
		}
		end := c.next(at, false)
		c.printHeader(p, numbers, at, end, comment)
		for ; at < end; at++ {
			c.printLine(p, at, cutLine(&rest))
		}
	}
}

// cutLine takes the first line off rest and returns it without its line feed.
func cutLine(rest *[]byte) []byte {
	line, after, _ := bytes.Cut(*rest, []byte("\n"))
	*rest = after
	return line
}

// numbering counts the lines of a parent along those of the result.
type numbering struct {
	change      int // how many changes lie before
	lost, added int // lines in them
}

// to returns the number, from 1, of the parent's first line from line i of the
// result on. It is asked for in ascending order.
func (n *numbering) to(changes []linediff.Change, i int) int {
	for n.change < len(changes) && changes[n.change].NewStart+changes[n.change].NewCount < i {
		n.lost += changes[n.change].OldCount
		n.added += changes[n.change].NewCount
		n.change++
	}
	lost, added := n.lost, n.added
	if n.change < len(changes) && changes[n.change].NewStart < i {
		lost += changes[n.change].OldCount
		added += i - changes[n.change].NewStart
	}
	return 1 + i - added + lost
}

func startsFunction(line []byte) bool {
	_, ok := defaultFunction(line)
	return ok
}

// maxComment is how much of a function line is looked at.
const maxComment = 40

func (c *combined) printHeader(p *Printer, numbers []numbering, from, to int, comment []byte) {
	count, hidden := to-from, 0
	if to > c.count {
		count--
	}
	if c.context == 0 {
		for i := from; i < to; i++ {
			if c.added[i] == 0 {
				hidden++
			}
		}
	}
	marks := bytes.Repeat([]byte("@"), c.parents+1)
	p.buf = append(p.buf, marks...)
	for parent := range c.parents {
		start := numbers[parent].to(c.changes[parent], from)
		p.text(" -")
		p.number(start)
		p.text(",")
		p.unsigned(c.end(&numbers[parent], parent, to) - start - hidden)
	}
	p.text(" +")
	p.number(from + 1)
	p.text(",")
	p.unsigned(count - hidden)
	p.text(" ")
	p.buf = append(p.buf, marks...)
	if text := cutComment(comment); len(text) > 0 {
		p.text(" ")
		p.buf = append(p.buf, text...)
	}
	p.text("\n")
}

// end is the number of a parent's first line from line i of the result on;
// behind the result's end, where lines may be lost, of the line after its last.
func (c *combined) end(n *numbering, parent, i int) int {
	if i <= c.count {
		return n.to(c.changes[parent], i)
	}
	return n.to(c.changes[parent], i) - 1
}

// unsigned prints a number of lines. Without context git counts below zero
// where lines are lost at the end of the file, in unsigned arithmetic.
func (p *Printer) unsigned(n int) { p.buf = strconv.AppendUint(p.buf, uint64(n), 10) }

// cutComment shortens the function line. Git loses its last character.
func cutComment(line []byte) []byte {
	line = line[:min(len(line), maxComment)]
	if nul := bytes.IndexByte(line, 0); nul >= 0 {
		line = line[:nul]
	}
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line[:max(0, len(line)-1)]
}

// printLine prints what was lost before line i, and the line, which is text.
func (c *combined) printLine(p *Printer, i int, text []byte) {
	if !c.bare[i] {
		for _, gone := range c.lost[i] {
			p.marked(gone.parents, c.parents, '-', cutNul(gone.text))
		}
	}
	if i < c.count && (c.added[i] != 0 || c.context > 0) {
		p.marked(c.added[i], c.parents, '+', text)
	}
}

// marked prints text after a sign for each of the given parents.
func (p *Printer) marked(set uint64, parents int, sign byte, text []byte) {
	for i := range parents {
		if set&(1<<i) != 0 {
			p.buf = append(p.buf, sign)
		} else {
			p.buf = append(p.buf, ' ')
		}
	}
	end := "\n"
	if bytes.HasSuffix(text, []byte("\r")) {
		text, end = text[:len(text)-1], "\r\n"
	}
	p.buf = append(append(p.buf, cutNul(text)...), end...)
	p.room()
}

// cutNul returns text up to a NUL, where git stops printing.
func cutNul(text []byte) []byte {
	if nul := bytes.IndexByte(text, 0); nul >= 0 {
		return text[:nul]
	}
	return text
}
