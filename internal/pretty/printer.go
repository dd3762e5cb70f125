package pretty

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/columns"
	"github.com/ingit-dev/ingit/internal/mailmap"
	"github.com/ingit-dev/ingit/internal/object"
)

// Printer prints commits in a format. The zero value, with DefaultFormat, is
// git's default: default dates, texts in UTF-8, no other names.
type Printer struct {
	Format   Format
	Dates    Dates
	Encoding string       // as in Line
	Names    *mailmap.Map // nil: none
	Abbrev   func(id plumbing.Hash) string

	ShortID  bool                          // log.abbrevCommit
	Decorate func(id plumbing.Hash) string // what follows the id; nil: nothing

	Source string // by which revision the commit was reached, of %S

	// What the placeholders %d, %D and %N ask for; nil: nothing.
	Refs  func(id plumbing.Hash) (string, error) // as Decorate has it
	Notes func(id plumbing.Hash) (string, error) // texts of all notes
}

// indent stands before each line of a message, and tabs in it lead to columns
// that are multiples of tabWidth (git-log(1), --expand-tabs).
const (
	indent   = "    "
	tabWidth = 8
)

// Append prints the commit id with the raw object data: its header, an empty
// line and its message, ending in a newline; of Oneline and User what the
// format says, without the newline that Format.Ends asks for. parents are those
// that a merge lists. Errors are *DateError and, of placeholders, *FormatError
// and *UnbuiltError.
func (m Printer) Append(dst []byte, id plumbing.Hash, parents []plumbing.Hash, data []byte) ([]byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		data = data[:i]
	}
	if m.Format.Kind == User {
		return m.appendUser(dst, id, parents, data)
	}
	data = m.recoded(data)
	c := scan(data)
	if m.Format.Kind == Oneline {
		dst = append(m.appendID(dst, id), ' ')
		return trimFrom(AppendSubject(dst, c.message, " "), len(dst)), nil
	}
	dst = append(m.appendID(append(dst, "commit "...), id), '\n')
	start := len(dst)
	dst, err := m.appendHeader(dst, parents, data)
	if err != nil {
		return dst, err
	}
	dst = m.appendMessage(append(dst, '\n'), c.message)
	return append(trimFrom(dst, start), '\n'), nil
}

// trimFrom cuts white space off the end of text, down to the given length.
func trimFrom(text []byte, least int) []byte {
	return text[:least+len(trimRight(text[least:]))]
}

// appendHeader prints what stands between the commit's id and its message.
func (m Printer) appendHeader(dst []byte, parents []plumbing.Hash, data []byte) ([]byte, error) {
	if m.Format.Kind == Raw {
		header, _, _ := bytes.Cut(data, []byte("\n\n"))
		return append(append(dst, bytes.TrimSuffix(header, []byte("\n"))...), '\n'), nil
	}
	if len(parents) > 1 {
		dst = append(dst, "Merge:"...)
		for _, parent := range parents {
			dst = append(append(dst, ' '), m.Abbrev(parent)...)
		}
		dst = append(dst, '\n')
	}
	for line := range bytes.Lines(data) {
		var err error
		if person, ok := bytes.CutPrefix(line, authorKey); ok {
			dst, err = m.appendPerson(dst, "Author", trimFeed(person))
		} else if person, ok := bytes.CutPrefix(line, committerKey); ok && (m.Format.Kind == Full || m.Format.Kind == Fuller) {
			dst, err = m.appendPerson(dst, "Commit", trimFeed(person))
		}
		if err != nil || len(line) == 1 {
			return dst, err
		}
	}
	return dst, nil
}

func trimFeed(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\n'}) }

var committerKey = []byte("committer ")

func (m Printer) appendID(dst []byte, id plumbing.Hash) []byte {
	if m.ShortID {
		dst = append(dst, m.Abbrev(id)...)
	} else {
		dst = object.AppendID(dst, id)
	}
	if m.Decorate != nil {
		dst = append(dst, m.Decorate(id)...)
	}
	return dst
}

// recoded converts a commit to the output's encoding, which its header then
// names; it names none if that is UTF-8. Where that can't be done the commit
// stays as it is.
func (m Printer) recoded(data []byte) []byte {
	c := scan(data)
	from := string(c.encoding)
	if c.encoding == nil && isUTF8(m.Encoding) {
		return data
	}
	out, ok := data, true
	if !sameEncoding(from, m.Encoding) {
		out, ok = recode(data, from, m.Encoding)
	}
	if !ok || m.Format.Kind != Raw || c.encoding == nil {
		return out
	}
	at := bytes.Index(out, []byte("\nencoding ")) + 1
	end := at + bytes.IndexByte(out[at:], '\n') + 1
	line := ""
	if !isUTF8(m.Encoding) {
		line = "encoding " + m.Encoding + "\n"
	}
	return slices.Concat(out[:at], []byte(line), out[end:])
}

// AppendTagger prints the lines for the person of an annotated tag, under the
// name that the tag has.
func (m Printer) AppendTagger(dst, ident []byte) ([]byte, error) {
	m.Names = nil
	return m.appendPerson(dst, "Tagger", ident)
}

// appendPerson prints a person and, where the format has them, the date. What
// is no ident prints nothing.
func (m Printer) appendPerson(dst []byte, label string, line []byte) ([]byte, error) {
	ident, ok := object.SplitIdent(line)
	if !ok || m.Format.Kind == Oneline {
		return dst, nil
	}
	name, email := m.person(ident)
	dst = append(append(dst, label...), ": "...)
	if m.Format.Kind == Fuller {
		dst = append(dst, indent...)
	}
	dst = append(append(append(dst, name...), " <"...), email...)
	dst = append(dst, ">\n"...)
	switch m.Format.Kind {
	case Medium:
		dst = append(dst, "Date:   "...)
	case Fuller:
		dst = append(append(dst, label...), "Date: "...)
	default:
		return dst, nil
	}
	when, zone := Moment(ident)
	dst, err := m.Dates.Append(dst, when, zone)
	return append(dst, '\n'), err
}

// person returns the name and address that a person is known by.
func (m Printer) person(ident object.Ident) (name, email []byte) {
	if m.Names == nil {
		return ident.Name, ident.Email
	}
	return m.Names.Lookup(ident.Name, ident.Email)
}

// appendMessage prints a message's lines indented, without leading blank ones;
// in the short format no more than the first paragraph.
func (m Printer) appendMessage(dst, message []byte) []byte {
	first := true
	for line := range bytes.Lines(message) {
		line = trimRight(line)
		if len(line) == 0 && first {
			continue
		}
		if len(line) == 0 && m.Format.Kind == Short {
			break
		}
		first = false
		dst = append(dst, indent...)
		if m.Format.expandTabs {
			dst = appendExpanded(dst, line)
		} else {
			dst = append(dst, line...)
		}
		dst = append(dst, '\n')
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
