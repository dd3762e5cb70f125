package pretty

import (
	"bytes"
	"encoding/hex"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/columns"
	"github.com/ingit-dev/ingit/internal/mailmap"
	"github.com/ingit-dev/ingit/internal/object"
)

// Medium prints commits in git's default format. The zero value prints dates
// in the default format and texts in UTF-8, and knows no other names.
type Medium struct {
	Dates    Dates
	Encoding string       // as in Line
	Names    *mailmap.Map // nil: none
	Abbrev   func(id plumbing.Hash) string

	ShortID  bool                          // log.abbrevCommit
	Decorate func(id plumbing.Hash) string // what follows the id; nil: nothing
}

// indent stands before each line of a message, and tabs in it lead to columns
// that are multiples of tabWidth (git-log(1), --expand-tabs).
const (
	indent   = "    "
	tabWidth = 8
)

// Append prints the commit id with the raw object data: its header, an empty
// line and its message, ending in a newline. parents are those that a merge
// lists.
func (m Medium) Append(dst []byte, id plumbing.Hash, parents []plumbing.Hash, data []byte) ([]byte, error) {
	dst = append(m.appendID(append(dst, "commit "...), id), '\n')
	if len(parents) > 1 {
		dst = append(dst, "Merge:"...)
		for _, parent := range parents {
			dst = append(append(dst, ' '), m.Abbrev(parent)...)
		}
		dst = append(dst, '\n')
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		data = data[:i]
	}
	c := scan(m.recoded(data))
	start := len(dst)
	dst, err := m.appendPerson(dst, "Author: ", c.author)
	if err != nil {
		return dst, err
	}
	dst = appendMessage(append(dst, '\n'), c.message)
	return append(dst[:start+len(trimRight(dst[start:]))], '\n'), nil
}

func (m Medium) appendID(dst []byte, id plumbing.Hash) []byte {
	if m.ShortID {
		dst = append(dst, m.Abbrev(id)...)
	} else {
		dst = hex.AppendEncode(dst, id[:])
	}
	if m.Decorate != nil {
		dst = append(dst, m.Decorate(id)...)
	}
	return dst
}

// recoded converts a commit to the output's encoding. Where that can't be done
// it stays as it is.
func (m Medium) recoded(data []byte) []byte {
	from := string(scan(data).encoding)
	if isUTF8(from) && isUTF8(m.Encoding) {
		return data
	}
	if out, ok := recode(data, from, m.Encoding); ok {
		return out
	}
	return data
}

// AppendTagger prints the lines for the person of an annotated tag, under the
// name that the tag has.
func (m Medium) AppendTagger(dst, ident []byte) ([]byte, error) {
	m.Names = nil
	return m.appendPerson(dst, "Tagger: ", ident)
}

// appendPerson prints a person and the date. What is no ident prints nothing.
func (m Medium) appendPerson(dst []byte, label string, line []byte) ([]byte, error) {
	ident, ok := object.SplitIdent(line)
	if !ok {
		return dst, nil
	}
	name, email := ident.Name, ident.Email
	if m.Names != nil {
		name, email = m.Names.Lookup(name, email)
	}
	dst = append(append(dst, label...), name...)
	dst = append(append(append(dst, " <"...), email...), ">\nDate:   "...)
	when, zone := Moment(ident)
	dst, err := m.Dates.Append(dst, when, zone)
	return append(dst, '\n'), err
}

// appendMessage prints a message's lines indented, without leading blank ones.
func appendMessage(dst, message []byte) []byte {
	first := true
	for line := range bytes.Lines(message) {
		line = trimRight(line)
		if first && len(line) == 0 {
			continue
		}
		first = false
		dst = append(appendExpanded(append(dst, indent...), line), '\n')
	}
	return dst
}

// appendExpanded prints a line with spaces for tabs. After a text whose width
// is not certain tabs stay.
func appendExpanded(dst, line []byte) []byte {
	for {
		before, after, found := bytes.Cut(line, []byte{'\t'})
		width := certainWidth(before)
		if !found || width < 0 {
			return append(dst, line...)
		}
		dst = append(dst, before...)
		for range tabWidth - width%tabWidth {
			dst = append(dst, ' ')
		}
		line = after
	}
}

// certainWidth returns the columns that the text takes, -1 when it is not
// UTF-8 or holds control characters.
func certainWidth(text []byte) int {
	total := 0
	for len(text) > 0 {
		if text[0] >= ' ' && text[0] < 0x7f {
			total, text = total+1, text[1:]
			continue
		}
		r, n := decodeRune(text)
		w := columns.Rune(r)
		if n == 0 || w < 0 {
			return -1
		}
		total, text = total+w, text[n:]
	}
	return total
}

// decodeRune returns the first character and its length, 0 where there is none.
func decodeRune(text []byte) (r rune, n int) {
	if r, n = utf8.DecodeRune(text); r == utf8.RuneError && n <= 1 {
		return r, 0
	}
	return r, n
}
