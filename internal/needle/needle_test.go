package needle

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIndexFindsEitherCase(t *testing.T) {
	for text, want := range map[string]int{"AA": 0, "xAa": 1, "aaAA": 0, "bbAA": 2, "bAb-aA": 4, "b": -1, "": -1} {
		assert.Equal(t, want, New("aA", true).Index([]byte(text)), text)
	}
	assert.Equal(t, 1, New("-A-", true).Index([]byte("a-a-")))
}

// FuzzNeedle compares with the searches of the standard library.
func FuzzNeedle(f *testing.F) {
	f.Add("ab", "xabab", false)
	f.Add("x", "", false)
	f.Add("xax", "xaxaxax", true)
	f.Add("", "ab", false)
	f.Fuzz(func(t *testing.T, needle, text string, fold bool) {
		n, in := New(needle, fold), []byte(text)
		small := []byte(needle)
		if fold {
			for i := range in {
				in[i] = lower(in[i])
			}
			for i := range small {
				small[i] = lower(small[i])
			}
		}
		want := bytes.Count(in, small)
		if needle == "" {
			want = 0
		}
		if got := n.Index([]byte(text)); got != bytes.Index(in, small) {
			t.Fatalf("%q in %q: at %d, want %d", needle, text, got, bytes.Index(in, small))
		}
		if got := n.Count([]byte(text)); got != want {
			t.Fatalf("%q in %q: %d times, want %d", needle, text, got, want)
		}
	})
}
