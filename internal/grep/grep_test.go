package grep

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/posixre"
)

func numbers(lines []Line) (hits []int) {
	for _, line := range lines {
		if line.Hit {
			hits = append(hits, line.Number)
		} else {
			hits = append(hits, -line.Number)
		}
	}
	return hits
}

func TestLines(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n"
	for _, test := range []struct {
		opts Options
		want []int
	}{
		{Options{Patterns: []string{"nothing"}}, nil},
		{Options{Patterns: []string{"e"}}, []int{1, 3, 5, 7, 8, 9}},
		{Options{Patterns: []string{"e"}, MaxCount: 2, After: 2}, []int{1, -2, 3, -4, -5}},
		{Options{Patterns: []string{"four"}, Before: 1, After: 2}, []int{-3, 4, -5, -6}},
		{Options{Patterns: []string{"two", "seven"}, Before: 9}, []int{-1, 2, -3, -4, -5, -6, 7}},
		{Options{Patterns: []string{"one\nnine"}, Before: 1, After: 1}, []int{1, -2, -8, 9}},
		{Options{Patterns: []string{"^$"}}, []int{10}},
		{Options{Patterns: []string{"NE$"}, IgnoreCase: true}, []int{1, 9}},
		{Options{Patterns: []string{"i"}, Word: true}, nil},
	} {
		m, err := New(test.opts)
		require.NoError(t, err)
		assert.Equal(t, test.want, numbers(m.Lines(context.Background(), []byte(text), nil)), "%+v", test.opts)
		assert.Equal(t, len(test.want) > 0, m.Any(context.Background(), []byte(text)))
	}
}

func TestPatternErrors(t *testing.T) {
	_, err := New(Options{Patterns: []string{"ok", "a["}})
	var bad *PatternError
	var syntax *posixre.SyntaxError
	require.ErrorAs(t, err, &bad)
	require.True(t, errors.As(err, &syntax))
	assert.Equal(t, "a[", bad.Pattern)
}

func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := New(Options{Patterns: []string{"a"}})
	require.NoError(t, err)
	assert.Empty(t, m.Lines(ctx, []byte("a\n"), nil))
}

func TestNeeds(t *testing.T) {
	for pattern, want := range map[string]string{"ab.*cdef": "cdef", "(abc|abd)x": "ab", "x*": "", "a.b": "", `\(foo\)+`: "(foo", "foo|bar": "", "(foo)+": "foo", "(foo){2}": "foofoo", "^include": "include"} {
		re, err := posixre.Compile(pattern, posixre.Options{Extended: true, Lines: true})
		require.NoError(t, err)
		got := ""
		if n := needOf(re); n != nil {
			got = n.String()
		}
		assert.True(t, strings.HasPrefix(want, got) && (got == "") == (want == ""), "%s: %q", pattern, got)
	}
}

// FuzzLines compares the searches with trying each line.
func FuzzLines(f *testing.F) {
	f.Add("a.*b", "xaxb\nab\n\nAB b\n", uint8(0))
	f.Add("ab", "xAB\nab\n\nAB b", uint8(1))
	f.Add("(ab|c)+d", "abcd\ncd\nd", uint8(2))
	f.Add("a\nb", "a\nc\nb", uint8(4))
	f.Fuzz(func(t *testing.T, pattern, text string, flags uint8) {
		if strings.Contains(pattern, "`") || strings.Contains(pattern, "'") {
			return // the ends of the whole text, which git sees anew after each hit
		}
		opts := Options{Patterns: []string{pattern}, IgnoreCase: flags&1 > 0, Extended: flags&2 > 0, Fixed: flags&4 > 0}
		m, err := New(opts)
		if err != nil {
			return
		}
		var want []int
		number := 0
		for line := range bytes.Lines([]byte(text)) {
			number++
			line = bytes.TrimSuffix(line, []byte("\n"))
			for i := range m.patterns {
				if m.patterns[i].find(context.Background(), line, false) >= 0 {
					want = append(want, number)
					break
				}
			}
		}
		got := numbers(m.Lines(context.Background(), []byte(text), nil))
		if n := len(got); n > 0 && got[n-1] > number {
			got = got[:n-1] // behind the last newline
		}
		if len(got) != len(want) || len(got) > 0 && !assert.ObjectsAreEqual(want, got) {
			t.Fatalf("%q in %q: %v, want %v", pattern, text, got, want)
		}
	})
}
