package wildmatch

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

func TestMatch(t *testing.T) {
	const path, fold = PathName, CaseFold
	for _, test := range []struct {
		pattern, text string
		flags         Flags
		want          bool
	}{
		{"", "", 0, true},
		{"", "x", 0, false},
		{"*", "", 0, true},
		{"f*r", "foobar", 0, true},
		{"*", "a/b", 0, true},
		{"*", "a/b", path, false},
		{"?", "/", path, false},
		{"[/]", "/", path, false},
		{"[/]", "/", 0, true},
		{"[^a]", "b", 0, true},
		{"[!]a]", "]", 0, false},
		{"[]-]", "-", 0, true},
		{"[a-]", "-", 0, true},
		{"[--0]", ".", 0, true},
		{"[\\]]", "]", 0, true},
		{"[\\a-\\c]", "b", 0, true},
		{"[a", "a", 0, false},
		{"[[:digit:][:upper:]]", "5", 0, true},
		{"[[:nosuch:]a]", "a", 0, false},
		{"[[:a]", ":", 0, true},
		{"[[:space:]]", "\v", 0, false},
		{"\\*", "*", 0, true},
		{"a\\", "a\\", 0, false},
		{"**/foo", "foo", path, true},
		{"**/foo", "x/y/foo", path, true},
		{"**/foo", "xfoo", path, false},
		{"foo/**/bar", "foo/bar", path, true},
		{"foo/**/bar", "foo/a/b/bar", path, true},
		{"foo/**", "foo/a/b", path, true},
		{"foo/**", "foo", path, false},
		{"foo**bar", "foo/bar", path, false},
		{"foo**bar", "foo/bar", 0, true},
		{"a/***/b", "a/x/y/b", path, true},
		{"**\\/a", "x/a", path, true},
		{"**\\/a", "a", path, false},
		{"*/b*/**/c", "a/bx/c", path, true},
		{"FOO", "foo", fold, true},
		{"\\A", "a", fold, false},
		{"[A-Z]", "q", fold, true},
		{"[A]", "a", fold, false},
		{"[[:upper:]]", "a", fold, true},
		{"[[:upper:]]", "a", 0, false},
		{"*é", "caf\xc3\xa9", 0, true},
		{"?", "é", 0, false},
	} {
		assert.Equal(t, test.want, Match(test.pattern, test.text, test.flags), "%q %q %d", test.pattern, test.text, test.flags)
		assert.Equal(t, test.want, reference(test.pattern, test.text, test.flags), "reference: %q %q %d", test.pattern, test.text, test.flags)
	}
}

// reference tries every way to share the text out among the stars.
func reference(pattern, text string, flags Flags) bool {
	return tryAll(pattern, 0, text, flags)
}

func tryAll(pattern string, p int, text string, flags Flags) bool {
	if p == len(pattern) {
		return text == ""
	}
	if pattern[p] != '*' {
		m := matcher{pattern: pattern, text: text, flags: flags, p: p}
		return text != "" && m.step() == advanced && tryAll(pattern, m.p, text[1:], flags)
	}
	end := p
	for end < len(pattern) && pattern[end] == '*' {
		end++
	}
	rest := pattern[end:]
	whole := end-p > 1 && (p == 0 || pattern[p-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	crosses := flags&PathName == 0 || whole
	if flags&PathName != 0 && whole && rest != "" && rest[0] == '/' && tryAll(pattern, end+1, text, flags) {
		return true
	}
	for i := 0; ; i++ {
		if tryAll(pattern, end, text[i:], flags) {
			return true
		}
		if i == len(text) || !crosses && text[i] == '/' {
			return false
		}
	}
}

var pieces = []string{"a", "a", "b", "A", "/", "/", "*", "*", "**", "?", "[ab]", "[!a]", "[A-C]", "\\a", "\\/", "/**/", "[[:upper:]]", "["}

func randomPattern(random *rand.Rand) string {
	var out strings.Builder
	for range 1 + random.IntN(8) {
		out.WriteString(pieces[random.IntN(len(pieces))])
	}
	return out.String()
}

func randomText(random *rand.Rand) string {
	text := make([]byte, 1+random.IntN(9))
	for i := range text {
		text[i] = "aaabAB//c"[random.IntN(9)]
	}
	return string(text)
}

func TestMatchEqualsReference(t *testing.T) {
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 300_000 {
		pattern, text, flags := randomPattern(random), randomText(random), Flags(random.IntN(4))
		require.Equal(t, reference(pattern, text, flags), Match(pattern, text, flags), "%q %q %d", pattern, text, flags)
	}
}

// TestMatchEqualsGit asks git which of an index's names each pattern selects.
func TestMatchEqualsGit(t *testing.T) {
	dir := fixtures.Init(t)
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(seed, 0))
	names := map[string]bool{}
	var info strings.Builder
	for len(names) < 150 {
		name := strings.ReplaceAll(strings.Trim(randomText(random), "/"), "//", "/")
		if name = strings.ReplaceAll(name, "//", "/"); name == "" || names[name] {
			continue
		}
		names[name] = true
		fmt.Fprintf(&info, "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\t%s\n", name)
	}
	fixtures.Command{Dir: dir, Input: []byte(info.String())}.Must(t, "update-index", "--index-info")
	listed := strings.Split(strings.TrimSuffix(string(fixtures.Git(t, dir, "ls-files", "-z")), "\x00"), "\x00")
	for range 150 {
		// It begins with a wildcard, since pathspecs treat a literal beginning by itself.
		pattern := []string{"*", "?", "**/", "[ab]"}[random.IntN(4)] + randomPattern(random)
		if strings.Contains(pattern, "//") {
			continue // a pathspec's slashes are made one
		}
		for magic, flags := range map[string]Flags{":(top)": 0, ":(glob)": PathName, ":(glob,icase)": PathName | CaseFold} {
			var want []string
			for _, name := range listed {
				if Match(pattern, name, flags) {
					want = append(want, name+"\x00")
				}
			}
			got := fixtures.Command{Dir: dir}.Run(t, "ls-files", "-z", "--", magic+pattern)
			if strings.HasSuffix(pattern, "/") || got.Code != 0 {
				continue // a directory pathspec
			}
			require.Equal(t, strings.Join(want, ""), string(got.Out), "%s%s", magic, pattern)
		}
	}
}

func TestHostilePatternsEnd(t *testing.T) {
	start := time.Now()
	for _, flags := range []Flags{0, PathName} {
		assert.False(t, Match(strings.Repeat("*a", 1000)+"b", strings.Repeat("a", 4000), flags))
		assert.False(t, Match(strings.Repeat("**/a/", 400)+"b", strings.Repeat("a/", 2000), flags))
		assert.False(t, Match("**/"+strings.Repeat("*a*/", 300)+"b", strings.Repeat("aaa/", 1000), flags))
	}
	assert.Less(t, time.Since(start), 5*time.Second)
}

func FuzzMatch(f *testing.F) {
	f.Add("**/a*[b-c]\\?", "x/abc?", uint8(1))
	f.Add("[[:alpha:]-x]", "-", uint8(3))
	f.Fuzz(func(t *testing.T, pattern, text string, flags uint8) {
		if len(pattern) > 12 || len(text) > 16 {
			return // the reference is exponential
		}
		flags &= 3
		require.Equal(t, reference(pattern, text, Flags(flags)), Match(pattern, text, Flags(flags)))
	})
}

func BenchmarkMatch(b *testing.B) {
	for b.Loop() {
		Match("**/test_*.[ch]", "some/long/path/to/a/test_file.c", PathName)
	}
}
