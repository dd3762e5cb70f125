package pretty

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// isUTF8 says whether an encoding's name means UTF-8; no name does.
func isUTF8(name string) bool {
	return name == "" || strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8")
}

func sameEncoding(x, y string) bool {
	return isUTF8(x) && isUTF8(y) || strings.EqualFold(x, y)
}

// recode converts a text between two encodings. Like git it gives the text
// back unchanged, and false, when an encoding is not known or the text does
// not fit one of them.
func recode(text []byte, from, to string) ([]byte, bool) {
	decoded, ok := decode(text, from)
	if !ok {
		return text, false
	}
	if isUTF8(to) {
		return decoded, true
	}
	enc := lookup(to)
	if enc == nil {
		return text, false
	}
	out, err := enc.NewEncoder().Bytes(decoded)
	if err != nil {
		return text, false
	}
	return out, true
}

func decode(text []byte, from string) ([]byte, bool) {
	if isUTF8(from) {
		return text, utf8.Valid(text)
	}
	enc := lookup(from)
	if enc == nil {
		return nil, false
	}
	out, err := enc.NewDecoder().Bytes(text)
	// The decoders put U+FFFD where iconv fails. An encoding that can express
	// it itself gives it back when encoded anew.
	if err != nil || bytes.ContainsRune(out, utf8.RuneError) && !roundTrip(enc, text, out) {
		return nil, false
	}
	return out, true
}

func roundTrip(enc encoding.Encoding, text, decoded []byte) bool {
	again, err := enc.NewEncoder().Bytes(decoded)
	return err == nil && bytes.Equal(again, text)
}

// lookup finds an encoding by a name as iconv knows it; nil: unknown.
func lookup(name string) encoding.Encoding {
	name = strings.ToLower(name)
	if enc, ok := encodings[name]; ok {
		return enc
	}
	return encodings[strings.NewReplacer("-", "", "_", "", ".", "").Replace(name)]
}

// encodings are keyed by their names in lower case without punctuation.
var encodings = map[string]encoding.Encoding{
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
	"utf16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "utf16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}
