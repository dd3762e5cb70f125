package grep

import (
	"bytes"
	"context"
)

// functionLines returns the hits with their context, and before each the line
// that begins the function it is in, or the whole function (git-grep(1),
// options -p and -W).
func (m *Matcher) functionLines(ctx context.Context, text []byte, begins func(line []byte) bool) []Line {
	v := functionView{opts: &m.opts, text: splitLines(text), begins: begins}
	n := 0
	for s := m.scan(ctx, text); (m.opts.MaxCount == 0 || n < m.opts.MaxCount) && s.next(); n++ {
		v.after(s.number)
		v.before(s.number, text[s.begin:s.end])
		v.shown = append(v.shown, Line{Number: s.number, Column: s.column, Hit: true, Text: text[s.begin:s.end]})
		v.last, v.hit, v.inBody = s.number, s.number, m.opts.Functions
		s.shown = v.blocked()
	}
	v.after(len(v.text) + 1)
	return v.shown
}

// splitLines returns the lines without their newlines.
func splitLines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\n'})
}

// functionView goes over a text's lines, which are counted from 1.
type functionView struct {
	opts   *Options
	text   [][]byte
	begins func(line []byte) bool

	shown  []Line
	last   int  // the last line that was shown
	hit    int  // the last hit
	inBody bool // the function of the last hit goes on
	peeked int  // how far lines were looked at for the end of a function
}

func (v *functionView) line(n int) []byte { return v.text[n-1] }

func (v *functionView) isFunction(n int) bool { return v.begins(v.line(n)) }

func (v *functionView) isBlank(n int) bool {
	return len(bytes.Trim(v.line(n), " \t\n\v\f\r")) == 0
}

func (v *functionView) show(n int, function bool) {
	v.shown = append(v.shown, Line{Number: n, Function: function, Text: v.line(n)})
	v.last = n
}

// after shows what belongs to the last hit before line next.
func (v *functionView) after(next int) {
	if v.hit == 0 {
		return
	}
	for n := v.hit + 1; n < min(next, len(v.text)+1); n++ {
		v.leave(n)
		if v.inBody || n <= v.hit+v.opts.After {
			v.show(n, false)
		}
	}
}

// leave ends a function's body before line n, where only blank lines and then
// another function follow. Those at the end of the text are shown, as by
// git 2.39.
func (v *functionView) leave(n int) {
	if !v.inBody || v.peeked >= n {
		return
	}
	v.peeked = n
	for v.peeked <= len(v.text) && v.isBlank(v.peeked) {
		v.peeked++
	}
	v.inBody = v.peeked > len(v.text) || !v.isFunction(v.peeked)
}

// blocked returns the last line after a hit at which git does not search ahead,
// since it may have to show it.
func (v *functionView) blocked() int {
	ahead := *v
	n := v.hit
	for ahead.inBody && n < len(v.text) {
		n++
		ahead.leave(n)
	}
	return max(n, v.hit+v.opts.After)
}

// before shows what comes before a hit: with Functions from the function's
// first line on, or the comment above it if the hit is that line.
func (v *functionView) before(hit int, text []byte) {
	if v.opts.Before == 0 && !v.opts.Functions {
		v.nameFunction(hit)
		return
	}
	context := max(hit-v.opts.Before, 1, v.last+1)
	first, wantName, wantComment := context, v.opts.FunctionNames, false
	if v.opts.Functions {
		wantComment = v.begins(text)
		wantName, first = wantName || !wantComment, v.last+1
	}
	n, name := hit, 0
	for n > 1 && n > first {
		n--
		if wantComment && (v.isBlank(n) || v.isFunction(n)) {
			wantComment, first = false, context
			if n < first {
				n++
				break
			}
		}
		if wantName && v.isFunction(n) {
			name, wantName = n, false
			if v.opts.Functions {
				wantComment = true
			} else {
				first = context
			}
		}
	}
	if v.opts.FunctionNames && wantName {
		v.nameFunction(n)
	}
	for ; n < hit; n++ {
		v.show(n, n == name)
	}
}

// nameFunction shows the line that begins the function before line n, unless it
// was shown.
func (v *functionView) nameFunction(n int) {
	for n--; n > max(v.last, 0); n-- {
		if v.isFunction(n) {
			v.show(n, true)
			return
		}
	}
}
