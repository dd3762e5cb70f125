package artifacts

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash"
	"hash/fnv"
	"unicode/utf8"
)

// ErrFull is returned by Page.Write once the page is complete: whoever writes
// may stop, since nothing more can become part of this page.
var ErrFull = errors.New("page is full")

// ErrBadCursor is returned for a cursor that no page of this request returned.
var ErrBadCursor = errors.New("cursor is not one that this request returned")

// ErrChanged is returned when the text before the cursor's place is no longer
// what it was when the cursor was made.
var ErrChanged = errors.New("the answer has changed since the cursor was made: start again without it")

// Budget limits one page. A field that is zero or less sets no limit.
type Budget struct {
	Bytes int64
	Lines int64
}

// Page collects one page of the text that is written to it.
// A Page is for one goroutine.
type Page struct {
	budget Budget
	key    uint64
	skip   int64  // bytes of earlier pages still to pass over
	want   uint64 // checksum of those bytes, from the cursor
	start  int64  // where this page starts in the whole text
	before hash.Hash64
	buf    []byte
	lines  int64 // line ends in buf
	full   bool
}

// NewPage returns a page for the text of the request that key describes.
// An empty cursor starts at the beginning; any other must have come from
// Page.Cursor with the same key, else the error is ErrBadCursor.
func NewPage(budget Budget, key []byte, cursor string) (*Page, error) {
	h := fnv.New64a()
	h.Write(key)
	p := &Page{budget: budget, key: h.Sum64(), before: fnv.New64a()}
	if cursor == "" {
		return p, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) != 24 || binary.BigEndian.Uint64(raw) != p.key {
		return nil, ErrBadCursor
	}
	p.start = int64(binary.BigEndian.Uint64(raw[8:]))
	if p.start < 0 {
		return nil, ErrBadCursor
	}
	p.skip, p.want = p.start, binary.BigEndian.Uint64(raw[16:])
	return p, nil
}

// Write takes the next part of the whole text. It returns ErrFull when the
// page is complete, and ErrChanged when the text before the cursor differs.
func (p *Page) Write(b []byte) (int, error) {
	if p.full {
		return 0, ErrFull
	}
	n := len(b)
	if p.skip > 0 {
		k := min(p.skip, int64(n))
		p.before.Write(b[:k])
		p.skip -= k
		b = b[k:]
		if p.skip == 0 && p.before.Sum64() != p.want {
			return 0, ErrChanged
		}
	}
	if len(b) == 0 {
		return n, nil
	}
	from := len(p.buf)
	p.buf = append(p.buf, b...)
	if end := p.end(from); end < len(p.buf) {
		p.buf, p.full = p.buf[:end], true
		return n, ErrFull
	}
	return n, nil
}

// end returns where the page must be cut, or len(p.buf) when all of it fits.
// Bytes before from were counted by an earlier call.
func (p *Page) end(from int) int {
	end := len(p.buf)
	if p.budget.Lines > 0 {
		if i := p.lineLimit(from); i < end {
			end = i
		}
	}
	if p.budget.Bytes > 0 && int64(end) > p.budget.Bytes {
		end = cutBefore(p.buf, int(p.budget.Bytes))
	}
	return end
}

// lineLimit counts the line ends from offset from on and returns the offset
// after the last line that the budget allows.
func (p *Page) lineLimit(from int) int {
	for i := from; i < len(p.buf); {
		j := bytes.IndexByte(p.buf[i:], '\n')
		if j < 0 {
			break
		}
		i += j + 1
		if p.lines++; p.lines == p.budget.Lines {
			return i
		}
	}
	if p.lines >= p.budget.Lines {
		return from
	}
	return len(p.buf)
}

// cutBefore returns the last line end at or before limit. A first line that is
// longer than the limit is cut within, between two characters, so that a page
// is never empty.
func cutBefore(text []byte, limit int) int {
	if i := bytes.LastIndexByte(text[:limit], '\n'); i >= 0 {
		return i + 1
	}
	for i := limit; i > 0 && i > limit-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return limit
}

// Finish ends the text. It returns the page, and the cursor of the next one,
// which is empty when the text ended with this page. The error is ErrChanged
// when the text ended before the place where this page should start.
func (p *Page) Finish() (page []byte, cursor string, err error) {
	if p.skip > 0 {
		return nil, "", ErrChanged
	}
	if !p.full {
		return p.buf, "", nil
	}
	p.before.Write(p.buf)
	raw := binary.BigEndian.AppendUint64(nil, p.key)
	raw = binary.BigEndian.AppendUint64(raw, uint64(p.start+int64(len(p.buf))))
	raw = binary.BigEndian.AppendUint64(raw, p.before.Sum64())
	return p.buf, base64.RawURLEncoding.EncodeToString(raw), nil
}
