package intraline_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/diffrender/intraline"
)

// marked shows segments as text, with brackets around what changed.
func marked(segments []intraline.Segment) string {
	var b strings.Builder
	for _, s := range segments {
		if s.Changed {
			b.WriteString("[" + s.Text + "]")
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestSegments(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, test := range []struct{ old, new, wantOld, wantNew string }{
		{"return a + b", "return a - b", "return a [+] b", "return a [-] b"},
		{"func open(dir string)", "func open(ctx context.Context, dir string)", "func open(dir string)", "func open([ctx context.Context, ]dir string)"},
		{"the same", "the same", "the same", "the same"},
		{"", "new", "", "[new]"},
		{"old", "", "[old]", ""},
		{"\treturn nil", "}", "[\treturn nil]", "[}]"},
		{"größe := 1", "größe := 2", "größe := [1]", "größe := [2]"},
		{"broken \xff", "broken \xfe", "[broken \xff]", "[broken \xfe]"},
		{long, long + "y", "[" + long + "]", "[" + long + "y]"},
	} {
		olds, news := intraline.Segments(test.old, test.new)
		require.Equal(t, test.wantOld, marked(olds))
		require.Equal(t, test.wantNew, marked(news))
	}
}

func FuzzSegments(f *testing.F) {
	f.Add("a b c", "a x c")
	f.Add("ä", "\xc3")
	f.Fuzz(func(t *testing.T, old, new string) {
		olds, news := intraline.Segments(old, new)
		join := func(list []intraline.Segment) string {
			var b strings.Builder
			for _, s := range list {
				require.NotEmpty(t, s.Text)
				b.WriteString(s.Text)
			}
			return b.String()
		}
		require.Equal(t, old, join(olds))
		require.Equal(t, new, join(news))
	})
}
