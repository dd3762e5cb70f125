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

// foreign reports a space that is neither first nor last.
func foreign(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	space := bytes.IndexByte(text[1:], ' ')
	return space >= 0 && space+1 < len(text)-1
}
