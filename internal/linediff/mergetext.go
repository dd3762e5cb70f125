package linediff

import "bytes"

// write puts the merged text together: ours, with theirs where only they changed something, and conflicts marked.
func (m *merger) write() (merged []byte, conflicts int) {
	merged = make([]byte, 0, len(m.ours.Data)+len(m.theirs.Data)/8+64)
	at := 0 // the next line of ours
	for i := range m.pieces {
		p := &m.pieces[i]
		if p.origin == fromConflict {
			p.origin = favored(m.opts.Favor)
		}
		if p.origin == fromSame {
			continue
		}
		merged = append(merged, m.ours.Range(at, p.ours)...)
		at = p.ours + p.nOurs
		if p.origin == fromConflict {
			conflicts++
			merged = m.conflict(merged, p)
			continue
		}
		if p.origin == fromOurs || p.origin == fromBoth {
			merged = append(merged, m.ours.Range(p.ours, at)...)
		}
		if p.origin == fromBoth && p.nOurs > 0 {
			merged = endLine(merged, m.crlf(p))
		}
		if p.origin == fromTheirs || p.origin == fromBoth {
			merged = append(merged, m.theirs.Range(p.theirs, p.theirs+p.nTheirs)...)
		}
	}
	return append(merged, m.ours.Range(at, m.ours.Count())...), conflicts
}

func favored(f Favor) origin {
	switch f {
	case FavorOurs:
		return fromOurs
	case FavorTheirs:
		return fromTheirs
	case FavorUnion:
		return fromBoth
	}
	return fromConflict
}

// conflict writes both sides between markers.
func (m *merger) conflict(out []byte, p *piece) []byte {
	crlf := m.crlf(p)
	side := func(lines []byte) {
		out = append(out, lines...)
		if len(lines) > 0 {
			out = endLine(out, crlf)
		}
	}
	out = m.marker(out, '<', m.opts.Ours, crlf)
	side(m.ours.Range(p.ours, p.ours+p.nOurs))
	if m.opts.Style != MergePlain {
		out = m.marker(out, '|', m.opts.Base, crlf)
		side(m.base.Range(p.base, p.base+p.nBase))
	}
	out = m.marker(out, '=', "", crlf)
	side(m.theirs.Range(p.theirs, p.theirs+p.nTheirs))
	return m.marker(out, '>', m.opts.Theirs, crlf)
}

func (m *merger) marker(out []byte, c byte, label string, crlf bool) []byte {
	size := m.opts.MarkerSize
	if size <= 0 {
		size = 7
	}
	out = append(out, bytes.Repeat([]byte{c}, size)...)
	if label != "" {
		out = append(append(out, ' '), label...)
	}
	return appendLineEnd(out, crlf)
}

// endLine ends the last line where it lacks its end.
func endLine(out []byte, crlf bool) []byte {
	if len(out) > 0 && out[len(out)-1] == '\n' {
		return out
	}
	return appendLineEnd(out, crlf)
}

func appendLineEnd(out []byte, crlf bool) []byte {
	if crlf {
		out = append(out, '\r')
	}
	return append(out, '\n')
}

// lineEnds is how a line ends, as far as can be told.
type lineEnds uint8

const (
	endsUnknown lineEnds = iota
	endsLF
	endsCRLF
)

// crlf reports whether markers end as the lines around the conflict do on both sides, and in the base: with CR LF.
func (m *merger) crlf(p *piece) bool {
	ends := endOf(&m.ours, max(p.ours-1, 0))
	if ends != endsLF {
		ends = endOf(&m.theirs, max(p.theirs-1, 0))
	}
	if ends != endsLF {
		ends = endOf(&m.base, 0)
	}
	return ends == endsCRLF
}

func endOf(l *Lines, i int) lineEnds {
	n := l.Count()
	if n == 0 {
		return endsUnknown
	}
	line := l.Line(i)
	if i == n-1 && line[len(line)-1] != '\n' {
		if i == 0 {
			return endsUnknown
		}
		line = l.Line(i - 1)
	}
	if len(line) > 1 && line[len(line)-2] == '\r' {
		return endsCRLF
	}
	return endsLF
}
