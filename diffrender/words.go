package diffrender

import (
	"bytes"
	"regexp"

	"github.com/ingit-dev/ingit/internal/linediff"
)

// WordDiff says how changed words are marked within lines (git-diff(1),
// --word-diff). The zero value shows whole lines.
type WordDiff uint8

// The formats of --word-diff.
const (
	Lines          WordDiff = iota
	PlainWords              // [-removed-] and {+added+}
	PorcelainWords          // each run on a line of its own, "~" for a line end
)

// wordStyle is how runs of words are printed.
type wordStyle struct {
	old, new, same [2]string // before and after the text
	newline        string
}

var wordStyles = map[WordDiff]wordStyle{
	PlainWords:     {[2]string{"[-", "-]"}, [2]string{"{+", "+}"}, [2]string{}, "\n"},
	PorcelainWords: {[2]string{"-", "\n"}, [2]string{"+", "\n"}, [2]string{" ", "\n"}, "~\n"},
}

// wordDiffer compares the words of two runs of lines.
type wordDiffer struct {
	differ   linediff.Differ
	word     *regexp.Regexp
	style    wordStyle
	old, new wordText
}

// wordText is a run of lines with the places of its words.
type wordText struct {
	text  []byte
	words [][2]int // begin and end; the first is an empty word at the start
	list  []byte   // the words, one a line
}

// wordHunk prints the lines of h with marks at words.
func (p *Printer) wordHunk(h linediff.Hunk, old, new *linediff.Lines) {
	at := h.NewStart
	for i, c := range h.Changes {
		p.wordContext(new, at, contextEnd(h, i, at))
		p.words.old.take(old, c.OldStart, c.OldStart+c.OldCount)
		p.words.new.take(new, c.NewStart, c.NewStart+c.NewCount)
		p.changedWords()
		at = c.NewStart + c.NewCount
	}
	p.wordContext(new, at, h.NewEnd)
}

// take copies lines; one without line feed gets one.
func (t *wordText) take(lines *linediff.Lines, from, to int) {
	t.text = append(t.text[:0], lines.Range(from, to)...)
	if from < to && t.text[len(t.text)-1] != '\n' {
		t.text = append(t.text, '\n')
	}
}

// wordContext prints unchanged lines.
func (p *Printer) wordContext(lines *linediff.Lines, from, to int) {
	for i := from; i < to; i++ {
		line := trimFeed(lines.Line(i))
		switch {
		case p.opts.WordDiff == PorcelainWords && len(line) == 0 && p.opts.SuppressBlankEmpty:
			p.text("\n~\n")
		case p.opts.WordDiff == PorcelainWords:
			p.text(" ", string(line), "\n~\n")
		case len(line) > 0 || !p.opts.SuppressBlankEmpty:
			p.text(string(line), "\n")
		}
		p.room()
	}
}

func trimFeed(line []byte) []byte { return bytes.TrimSuffix(line, []byte("\n")) }

// changedWords prints the old and the new lines that were taken.
func (p *Printer) changedWords() {
	w := &p.words
	if len(w.new.text) == 0 {
		p.run(w.style.old, w.old.text)
		return
	}
	w.old.split(w.word)
	w.new.split(w.word)
	done := 0
	changes := w.differ.Diff(w.old.list, w.new.list, linediff.Options{NoIndentHeuristic: true, ZeroContext: true, Stop: p.cancelled})
	for _, c := range changes {
		oldBegin, oldEnd := w.old.place(c.OldStart, c.OldCount)
		newBegin, newEnd := w.new.place(c.NewStart, c.NewCount)
		p.run(w.style.same, w.new.text[done:newBegin])
		p.run(w.style.old, w.old.text[oldBegin:oldEnd])
		p.run(w.style.new, w.new.text[newBegin:newEnd])
		done = newEnd
	}
	p.run(w.style.same, w.new.text[done:])
}

// run prints text in a style, line by line.
func (p *Printer) run(style [2]string, text []byte) {
	for len(text) > 0 {
		line, rest, more := bytes.Cut(text, []byte("\n"))
		if len(line) > 0 {
			p.text(style[0])
			p.buf = append(p.buf, line...)
			p.text(style[1])
		}
		if more {
			p.text(p.words.style.newline)
		}
		text = rest
		p.room()
	}
}

// place returns where count words from start on begin and end in the text; of
// no words, the end of the word before.
func (t *wordText) place(start, count int) (begin, end int) {
	if count == 0 {
		return t.words[start][1], t.words[start][1]
	}
	return t.words[start+1][0], t.words[start+count][1]
}

// split finds the words.
func (t *wordText) split(word *regexp.Regexp) {
	t.words, t.list = append(t.words[:0], [2]int{}), t.list[:0]
	for at := 0; at < len(t.text); {
		begin, end, ok := nextWord(t.text, at, word)
		if !ok {
			return
		}
		t.words = append(t.words, [2]int{begin, end})
		t.list = append(append(t.list, t.text[begin:end]...), '\n')
		at = end
	}
}

// nextWord returns the first word from at on. Without an expression words are
// what white space separates. A match ends before a line feed.
func nextWord(text []byte, at int, word *regexp.Regexp) (begin, end int, ok bool) {
	if word == nil {
		for at < len(text) && isSpace(text[at]) {
			at++
		}
		for end = at; end < len(text) && !isSpace(text[end]); {
			end++
		}
		return at, end, end > at
	}
	for at < len(text) {
		match := word.FindIndex(text[at:])
		if match == nil {
			return 0, 0, false
		}
		begin, end = at+match[0], at+match[1]
		if feed := bytes.IndexByte(text[begin:end], '\n'); feed >= 0 {
			end = begin + feed
		}
		if begin < end {
			return begin, end, true
		}
		at = begin + 1
	}
	return 0, 0, false
}
