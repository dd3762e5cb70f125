package diffrender

import (
	"bytes"
	"cmp"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// Unified writes d's patch to w.
func Unified(w io.Writer, d FileDiff, opts Options) error {
	p := NewPrinter(w, opts)
	p.Patch(&d)
	return p.Flush()
}

// unmergedName is the name by which git calls an unmerged path: that of the file
// that its work tree file was renamed from, if it finds one.
func (d *FileDiff) unmergedName() string {
	if d.Score > 0 {
		return d.Old.Path
	}
	return d.New.Path
}

// Patch writes d as git diff does. It returns the writer's error or, for files
// too large to compare, a *SizeError.
func (p *Printer) Patch(d *FileDiff) error {
	switch {
	case d.Kind == reader.Unmerged:
		p.text("* Unmerged path ", p.opts.relative(d.unmergedName()), "\n") // not quoted, whatever is in it
	case d.typeChanged():
		deletion, creation := d.halves()
		if err := p.patch(&deletion); err != nil {
			return err
		}
		return p.patch(&creation)
	default:
		return p.patch(d)
	}
	p.room()
	return p.err
}

// SizeError says that a file is too large to be compared line by line.
type SizeError struct{ Path string }

// Error is git's sentence.
func (e *SizeError) Error() string { return "unable to generate diff for " + e.Path }

func (p *Printer) patch(d *FileDiff) error {
	if p.showsSubmodule(d) {
		return p.submodule(d)
	}
	names := p.opts.labels(d)
	var alone bool
	p.pending, alone = p.opts.header(p.pending[:0], d, names)
	if alone {
		p.startFile()
	}
	names.old, names.new = presentOr(d.Old, names.old), presentOr(d.New, names.new)
	switch {
	case d.binary():
		if d.Old.ID != d.New.ID && !bytesKnownEqual(d) {
			p.startFile()
			p.text("Binary files ", names.old, " and ", names.new, " differ\n")
		}
	case len(d.OldData) > linediff.MaxSize || len(d.NewData) > linediff.MaxSize:
		return &SizeError{d.Old.Path}
	default:
		if err := p.hunks(d, names); err != nil {
			return err
		}
	}
	p.room()
	return p.err
}

// bytesKnownEqual tells whether both sides are here and the same.
func bytesKnownEqual(d *FileDiff) bool {
	return !d.OldBig && !d.NewBig && d.Old.Present() && d.New.Present() && bytes.Equal(d.OldData, d.NewData)
}

// startFile prints the header, if that hasn't been done.
func (p *Printer) startFile() {
	p.buf = append(p.buf, p.pending...)
	p.pending = p.pending[:0]
}

// hunks prints the line changes of d.
func (p *Printer) hunks(d *FileDiff, names labels) error {
	changes := p.differ.Diff(d.OldData, d.NewData, p.lineOptions())
	function, err := d.function()
	if len(changes) == 0 || err != nil || p.err != nil {
		return cmp.Or(err, p.err)
	}
	old, new := &p.differ.Old, &p.differ.New
	opts := linediff.HunkOptions{
		Context: p.opts.context(), InterHunk: p.opts.InterHunk,
		IgnoreBlankLines: p.opts.IgnoreBlankLines, Whitespace: p.opts.Whitespace,
	}
	if p.opts.FunctionContext {
		opts.Function = func(line []byte) bool { _, ok := function.find(line); return ok }
	}
	hunks := linediff.NewHunks(changes, old, new, opts)
	search := functionSearch{lines: old, function: function, seen: -1}
	if p.opts.WordDiff != Lines {
		p.words.style = wordStyles[p.opts.WordDiff]
		if p.words.word, err = p.opts.word(d); err != nil {
			return err
		}
	}
	first := true
	for {
		h, ok := hunks.Next()
		if !ok || p.err != nil {
			return p.err
		}
		if first {
			p.startFile()
			p.text("--- ", names.old, tabAfter(names.old), "\n+++ ", names.new, tabAfter(names.new), "\n")
			first = false
		}
		p.hunkHeader(h, search.above(h.OldStart))
		if p.opts.WordDiff != Lines {
			p.wordHunk(h, old, new)
		} else {
			p.hunk(h, old, new)
		}
	}
}

// function returns the rule for function lines: the old side's, if it has one.
func (d *FileDiff) function() (*Function, error) {
	f, err := d.OldDriver.Function()
	if f != nil || err != nil {
		return f, err
	}
	return d.NewDriver.Function()
}

// word returns what a word of d is: what was asked for, what a driver says,
// what is configured, or nil.
func (o *Options) word(d *FileDiff) (*regexp.Regexp, error) {
	if o.Word != nil {
		return o.Word, nil
	}
	for _, driver := range []*Driver{d.OldDriver, d.NewDriver} {
		if word, err := driver.Word(); word != nil || err != nil {
			return word, err
		}
	}
	return o.DefaultWord, nil
}

// tabAfter ends a name with a space in it, for the sake of patch programs.
func tabAfter(name string) string {
	if strings.Contains(name, " ") {
		return "\t"
	}
	return ""
}

// functionSearch finds the function line for one hunk after another.
type functionSearch struct {
	lines    *linediff.Lines
	function *Function
	seen     int    // lines up to this one were searched
	text     []byte // the last one found
}

// above returns the text for a hunk that begins with old line start: that of
// the nearest function line above it, or else the previous hunk's.
func (s *functionSearch) above(start int) []byte {
	for i := start - 1; i > s.seen; i-- {
		if text, ok := s.function.find(s.lines.Line(i)); ok {
			s.text = text
			break
		}
	}
	s.seen = start - 1
	return s.text
}

func (p *Printer) hunkHeader(h linediff.Hunk, function []byte) {
	p.text("@@ -")
	p.span(h.OldStart, h.OldEnd)
	p.text(" +")
	p.span(h.NewStart, h.NewEnd)
	p.text(" @@")
	if len(function) > 0 {
		p.text(" ")
		p.buf = append(p.buf, validText(function)...)
	}
	p.text("\n")
}

// validText cuts text before the first character that isn't valid in UTF-8.
func validText(text []byte) []byte {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 || r == 0xfffe || r == 0xffff {
			return text[:i]
		}
		i += n
	}
	return text
}

