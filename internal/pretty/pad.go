package pretty

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ingit-dev/ingit/internal/columns"
)

// padding is what "%<(N)" and its kin ask for the next placeholder (git-log(1),
// "PRETTY FORMATS").
type padding struct {
	columns  int
	toColumn bool // up to a column of the line instead
	side     side
	cut      string // "trunc", "ltrunc", "mtrunc"; "": nothing is cut
}

// side is where the spaces go.
type side uint8

const (
	noPadding   side = iota
	padRight         // %<
	padLeft          // %>
	padLeftTake      // %>>, which takes spaces that stand before, too
	padBoth          // %><
)

const (
	// formattingLimit is the widest that git pads or wraps.
	formattingLimit = 16 << 10
	// terminal is how wide git takes a terminal to be when there is none.
	terminal = 80
)

// setPadding reads a padding and returns its length, 0 for what is none.
func (e *expansion) setPadding(text string) int {
	rest, p := text, padding{cut: e.pad.cut} // where the cut cannot be read, git keeps the last one
	for _, mark := range []struct {
		text string
		side side
	}{{"><", padBoth}, {">>", padLeftTake}, {">", padLeft}, {"<", padRight}} {
		if after, ok := strings.CutPrefix(text, mark.text); ok {
			rest, p.side = after, mark.side
			break
		}
	}
	rest, p.toColumn = strings.CutPrefix(rest, "|")
	rest, ok := strings.CutPrefix(rest, "(")
	end := strings.IndexAny(rest, ",)")
	if !ok || end < 1 {
		return 0
	}
	n, length := leadingNumber(rest)
	if length == 0 || n == 0 || n < -formattingLimit || n > formattingLimit {
		return 0
	}
	if n < 0 && p.toColumn {
		n += terminal
	}
	if n < 0 {
		return 0
	}
	p.columns = n
	e.pad = p
	if rest[end] == ',' {
		cut, after, ok := strings.Cut(rest[end+1:], ")")
		if !ok || cut != "trunc" && cut != "ltrunc" && cut != "mtrunc" {
			return 0
		}
		e.pad.cut = cut
		return len(text) - len(after)
	}
	e.pad.cut = ""
	return len(text) - len(rest) + end + 1
}

// leadingNumber reads a number as C's strtol does; no length where there is
// none.
func leadingNumber(text string) (n, length int) {
	end := len(text) - len(strings.TrimLeft(text, " \t\n\v\f\r"))
	if end < len(text) && (text[end] == '-' || text[end] == '+') {
		end++
	}
	digits := end
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end == digits {
		return 0, 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(text[:end]))
	if err != nil {
		n = formattingLimit + 1
	}
	return n, end
}

// padded writes what the placeholder stands for as wide as was asked for.
// Colours before it belong to it.
func (e *expansion) padded(text string) (length int, err error) {
	room := e.pad.columns
	if e.pad.toColumn {
		room -= columns.Of(string(e.out[bytes.LastIndexByte(e.out, '\n')+1:]))
	}
	before := e.out
	e.out = nil
	for {
		n, err := e.one(text)
		length += n
		if err != nil || text == "" || text[0] != 'C' || n == len(text) || text[n] != '%' {
			if err != nil {
				return length, err
			}
			break
		}
		text = text[n+1:]
		length++
	}
	value := e.out
	e.out = before
	e.place(value, room)
	e.pad.side = noPadding
	return length, nil
}

// place writes a value into so many columns.
func (e *expansion) place(value []byte, room int) {
	width := columns.Of(string(value))
	if e.pad.side == padLeftTake {
		for width > room && len(e.out) > 1 && e.out[len(e.out)-1] == ' ' {
			e.out = e.out[:len(e.out)-1]
			room++
		}
	}
	left := room - width
	if left < 0 {
		e.out = append(e.out, shortened(value, e.pad.cut, room, width)...)
		return
	}
	first := 0
	switch e.pad.side {
	case padLeft, padLeftTake:
		first = left
	case padBoth:
		first = left / 2
	}
	e.out = append(e.out, bytes.Repeat([]byte{' '}, first)...)
	e.out = append(e.out, value...)
	e.out = append(e.out, bytes.Repeat([]byte{' '}, left-first)...)
}

// shortened cuts a value that is too wide, with two dots for what is cut.
func shortened(value []byte, cut string, room, width int) []byte {
	switch cut {
	case "trunc":
		return dotted(value, room-2, width-(room-2))
	case "mtrunc":
		return dotted(value, room/2-1, width-(room-2))
	case "ltrunc":
		return dotted(value, 0, width-(room-2))
	}
	return value
}

// dotted puts two dots for so many columns from a column on. What is not UTF-8
// stays as it is.
func dotted(value []byte, from, count int) []byte {
	if !utf8.Valid(value) {
		return value
	}
	var out []byte
	at, done := 0, false
	for len(value) > 0 {
		r, n := utf8.DecodeRune(value)
		w := max(0, columns.Rune(r))
		switch {
		case w == 0 || at < from || at >= from+count:
			out = append(out, value[:n]...)
		case !done:
			out, done = append(out, ".."...), true
		}
		at += w
		value = value[n:]
	}
	return out
}
