// Package quote writes and reads path names in git's C style (git-config(1), core.quotePath): a name with unusual bytes stands in
// double quotes, and those bytes as backslash escapes.
package quote

import "encoding/binary"

// escapes are the bytes that have an escape of one letter, in both directions.
const (
	escaped = "\a\b\t\n\v\f\r\"\\"
	letters = `abtnvfr"\`
)

// Needed reports whether git would quote path. quotePath is core.quotePath (true by default): bytes above 0x7f count as unusual.
func Needed(path string, quotePath bool) bool { return needed([]byte(path), quotePath) }

func needed(path []byte, quotePath bool) bool {
	for len(path) >= 8 && ordinary(binary.LittleEndian.Uint64(path)) {
		path = path[8:]
	}
	for _, c := range path {
		if unusual(c, quotePath) {
			return true
		}
	}
	return false
}

// ordinary says that none of eight bytes is unusual; it may miss some that are not.
func ordinary(eight uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	// A byte becomes zero where it is the one looked for, and the subtraction borrows from its highest bit.
	quotes, slashes, deletes := eight^'"'*ones, eight^'\\'*ones, eight^0x7f*ones
	found := (eight-' '*ones)&^eight | (quotes-ones)&^quotes | (slashes-ones)&^slashes | (deletes-ones)&^deletes
	return (found|eight)&high == 0
}

// unusualASCII has a bit for each control character, the quote, the backslash and DEL.
var unusualASCII = [2]uint64{1<<' ' - 1 | 1<<'"', 1<<('\\'-64) | 1<<(0x7f-64)}

func unusual(c byte, quotePath bool) bool {
	if c >= 0x80 {
		return quotePath
	}
	return unusualASCII[c>>6]>>(c&63)&1 != 0
}

// CStyle returns path as git prints it: unchanged when nothing is unusual, else quoted.
func CStyle(path string, quotePath bool) string {
	if !Needed(path, quotePath) {
		return path
	}
	return string(Append(nil, path, quotePath))
}

// Append appends what CStyle returns.
func Append(dst []byte, path string, quotePath bool) []byte {
	return AppendBytes(dst, []byte(path), quotePath)
}

// AppendBytes is Append for a path in bytes.
func AppendBytes(dst, path []byte, quotePath bool) []byte {
	if !needed(path, quotePath) {
		return append(dst, path...)
	}
	dst = append(dst, '"')
	for _, c := range path {
		dst = appendByte(dst, c, quotePath)
	}
	return append(dst, '"')
}

func appendByte(dst []byte, c byte, quotePath bool) []byte {
	if !unusual(c, quotePath) {
		return append(dst, c)
	}
	for i := range len(escaped) {
		if escaped[i] == c {
			return append(dst, '\\', letters[i])
		}
	}
	return append(dst, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
}

// Unquote reads a quoted name at the beginning of text and returns what follows its closing quote.
// ok is false when text does not begin with a well-formed one.
func Unquote(text string) (path, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		return "", text, false
	}
	var out []byte
	for i := 1; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return string(out), text[i+1:], true
		case '\\':
			b, size := unescape(text[i+1:])
			if size == 0 {
				return "", text, false
			}
			out = append(out, b)
			i += size
		default:
			out = append(out, c)
		}
	}
	return "", text, false
}

// unescape reads what follows a backslash: a letter, or three octal digits. size is 0 for anything else.
func unescape(text string) (b byte, size int) {
	if text == "" {
		return 0, 0
	}
	for i := range len(letters) {
		if letters[i] == text[0] {
			return escaped[i], 1
		}
	}
	if len(text) < 3 || text[0] > '3' {
		return 0, 0
	}
	for i := range 3 {
		if text[i] < '0' || text[i] > '7' {
			return 0, 0
		}
		b = b<<3 | (text[i] - '0')
	}
	return b, 3
}
