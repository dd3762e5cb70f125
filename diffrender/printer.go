package diffrender

import (
	"context"
	"io"
	"strconv"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// flushAt is how many bytes are collected before they are written.
const flushAt = 64 << 10

// Printer writes the texts of files one after another and reuses its memory.
// It serves one goroutine.
type Printer struct {
	opts     Options
	out      io.Writer
	buf      []byte
	err      error
	differ   linediff.Differ
	pending  []byte // the header of the file, until a line follows it
	stat     statTable
	words    wordDiffer
	combined combined
	ctx      context.Context    // ends the work; nil never does
	repo     *reader.Repository // for what a change alone doesn't tell; may be nil
}

// NewPrinter returns a printer to w. Flush must be called at the end.
func NewPrinter(w io.Writer, opts Options) *Printer {
	return &Printer{opts: opts, out: w}
}

// cancelled tells whether nobody wants the text any more, and notes it.
func (p *Printer) cancelled() bool {
	if p.ctx == nil || p.ctx.Err() == nil {
		return false
	}
	if p.err == nil {
		p.err = p.ctx.Err()
	}
	return true
}

// lineOptions returns the options of the line diff, which stops with the
// context.
func (p *Printer) lineOptions() linediff.Options {
	o := p.opts.lines()
	o.Stop = p.cancelled
	return o
}

// Flush writes what has been collected, and returns the writer's first error.
func (p *Printer) Flush() error {
	if p.err == nil && len(p.buf) > 0 {
		_, p.err = p.out.Write(p.buf)
	}
	p.buf = p.buf[:0]
	return p.err
}

// room writes the buffer out when it is full.
func (p *Printer) room() {
	if len(p.buf) >= flushAt && !p.cancelled() {
		p.Flush()
	}
}

func (p *Printer) text(parts ...string) {
	for _, s := range parts {
		p.buf = append(p.buf, s...)
	}
}

func (p *Printer) number(n int) { p.buf = strconv.AppendInt(p.buf, int64(n), 10) }
