package charset

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// IsUTF8 reports whether name means UTF-8; so does no name.
func IsUTF8(name string) bool {
	return name == "" || SameUTF("UTF-8", name)
}

// SameUTF reports whether both names are of the UTF family and the same but for case and the hyphen after "UTF".
func SameUTF(x, y string) bool {
	x, okX := cutUTF(x)
	y, okY := cutUTF(y)
	return okX && okY && strings.EqualFold(x, y)
}

func cutUTF(name string) (rest string, ok bool) {
	if len(name) < 3 || !strings.EqualFold(name[:3], "UTF") {
		return "", false
	}
	return strings.TrimPrefix(name[3:], "-"), true
}

// Known reports whether the encoding of that name can be converted.
func Known(name string) bool {
	if IsUTF8(name) {
		return true
	}
	_, utf := unicodeForm(name)
	return utf || lookup(name) != nil
}

// Decode converts text from the named encoding to UTF-8. ok is false when the encoding is not known or the text is not valid in it.
func Decode(text []byte, from string) (out []byte, ok bool) {
	if IsUTF8(from) {
		return text, utf8.Valid(text)
	}
	if form, utf := unicodeForm(from); utf {
		return form.decode(text)
	}
	enc := lookup(from)
	if enc == nil {
		return nil, false
	}
	out, err := enc.NewDecoder().Bytes(text)
	// The decoders put U+FFFD where iconv fails. An encoding that can express it itself gives it back when encoded anew.
	if err != nil || bytes.ContainsRune(out, utf8.RuneError) && !roundTrip(enc, text, out) {
		return nil, false
	}
	return out, true
}

func roundTrip(enc encoding.Encoding, text, decoded []byte) bool {
	again, err := enc.NewEncoder().Bytes(decoded)
	return err == nil && bytes.Equal(again, text)
}

// Encode converts text from UTF-8 to the named encoding. ok is false when the encoding is not known or cannot express the text.
func Encode(text []byte, to string) (out []byte, ok bool) {
	if !utf8.Valid(text) {
		return nil, false
	}
	if IsUTF8(to) {
		return text, true
	}
	if form, utf := unicodeForm(to); utf {
		return form.encode(text), true
	}
	enc := lookup(to)
	if enc == nil {
		return nil, false
	}
	out, err := enc.NewEncoder().Bytes(text)
	return out, err == nil
}

// lookup finds an encoding by its name without case and punctuation; nil when it is not known.
func lookup(name string) encoding.Encoding {
	return encodings()[strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))]
}

// encodings are made when one is first asked for.
var encodings = sync.OnceValue(func() map[string]encoding.Encoding {
	return map[string]encoding.Encoding{
		"iso88591": charmap.ISO8859_1, "latin1": charmap.ISO8859_1, "l1": charmap.ISO8859_1, "cp819": charmap.ISO8859_1,
		"iso88592": charmap.ISO8859_2, "latin2": charmap.ISO8859_2, "iso88593": charmap.ISO8859_3,
		"iso88594": charmap.ISO8859_4, "iso88595": charmap.ISO8859_5, "iso88596": charmap.ISO8859_6,
		"iso88597": charmap.ISO8859_7, "iso88598": charmap.ISO8859_8, "iso88599": charmap.ISO8859_9,
		"latin5": charmap.ISO8859_9, "iso885910": charmap.ISO8859_10, "iso885913": charmap.ISO8859_13,
		"iso885914": charmap.ISO8859_14, "iso885915": charmap.ISO8859_15, "latin9": charmap.ISO8859_15,
		"iso885916": charmap.ISO8859_16,
		"cp1250":    charmap.Windows1250, "windows1250": charmap.Windows1250,
		"cp1251": charmap.Windows1251, "windows1251": charmap.Windows1251,
		"cp1252": charmap.Windows1252, "windows1252": charmap.Windows1252,
		"cp1253": charmap.Windows1253, "windows1253": charmap.Windows1253,
		"cp1254": charmap.Windows1254, "windows1254": charmap.Windows1254,
		"cp1255": charmap.Windows1255, "windows1255": charmap.Windows1255,
		"cp1256": charmap.Windows1256, "windows1256": charmap.Windows1256,
		"cp1257": charmap.Windows1257, "windows1257": charmap.Windows1257,
		"cp1258": charmap.Windows1258, "windows1258": charmap.Windows1258,
		"cp437": charmap.CodePage437, "ibm437": charmap.CodePage437,
		"cp850": charmap.CodePage850, "ibm850": charmap.CodePage850,
		"cp852": charmap.CodePage852, "ibm852": charmap.CodePage852,
		"cp866": charmap.CodePage866, "ibm866": charmap.CodePage866,
		"koi8r": charmap.KOI8R, "koi8u": charmap.KOI8U, "macintosh": charmap.Macintosh,
		"shiftjis": japanese.ShiftJIS, "sjis": japanese.ShiftJIS, "cp932": japanese.ShiftJIS, "windows31j": japanese.ShiftJIS,
		"eucjp": japanese.EUCJP, "iso2022jp": japanese.ISO2022JP,
		"euckr": korean.EUCKR, "cp949": korean.EUCKR, "uhc": korean.EUCKR,
		"gbk": simplifiedchinese.GBK, "gb2312": simplifiedchinese.GBK, "cp936": simplifiedchinese.GBK,
		"euccn": simplifiedchinese.GBK, "gb18030": simplifiedchinese.GB18030,
		"big5": traditionalchinese.Big5, "cp950": traditionalchinese.Big5,
		"ascii": ascii{}, "usascii": ascii{}, "ansix341968": ascii{},
	}
})
