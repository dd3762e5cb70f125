package pretty

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/ingit-dev/ingit/internal/columns"
)

// wrapping is what "%w(width,first,rest)" asks for the text that follows: its
// width and how far its first line and the others are indented. The zero value
// leaves the text as it is.
type wrapping struct{ width, first, rest int }

// setWrapping reads "w(…)" and returns its length, 0 for what is none.
func (e *expansion) setWrapping(text string) int {
	inner, _, ok := strings.Cut(text[1:], ")")
	inner, opened := strings.CutPrefix(inner, "(")
	if !ok || !opened {
		return 0
	}
	var w wrapping
	rest := inner
	for i, field := range []*int{&w.width, &w.first, &w.rest} {
		if inner == "" {
			break
		}
		n, length := leadingNumber(rest)
		if n < 0 || n > formattingLimit {
			return 0
		}
		*field, rest = n, rest[length:]
		if !strings.HasPrefix(rest, ",") || i == 2 {
			break
		}
		rest = rest[1:]
	}
	if rest != "" {
		return 0
	}
	e.rewrap(w)
	return len("w()") + len(inner)
}

// rewrap wraps the text since the last change of the wrapping, and goes on with
// another.
func (e *expansion) rewrap(next wrapping) {
	if next == e.wrap {
		return
	}
	if e.wrapFrom < len(e.out) {
		tail := string(e.out[e.wrapFrom:])
		e.out = e.wrap.append(e.out[:e.wrapFrom:e.wrapFrom], tail)
	}
	e.wrapFrom, e.wrap = len(e.out), next
}

// append writes a text wrapped.
func (w wrapping) append(dst []byte, text string) []byte {
	if w.width == 0 {
		return w.indent(dst, text)
	}
	return (&wrapper{wrapping: w, text: text, dst: dst, indented: w.first, column: w.first, utf8: utf8.ValidString(text)}).run()
}

// indent writes a text with its lines as they are.
func (w wrapping) indent(dst []byte, text string) []byte {
	by := w.first
	for line := range strings.Lines(text) {
		dst = append(append(dst, bytes.Repeat([]byte{' '}, by)...), line...)
		by = w.rest
	}
	return dst
}

// wrapper fills lines word by word. A line break in the text counts as a space,
// unless something other than a letter or digit follows.
type wrapper struct {
	wrapping
	text     string
	dst      []byte
	utf8     bool
	begin    int  // where the line begins
	at       int  // how far it was looked at
	space    int  // the last place to break it, if there is one
	broken   bool // there is one
	indented int  // how far the line is indented
	column   int
}

func (w *wrapper) run() []byte {
	for {
		if w.at < len(w.text) && !isSpace(w.text[w.at]) {
			n, columns := w.next()
			w.at, w.column = w.at+n, w.column+columns
			continue
		}
		if w.column > w.width && w.broken {
			w.newLine()
			continue
		}
		if w.word() {
			return w.dst
		}
	}
}

// next returns the length and columns of the next character.
func (w *wrapper) next() (length, width int) {
	if !w.utf8 {
		return 1, 1
	}
	r, n := utf8.DecodeRuneInString(w.text[w.at:])
	return n, columns.Rune(r)
}

// word writes what was looked at since the last break, and the space behind it;
// it reports true at the end of the text.
func (w *wrapper) word() (end bool) {
	atEnd := w.at == len(w.text)
	if atEnd && w.at == w.begin {
		return true
	}
	from := w.space
	if !w.broken {
		from = w.begin
		w.dst = append(w.dst, bytes.Repeat([]byte{' '}, w.indented)...)
	}
	w.dst = append(w.dst, w.text[from:w.at]...)
	if atEnd {
		return true
	}
	w.space, w.broken = w.at, true
	switch w.text[w.at] {
	case '\t':
		w.column |= 7
	case '\n':
		w.space++
		next := byte(0)
		if w.space < len(w.text) {
			next = w.text[w.space]
		}
		if next == '\n' {
			w.dst = append(w.dst, '\n')
		}
		if !isAlnum(next) {
			w.newLine()
			return false
		}
		w.dst = append(w.dst, ' ')
	}
	w.column++
	w.at++
	return false
}

// newLine goes on in another line, behind the space that it takes.
func (w *wrapper) newLine() {
	w.dst = append(w.dst, '\n')
	w.begin = w.space
	if w.begin < len(w.text) && isSpace(w.text[w.begin]) {
		w.begin++
	}
	w.at, w.broken = w.begin, false
	w.indented, w.column = w.rest, w.rest
}

// isSpace is git's, which knows neither vertical tabs nor form feeds.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isAlnum(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }
