package tools

import "io"

// flushAt is how much text an operation gathers before it writes.
const flushAt = 16 << 10

// buffer gathers an answer's text in pieces worth writing.
type buffer struct {
	to   io.Writer
	text []byte // append to it, then call flushFull
}

// flushFull writes the text when there is enough of it.
func (b *buffer) flushFull() error {
	if len(b.text) < flushAt {
		return nil
	}
	return b.flush()
}

// flush writes the text.
func (b *buffer) flush() error {
	if len(b.text) == 0 {
		return nil
	}
	_, err := b.to.Write(b.text)
	b.text = b.text[:0]
	return err
}
