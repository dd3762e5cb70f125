package pretty

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
)

// expansion is a commit that placeholders are replaced for (git-log(1), "PRETTY
// FORMATS").
type expansion struct {
	Printer
	id        plumbing.Hash
	parents   []plumbing.Hash
	tree      plumbing.Hash
	signed    bool
	author    []byte
	committer []byte
	header

	out      []byte   // what is printed of the commit
	pad      padding  // of the next placeholder
	wrap     wrapping // of what is printed from wrapFrom on
	wrapFrom int
}

// appendUser prints a commit by the placeholders of the format. They are
// replaced in UTF-8, and the whole is converted to the output's encoding.
func (m Printer) appendUser(dst []byte, id plumbing.Hash, parents []plumbing.Hash, data []byte) ([]byte, error) {
	if own := string(scan(data).encoding); !isUTF8(own) {
		data, _ = recode(data, own, "")
	}
	e := expansion{Printer: m, id: id, parents: parents, header: scan(data)}
	for line := range bytes.Lines(data) {
		line = trimFeed(line)
		if len(line) == 0 {
			break
		}
		if tree, ok := bytes.CutPrefix(line, []byte("tree ")); ok {
			e.tree = plumbing.NewHash(string(tree))
		} else if person, ok := bytes.CutPrefix(line, authorKey); ok {
			e.author = person
		} else if person, ok := bytes.CutPrefix(line, committerKey); ok {
			e.committer = person
		}
		e.signed = e.signed || bytes.HasPrefix(line, []byte("gpgsig "))
	}
	start := len(dst)
	dst, err := e.expand(dst)
	if err == nil && !isUTF8(m.Encoding) {
		if out, ok := recode(dst[start:], "", m.Encoding); ok {
			dst = append(dst[:start], out...)
		}
	}
	return dst, err
}

// expand prints the format's text.
func (e *expansion) expand(dst []byte) ([]byte, error) {
	text := e.Format.Text
	for {
		before, after, found := strings.Cut(text, "%")
		e.out = append(e.out, before...)
		if !found {
			e.rewrap(wrapping{})
			return append(dst, e.out...), nil
		}
		length := 0
		if strings.HasPrefix(after, "%") {
			length = 1
			e.out = append(e.out, '%')
		} else if n, err := e.item(after); err != nil {
			return dst, err
		} else if length = n; n == 0 {
			e.out = append(e.out, '%')
		}
		text = after[length:]
	}
}

// item prints what stands behind a '%' and returns its length, 0 where it means
// nothing. A sign says what to do about the place before the value, depending
// on whether there is one.
func (e *expansion) item(text string) (length int, err error) {
	sign, start := byte(0), len(e.out)
	if text != "" && strings.IndexByte("+- ", text[0]) >= 0 {
		sign, text = text[0], text[1:]
		if strings.HasPrefix(text, "w") {
			return 0, nil // it changes what is printed already
		}
	}
	if e.pad.side == noPadding {
		length, err = e.one(text)
	} else {
		length, err = e.padded(text)
	}
	if sign == 0 || err != nil {
		return length, err
	}
	switch {
	case len(e.out) <= start && sign == '-':
		e.out = bytes.TrimRight(e.out, "\n")
	case len(e.out) > start && sign == '+':
		e.out = slices.Insert(e.out, start, '\n')
	case len(e.out) > start && sign == ' ':
		e.out = slices.Insert(e.out, start, ' ')
	}
	return length + 1, nil
}

// one prints one placeholder, without a sign and as wide as it is.
func (e *expansion) one(text string) (length int, err error) {
	switch {
	case strings.HasPrefix(text, "<"), strings.HasPrefix(text, ">"):
		return e.setPadding(text), nil
	case strings.HasPrefix(text, "w"):
		return e.setWrapping(text), nil
	}
	value, length, err := e.value(text)
	e.out = append(e.out, value...)
	return length, err
}

// value returns what the placeholder at the head of text stands for and how
// long it is; no length for a text that is none.
func (e *expansion) value(text string) (value []byte, length int, err error) {
	if text == "" {
		return nil, 0, nil
	}
	switch text[0] {
	case 'n':
		return []byte{'\n'}, 1, nil
	case 'x':
		if len(text) < 3 {
			return nil, 0, nil
		}
		c, err := strconv.ParseUint(text[1:3], 16, 8)
		if err != nil {
			return nil, 0, nil
		}
		return []byte{byte(c)}, 3, nil
	case 'C':
		return e.colour(text)
	case 'a', 'c':
		return e.personal(text)
	case 'G':
		return e.signature(text)
	case 'S':
		return []byte(e.Source), 1, nil
	case '(':
		return nil, 0, unbuilt(text)
	case 'g':
		if len(text) > 1 && strings.IndexByte("dDsnNeE", text[1]) >= 0 {
			return nil, 2, nil
		}
		return nil, 0, nil
	}
	value, known, err := e.simple(text[0])
	if !known {
		return nil, 0, err
	}
	return value, 1, err
}

// unbuilt is the error of a placeholder that ingit doesn't have; nil where git
// has none either.
func unbuilt(text string) error {
	for _, head := range []string{"(trailers", "(describe"} {
		if strings.HasPrefix(text, head) {
			return &UnbuiltError{"with the placeholder %" + head}
		}
	}
	return nil
}

