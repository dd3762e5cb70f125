package convert

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/internal/charset"
)

// decode makes UTF-8 of content in the path's encoding. What does not fit is an error under Strict and stays as it is otherwise.
func (r Rules) decode(path string, data []byte) ([]byte, error) {
	if r.encoding == "" || len(data) == 0 {
		return data, nil
	}
	fail := func(format string, args ...any) ([]byte, error) {
		if r.Strict {
			return nil, &Error{fmt.Sprintf(format, args...)}
		}
		return data, nil
	}
	switch {
	case markProhibited(r.encoding, data):
		return fail("BOM is prohibited in '%s' if encoded as %s", path, r.encoding)
	case markMissing(r.encoding, data):
		return fail("BOM is required in '%s' if encoded as %s", path, r.encoding)
	}
	name := r.encoding
	if charset.SameUTF(name, "UTF-16LE-BOM") {
		name = "UTF-16"
	}
	text, ok := charset.Decode(data, name)
	if !ok {
		return fail("failed to encode '%s' from %s to UTF-8", path, r.encoding)
	}
	if r.Strict && r.checksRoundTrip() {
		if back, ok := charset.Encode(text, name); !ok || !bytes.Equal(back, data) {
			return fail("encoding '%s' from %s to UTF-8 and back is not the same", path, r.encoding)
		}
	}
	return text, nil
}

// checksRoundTrip looks the encoding up in core.checkRoundtripEncoding.
func (r Rules) checksRoundTrip() bool {
	for name := range strings.FieldsFuncSeq(r.config.roundTrip, func(c rune) bool { return strings.ContainsRune(", \t\r\n", c) }) {
		if strings.EqualFold(name, r.encoding) {
			return true
		}
	}
	return false
}

const (
	mark16BE = "\xfe\xff"
	mark16LE = "\xff\xfe"
	mark32BE = "\x00\x00\xfe\xff"
	mark32LE = "\xff\xfe\x00\x00"
)

// markProhibited reports a byte-order mark where the encoding's name states the order.
func markProhibited(encoding string, data []byte) bool {
	switch {
	case charset.SameUTF(encoding, "UTF-16BE"), charset.SameUTF(encoding, "UTF-16LE"):
		return hasMark(data, mark16BE, mark16LE)
	case charset.SameUTF(encoding, "UTF-32BE"), charset.SameUTF(encoding, "UTF-32LE"):
		return hasMark(data, mark32BE, mark32LE)
	}
	return false
}

// markMissing reports that nothing tells the byte order.
func markMissing(encoding string, data []byte) bool {
	switch {
	case charset.SameUTF(encoding, "UTF-16"):
		return !hasMark(data, mark16BE, mark16LE)
	case charset.SameUTF(encoding, "UTF-32"):
		return !hasMark(data, mark32BE, mark32LE)
	}
	return false
}

func hasMark(data []byte, marks ...string) bool {
	for _, mark := range marks {
		if bytes.HasPrefix(data, []byte(mark)) {
			return true
		}
	}
	return false
}

// encode makes the path's encoding of UTF-8. What it cannot express stays as it is.
func (r Rules) encode(text []byte) []byte {
	if r.encoding == "" || len(text) == 0 {
		return text
	}
	name, mark := r.encoding, ""
	switch {
	case charset.SameUTF(name, "UTF-16LE-BOM"):
		name, mark = "UTF-16LE", mark16LE
	case charset.SameUTF(name, "UTF-16BE-BOM"):
		name, mark = "UTF-16BE", mark16BE
	}
	out, ok := charset.Encode(text, name)
	if !ok {
		return text
	}
	return append([]byte(mark), out...)
}
