package artifacts

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pages reads the text page by page and returns the pages.
func pages(t *testing.T, text string, budget Budget, chunk int) []string {
	t.Helper()
	var out []string
	cursor := ""
	for range 10000 {
		p, err := NewPage(budget, []byte("key"), cursor)
		require.NoError(t, err)
		for i := 0; i < len(text); i += chunk {
			if _, err := p.Write([]byte(text[i:min(i+chunk, len(text))])); err != nil {
				require.ErrorIs(t, err, ErrFull)
				break
			}
		}
		page, next, err := p.Finish()
		require.NoError(t, err)
		out = append(out, string(page))
		if next == "" {
			return out
		}
		cursor = next
	}
	t.Fatal("the pages don't end")
	return nil
}

func TestPagesAreCutAtLineEnds(t *testing.T) {
	text := "one\ntwo\nthree\nfour\n"
	require.Equal(t, []string{"one\ntwo\n", "three\n", "four\n"}, pages(t, text, Budget{Bytes: 9}, 5))
	require.Equal(t, []string{"one\ntwo\n", "three\nfour\n"}, pages(t, text, Budget{Lines: 2}, 3))
	require.Equal(t, []string{"one\n", "two\n", "three\n", "four\n"}, pages(t, text, Budget{Lines: 1, Bytes: 100}, 100))
	require.Equal(t, []string{text}, pages(t, text, Budget{Lines: 4}, 100))
	require.Equal(t, []string{text}, pages(t, text, Budget{Bytes: int64(len(text))}, 1))
	require.Equal(t, []string{""}, pages(t, "", Budget{Bytes: 1, Lines: 1}, 1))
}

func TestLongLineIsCutBetweenCharacters(t *testing.T) {
	require.Equal(t, []string{"aä", "öb", "\n"}, pages(t, "aäöb\n", Budget{Bytes: 3}, 100))
	require.Equal(t, []string{"\x80\x80", "\x80\n"}, pages(t, "\x80\x80\x80\n", Budget{Bytes: 2}, 100))
}

func TestPagesJoinedAreTheText(t *testing.T) {
	seed := int64(1)
	r := rand.New(rand.NewSource(seed))
	for i := range 300 {
		var b strings.Builder
		for range r.Intn(40) {
			b.WriteString(strings.Repeat("xé", r.Intn(12)))
			b.WriteByte('\n')
		}
		b.WriteString(strings.Repeat("z", r.Intn(3)))
		budget := Budget{Bytes: int64(r.Intn(30)), Lines: int64(r.Intn(5))}
		got := pages(t, b.String(), budget, 1+r.Intn(50))
		require.Equal(t, b.String(), strings.Join(got, ""), "seed %d round %d", seed, i)
		for _, page := range got {
			if budget.Bytes > 0 {
				require.LessOrEqual(t, len(page), int(budget.Bytes))
			}
			if budget.Lines > 0 {
				require.LessOrEqual(t, strings.Count(page, "\n"), int(budget.Lines))
			}
		}
	}
}

func TestCursorIsChecked(t *testing.T) {
	p, err := NewPage(Budget{Lines: 1}, []byte("key"), "")
	require.NoError(t, err)
	_, err = p.Write([]byte("one\ntwo\n"))
	require.ErrorIs(t, err, ErrFull)
	_, cursor, err := p.Finish()
	require.NoError(t, err)

	_, err = NewPage(Budget{}, []byte("other"), cursor)
	require.ErrorIs(t, err, ErrBadCursor)
	for _, bad := range []string{"x", "!", cursor + "AA", cursor[:len(cursor)-4]} {
		_, err = NewPage(Budget{}, []byte("key"), bad)
		require.ErrorIs(t, err, ErrBadCursor, fmt.Sprintf("%q", bad))
	}

	p, err = NewPage(Budget{}, []byte("key"), cursor)
	require.NoError(t, err)
	_, err = p.Write([]byte("One\ntwo\n"))
	require.ErrorIs(t, err, ErrChanged)

	p, err = NewPage(Budget{}, []byte("key"), cursor)
	require.NoError(t, err)
	_, err = p.Write([]byte("on"))
	require.NoError(t, err)
	_, _, err = p.Finish()
	require.ErrorIs(t, err, ErrChanged)
}