// simple returns what a placeholder of one letter stands for.
func (e *expansion) simple(letter byte) (value []byte, known bool, err error) {
	switch letter {
	case 'H':
		return object.AppendID(nil, e.id), true, nil
	case 'h':
		return []byte(e.Abbrev(e.id)), true, nil
	case 'T':
		return object.AppendID(nil, e.tree), true, nil
	case 't':
		return []byte(e.Abbrev(e.tree)), true, nil
	case 'P', 'p':
		for i, parent := range e.parents {
			if i > 0 {
				value = append(value, ' ')
			}
			if letter == 'P' {
				value = object.AppendID(value, parent)
			} else {
				value = append(value, e.Abbrev(parent)...)
			}
		}
	case 'm':
		value = []byte(">")
	case 'd', 'D':
		value, err = e.refs(letter == 'd')
	case 'e':
		value = e.encoding
	case 's':
		value = AppendSubject(nil, e.message, " ")
	case 'f':
		line, _, _ := bytes.Cut(skipBlank(e.message), []byte("\n"))
		value = fileName(line)
	case 'b':
		value = body(e.message)
	case 'B':
		value = e.message
	case 'N':
		value, err = e.notes()
	default:
		return nil, false, nil
	}
	return value, true, err
}

// signature tells of a commit's signature: that there is none, or that it was
// not checked.
func (e *expansion) signature(text string) ([]byte, int, error) {
	if len(text) < 2 || strings.IndexByte("G?SKFPT", text[1]) < 0 {
		return nil, 0, nil
	}
	switch {
	case text[1] == '?' && e.signed:
		return []byte("E"), 2, nil
	case text[1] == '?':
		return []byte("N"), 2, nil
	case text[1] == 'T':
		return []byte("undefined"), 2, nil
	}
	return nil, 2, nil
}

func (e *expansion) refs(bracketed bool) ([]byte, error) {
	if e.Refs == nil {
		return nil, nil
	}
	text, err := e.Refs(e.id)
	if !bracketed {
		text = strings.TrimSuffix(strings.TrimPrefix(text, " ("), ")")
	}
	return []byte(text), err
}

func (e *expansion) notes() ([]byte, error) {
	if e.Notes == nil {
		return nil, nil
	}
	text, err := e.Notes(e.id)
	return []byte(text), err
}

// colour takes a colour, of which nothing is printed.
func (e *expansion) colour(text string) ([]byte, int, error) {
	if strings.HasPrefix(text, "C(") {
		end := strings.IndexByte(text, ')')
		if strings.HasPrefix(text, "C(always,") {
			return nil, 0, &UnbuiltError{"with the placeholder %C(always,"}
		}
		return nil, end + 1, nil
	}
	for _, name := range []string{"red", "green", "blue", "reset"} {
		if strings.HasPrefix(text[1:], name) {
			return nil, 1 + len(name), nil
		}
	}
	return nil, 0, nil
}

// personal returns a part of the author or committer.
func (e *expansion) personal(text string) ([]byte, int, error) {
	if len(text) < 2 || strings.IndexByte("nNeElLdDritsIh", text[1]) < 0 {
		return nil, 0, nil
	}
	line := e.author
	if text[0] == 'c' {
		line = e.committer
	}
	ident, ok := object.SplitIdent(line)
	if !ok && strings.IndexByte("nedDtri", text[1]) < 0 { // git then takes only its oldest letters
		return nil, 0, nil
	}
	if !ok {
		return nil, 2, nil
	}
	name, email := ident.Name, ident.Email
	if e.Names != nil && strings.IndexByte("NEL", text[1]) >= 0 {
		name, email = e.Names.Lookup(name, email)
	}
	switch text[1] {
	case 'n', 'N':
		return name, 2, nil
	case 'e', 'E':
		return email, 2, nil
	case 'l', 'L':
		local, _, _ := bytes.Cut(email, []byte("@"))
		return local, 2, nil
	}
	if ident.Date == nil {
		return nil, 2, nil
	}
	value, err := e.date(text[1], ident)
	return value, 2, err
}

// date prints the moment of a person as the letter says.
func (e *expansion) date(letter byte, ident object.Ident) ([]byte, error) {
	when, zone := Moment(ident)
	if letter == 't' {
		return ident.Date, nil
	}
	dates := e.Dates
	if letter != 'd' {
		dates.Local = false
		dates.Format = map[byte]DateFormat{'D': DateRFC, 'r': DateRelative, 'i': DateISO, 'I': DateISOStrict, 's': DateShort, 'h': DateHuman}[letter]
	}
	return dates.Append(nil, when, zone)
}

// body returns what follows a message's subject and the blank lines behind it.
func body(message []byte) []byte {
	message = skipBlank(message)
	for len(message) > 0 {
		line, rest, _ := bytes.Cut(message, []byte("\n"))
		if len(trimRight(line)) == 0 {
			break
		}
		message = rest
	}
	return skipBlank(message)
}

// skipBlank cuts blank lines off the head of text.
func skipBlank(text []byte) []byte {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(trimRight(line)) > 0 {
			break
		}
		text = rest
	}
	return text
}

// fileName makes a subject fit for a file's name: letters, digits, dots and
// underscores stay, what is between them becomes a dash.
func fileName(subject []byte) []byte {
	var name []byte
	gap := false
	for i, c := range subject {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_'
		if !letter {
			gap = true
			continue
		}
		if c == '.' && i+1 < len(subject) && subject[i+1] == '.' {
			continue // of several dots the last stays
		}
		if gap && len(name) > 0 {
			name = append(name, '-')
		}
		gap = false
		name = append(name, c)
	}
	return bytes.TrimRight(name, ".-")
}