// span prints a range of lines, which counts from 1 and, if it is empty, names
// the line before.
func (p *Printer) span(start, end int) {
	count := end - start
	if count > 0 {
		start++
	}
	p.number(start)
	if count != 1 {
		p.text(",")
		p.number(count)
	}
}

// hunk prints the lines of h.
func (p *Printer) hunk(h linediff.Hunk, old, new *linediff.Lines) {
	at := h.NewStart
	for i, c := range h.Changes {
		p.contextLines(new, at, contextEnd(h, i, at))
		p.lines('-', old, c.OldStart, c.OldStart+c.OldCount)
		p.lines('+', new, c.NewStart, c.NewStart+c.NewCount)
		at = c.NewStart + c.NewCount
	}
	p.contextLines(new, at, h.NewEnd)
}

// contextEnd returns where the context before change i ends that begins with
// new line at. Ignored changes may have made the gaps on both sides unequal.
func contextEnd(h linediff.Hunk, i, at int) int {
	end := h.Changes[i].NewStart
	if i == 0 {
		return end
	}
	previous := h.Changes[i-1]
	return min(end, at+h.Changes[i].OldStart-previous.OldStart-previous.OldCount)
}

// contextLines prints lines that are on both sides.
func (p *Printer) contextLines(lines *linediff.Lines, from, to int) {
	if !p.opts.SuppressBlankEmpty {
		p.lines(' ', lines, from, to)
		return
	}
	for i := from; i < to; i++ {
		if line := lines.Line(i); len(line) == 1 && line[0] == '\n' {
			p.text("\n")
		} else {
			p.lines(' ', lines, i, i+1)
		}
	}
}

// lines prints lines from..to-1, each after sign.
func (p *Printer) lines(sign byte, lines *linediff.Lines, from, to int) {
	for i := from; i < to && p.err == nil; i++ {
		p.buf = append(append(p.buf, sign), lines.Line(i)...)
		p.room()
	}
	if from < to && !bytes.HasSuffix(lines.Line(to-1), []byte("\n")) {
		p.text("\n\\ No newline at end of file\n")
	}
}
