package pretty

import (
	"bytes"
	"math"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
)

// Line prints commits in the format %H|%an|%ae|%ad|%s. The zero value prints
// dates in the default format and texts in UTF-8.
type Line struct {
	Dates    Dates
	Encoding string // i18n.logOutputEncoding, or i18n.commitEncoding; "" is UTF-8
}

// Append prints the commit id with the raw object data, without a newline at
// the end.
func (l Line) Append(dst []byte, id plumbing.Hash, data []byte) ([]byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		data = data[:i]
	}
	c := scan(data)
	if !isUTF8(string(c.encoding)) {
		if text, ok := recode(data, string(c.encoding), ""); ok {
			c = scan(text)
		}
	}
	start := len(dst)
	dst = append(object.AppendID(dst, id), '|')
	dst, err := l.appendAuthor(dst, c.author)
	if err != nil {
		return dst, err
	}
	dst = AppendSubject(append(dst, '|'), c.message, " ")
	if !isUTF8(l.Encoding) {
		if out, ok := recode(dst[start:], "", l.Encoding); ok {
			dst = append(dst[:start], out...)
		}
	}
	return dst, nil
}

func (l Line) appendAuthor(dst []byte, line []byte) ([]byte, error) {
	ident, ok := object.SplitIdent(line)
	if !ok {
		return append(dst, "||"...), nil
	}
	dst = append(append(dst, ident.Name...), '|')
	dst = append(append(dst, ident.Email...), '|')
	if ident.Date == nil {
		return dst, nil
	}
	when, zone := Moment(ident)
	return l.Dates.Append(dst, when, zone)
}

// Moment reads an ident's date and zone as git shows them: a date that time
// does not reach is 0, a zone beyond C's int is none.
func Moment(ident object.Ident) (when uint64, zone int) {
	var seconds uint64
	for _, c := range ident.Date {
		d := uint64(c - '0')
		if seconds > (math.MaxUint64-d)/10 {
			return 0, 0
		}
		seconds = seconds*10 + d
	}
	if seconds >= math.MaxInt64 {
		return 0, 0
	}
	for i, c := range ident.Zone {
		if i == 0 {
			continue
		}
		if zone = zone*10 + int(c-'0'); zone >= math.MaxInt32 {
			return seconds, 0
		}
	}
	if len(ident.Zone) > 0 && ident.Zone[0] == '-' {
		zone = -zone
	}
	return seconds, zone
}

// header holds the parts of a commit that a line shows.
type header struct {
	author, encoding, message []byte
}

// scan finds the last author line, the first encoding line and the message.
func scan(data []byte) (h header) {
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n')
		line, rest := data, []byte(nil)
		if end >= 0 {
			line, rest = data[:end], data[end+1:]
		}
		if len(line) == 0 {
			h.message = rest
			return h
		}
		if line[0] == 'a' && bytes.HasPrefix(line, authorKey) {
			h.author = line[len(authorKey):]
		} else if line[0] == 'e' && h.encoding == nil && bytes.HasPrefix(line, encodingKey) {
			h.encoding = line[len(encodingKey):]
		}
		data = rest
	}
	return h
}

var authorKey, encodingKey = []byte("author "), []byte("encoding ")

// AppendSubject prints a message's subject: the lines up to the first blank
// one, without trailing white space, joined by the separator.
func AppendSubject(dst, message []byte, separator string) []byte {
	first := true
	for len(message) > 0 {
		line, rest, _ := bytes.Cut(message, []byte("\n"))
		message = rest
		line = trimRight(line)
		if len(line) == 0 {
			if first {
				continue
			}
			break
		}
		if !first {
			dst = append(dst, separator...)
		}
		dst = append(dst, line...)
		first = false
	}
	return dst
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t' || b[len(b)-1] == '\n' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}
