package pretty

import (
	"strings"

	"github.com/ingit-dev/ingit/internal/charset"
)

// isUTF8 says whether an encoding's name means UTF-8; no name does.
func isUTF8(name string) bool { return charset.IsUTF8(name) }

func sameEncoding(x, y string) bool {
	return isUTF8(x) && isUTF8(y) || strings.EqualFold(x, y)
}

// recode converts a text between two encodings. Like git it gives the text
// back unchanged, and false, when an encoding is not known or the text does
// not fit one of them.
func recode(text []byte, from, to string) ([]byte, bool) {
	decoded, ok := charset.Decode(text, from)
	if !ok {
		return text, false
	}
	out, ok := charset.Encode(decoded, to)
	if !ok {
		return text, false
	}
	return out, true
}

// Recode returns a raw commit in an output encoding ("" is UTF-8), by its own
// encoding header; unchanged where git leaves it unchanged.
func Recode(data []byte, encoding string) []byte {
	own := string(scan(data).encoding)
	if sameEncoding(own, encoding) {
		return data
	}
	out, _ := recode(data, own, encoding)
	return out
}
