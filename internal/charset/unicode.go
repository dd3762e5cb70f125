package charset

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// form is one of UTF-16 and UTF-32. Without a stated byte order a mark at the beginning tells it; where none is, the order is little
// endian, and a mark is written, as the GNU C library does on the usual machines.
type form struct {
	width int // bytes per unit
	order byteOrder
	mark  bool // the text begins with a byte-order mark
}

type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func unicodeForm(name string) (f form, ok bool) {
	rest, ok := cutUTF(name)
	if !ok {
		return f, false
	}
	switch strings.ToUpper(rest) {
	case "16":
		return form{2, binary.LittleEndian, true}, true
	case "16LE":
		return form{2, binary.LittleEndian, false}, true
	case "16BE":
		return form{2, binary.BigEndian, false}, true
	case "32":
		return form{4, binary.LittleEndian, true}, true
	case "32LE":
		return form{4, binary.LittleEndian, false}, true
	case "32BE":
		return form{4, binary.BigEndian, false}, true
	}
	return f, false
}

const byteOrderMark = '\ufeff'

func (f form) decode(text []byte) ([]byte, bool) {
	if len(text)%f.width != 0 {
		return nil, false
	}
	if f.mark && len(text) > 0 {
		other := form{f.width, binary.BigEndian, false}
		if other.unit(text) == byteOrderMark {
			return other.decode(text[f.width:])
		}
		if f.unit(text) == byteOrderMark {
			text = text[f.width:]
		}
	}
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r := f.unit(text)
		text = text[f.width:]
		if f.width == 2 && utf16.IsSurrogate(r) {
			if len(text) == 0 {
				return nil, false
			}
			if r = utf16.DecodeRune(r, f.unit(text)); r == utf8.RuneError {
				return nil, false
			}
			text = text[f.width:]
		}
		if !utf8.ValidRune(r) {
			return nil, false
		}
		out = utf8.AppendRune(out, r)
	}
	return out, true
}

// unit reads the first unit.
func (f form) unit(text []byte) rune {
	if f.width == 2 {
		return rune(f.order.Uint16(text))
	}
	return rune(f.order.Uint32(text))
}

// encode converts valid UTF-8.
func (f form) encode(text []byte) []byte {
	out := make([]byte, 0, len(text)*f.width+f.width)
	if f.mark {
		out = f.append(out, byteOrderMark)
	}
	for _, r := range string(text) {
		out = f.append(out, r)
	}
	return out
}

func (f form) append(out []byte, r rune) []byte {
	if f.width == 4 {
		return f.order.AppendUint32(out, uint32(r))
	}
	if utf16.RuneLen(r) == 1 {
		return f.order.AppendUint16(out, uint16(r))
	}
	high, low := utf16.EncodeRune(r)
	return f.order.AppendUint16(f.order.AppendUint16(out, uint16(high)), uint16(low))
}
