package convert

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing"
)

// collapseIdent makes "$Id$" of every "$Id: … $" on one line.
func collapseIdent(data []byte) []byte {
	if !bytes.Contains(data, []byte("$Id:")) {
		return data
	}
	out := make([]byte, 0, len(data))
	for {
		before, text, found := cutDollar(data)
		out = append(out, before...)
		if !found {
			return out
		}
		data = text
		if end := expansion(text); end >= 0 {
			out = append(out, "Id$"...)
			data = text[end+1:]
		}
	}
}

// cutDollar splits after the first dollar sign.
func cutDollar(data []byte) (before, after []byte, found bool) {
	at := bytes.IndexByte(data, '$')
	if at < 0 {
		return data, nil, false
	}
	return data[:at+1], data[at+1:], true
}

// expansion returns the position of the dollar sign that ends "Id:…$", negative when text does not begin so.
func expansion(text []byte) int {
	if !bytes.HasPrefix(text, []byte("Id:")) {
		return -1
	}
	end := bytes.IndexByte(text, '$')
	if end < 0 || bytes.IndexByte(text[:end], '\n') >= 0 {
		return -1
	}
	return end
}

// expandIdent puts the blob's id into every "$Id$" and "$Id: … $"; one with spaces inside belongs to another system and stays.
func expandIdent(data []byte, id plumbing.Hash) []byte {
	if !bytes.Contains(data, []byte("$Id")) {
		return data
	}
	expanded := "Id: " + id.String() + " $"
	out := make([]byte, 0, len(data)+2*len(expanded))
	for {
		before, text, found := cutDollar(data)
		out = append(out, before...)
		if !found {
			return out
		}
		data = text
		if bytes.HasPrefix(text, []byte("Id$")) {
			out = append(out, expanded...)
			data = text[3:]
		} else if end := expansion(text); end >= 0 && !foreign(text[3:end]) {
			out = append(out, expanded...)
			data = text[end+1:]
		}
	}
}

// streamIdent is expandIdent as git does it while it writes a file piece by piece, which is what a checkout does where nothing but
// ident and a stated line end is to be done. It differs in odd cases: a dollar sign right after another, or after what
// was no keyword, begins none, and text before a keyword can be lost.
func streamIdent(data []byte, id plumbing.Hash) []byte {
	const head = "$Id\x00" // the NUL is taken for part of the keyword
	expanded := ": " + id.String() + " $"
	out := make([]byte, 0, len(data)+2*len(expanded))
	var held []byte // not written yet
	state, inside := 0, false
	write := func() { out, held, state, inside = append(out, held...), held[:0], 0, false }
	for _, c := range data {
		if !inside && state < len(head) && head[state] == c {
			state++
			continue
		}
		if !inside {
			held = append(held, head[:state]...)
		}
		switch {
		case inside && c == '$':
			if held = append(held, c); !foreignHeld(held) {
				held = append(held[:3], expanded...)
			}
			write()
		case inside && c != '\n':
			held = append(held, c)
		case !inside && state == 3 && c == '$':
			held = append(held, expanded...)
			write()
		case !inside && state == 3:
			held = append(held, c)
			state, inside = 0, c == ':'
		default:
			held = append(held, c)
			write()
		}
	}
	if !inside {
		held = append(held, head[:state]...)
	}
	return append(out, held...)
}

// foreignHeld reports an expansion with a space that is not the last before the dollar sign.
func foreignHeld(held []byte) bool {
	text, ok := bytes.CutPrefix(held, []byte("$Id: "))
	if !ok {
		return false
	}
	text, _, _ = bytes.Cut(text, []byte{0})
	for i, c := range text {
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r') && (i+1 == len(text) || text[i+1] != '$') {
			return true
		}
	}
	return false
}

// foreign reports a space that is neither first nor last.
func foreign(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	space := bytes.IndexByte(text[1:], ' ')
	return space >= 0 && space+1 < len(text)-1
}
