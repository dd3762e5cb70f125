package charset

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBothWays(t *testing.T) {
	for _, test := range []struct{ name, text, encoded string }{
		{"utf8", "é", "é"},
		{"UTF-16LE", "é😀", "\xe9\x00\x3d\xd8\x00\xde"},
		{"UTF-16BE", "é😀", "\x00\xe9\xd8\x3d\xde\x00"},
		{"utf16", "a", "\xff\xfea\x00"},
		{"UTF-32", "a", "\xff\xfe\x00\x00a\x00\x00\x00"},
		{"UTF-32BE", "😀", "\x00\x01\xf6\x00"},
		{"ISO-8859-1", "é\u0080", "\xe9\x80"},
		{"latin-1", "é", "\xe9"},
		{"SHIFT-JIS", "テスト", "\x83\x65\x83\x58\x83\x67"},
		{"EUC-JP", "テ", "\xa5\xc6"},
		{"GB18030", "\ufffd", "\x84\x31\xa4\x37"},
		{"us-ascii", "a", "a"},
	} {
		out, ok := Encode([]byte(test.text), test.name)
		assert.True(t, ok, test.name)
		assert.Equal(t, test.encoded, string(out), test.name)
		back, ok := Decode(out, test.name)
		assert.True(t, ok, test.name)
		assert.Equal(t, test.text, string(back), test.name)
		assert.True(t, Known(test.name))
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct{ name, encoded string }{
		{"utf8", "\xff"}, {"UTF-16LE", "a"}, {"UTF-16LE", "\x3d\xd8"}, {"UTF-16BE", "\xde\x00\xd8\x3d"}, {"UTF-32LE", "\x00\x00\x11\x00"},
		{"UTF-32LE", "\x00\xd8\x00\x00"}, {"ascii", "\x80"}, {"SJIS", "\xff"}, {"cp1253", "\xff"}, {"nosuch", "a"}, {"UTF-7x", "a"},
	} {
		_, ok := Decode([]byte(test.encoded), test.name)
		assert.False(t, ok, "%s %q", test.name, test.encoded)
	}
	for _, test := range []struct{ name, text string }{{"latin1", "λ"}, {"ascii", "é"}, {"UTF-16", "\xff"}, {"utf8", "\xff"}, {"nosuch", "a"}} {
		_, ok := Encode([]byte(test.text), test.name)
		assert.False(t, ok, "%s %q", test.name, test.text)
	}
	assert.False(t, Known("nosuch"))
}

func TestByteOrderMark(t *testing.T) {
	for _, encoded := range []string{"\xff\xfea\x00", "\xfe\xff\x00a", "a\x00"} {
		out, ok := Decode([]byte(encoded), "UTF-16")
		assert.True(t, ok)
		assert.Equal(t, "a", string(out))
	}
	out, ok := Decode([]byte("\xff\xfe"), "UTF-16LE")
	assert.True(t, ok)
	assert.Equal(t, "\ufeff", string(out), "a stated order keeps the mark")
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00"), uint8(0))
	names := []string{"UTF-16", "UTF-16LE", "UTF-32", "latin1", "SJIS", "GB18030", "ISO-2022-JP", "Big5"}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		out, ok := Decode(text, names[int(which)%3])
		if !ok {
			return
		}
		_, ok = Encode(out, names[int(which)%3])
		require.True(t, ok)
		Decode(text, names[int(which)%len(names)])
	})
}
