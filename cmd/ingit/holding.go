package main

import "io"

// holding keeps the beginning of an answer back, so that an answer that fails
// early prints nothing. Long answers stream.
type holding struct {
	to   io.Writer
	held [][]byte // in pieces, which never move: a page of memory touched costs as much as copying it four times
	size int
	open bool // held no more
}

const (
	holdBytes = 4 << 20  // how much of an answer is kept back
	holdPiece = 64 << 10 // in pieces of this size, but for a short one at first
)

// Write keeps or passes on the next bytes of the answer.
func (h *holding) Write(b []byte) (int, error) {
	if !h.open && h.size+len(b) <= holdBytes {
		h.keep(b)
		return len(b), nil
	}
	if err := h.flush(); err != nil {
		return 0, err
	}
	return h.to.Write(b)
}

// keep appends a copy of b.
func (h *holding) keep(b []byte) {
	if n := len(h.held); n > 0 {
		last := h.held[n-1]
		fits := min(len(b), cap(last)-len(last))
		h.held[n-1] = append(last, b[:fits]...)
		b, h.size = b[fits:], h.size+fits
	}
	if len(b) == 0 {
		return
	}
	room := len(b)
	if h.size > 0 {
		room = max(room, holdPiece)
	}
	h.held = append(h.held, append(make([]byte, 0, room), b...))
	h.size += len(b)
}

// flush passes on what was kept.
func (h *holding) flush() error {
	pieces := h.held
	h.open, h.held = true, nil
	for _, piece := range pieces {
		if _, err := h.to.Write(piece); err != nil {
			return err
		}
	}
	return nil
}
