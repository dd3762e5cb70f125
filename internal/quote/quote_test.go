package quote

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestEqualsGit prints a name with each byte that can be in one, alone and beside others.
func TestEqualsGit(t *testing.T) {
	dir := fixtures.Init(t)
	var info strings.Builder
	for c := 1; c < 256; c++ {
		if c != '/' {
			info.WriteString("100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\tx" + string([]byte{byte(c)}) + "7\x00")
		}
	}
	fixtures.Command{Dir: dir, Input: []byte(info.String())}.Must(t, "update-index", "-z", "--index-info")
	raw := strings.Split(strings.TrimSuffix(string(fixtures.Git(t, dir, "ls-files", "-z")), "\x00"), "\x00")
	require.Len(t, raw, 254)
	for setting, quotePath := range map[string]bool{"true": true, "false": false} {
		var ours strings.Builder
		for _, name := range raw {
			ours.WriteString(CStyle(name, quotePath) + "\n")
		}
		theirs := fixtures.Git(t, dir, "-c", "core.quotePath="+setting, "ls-files")
		assert.Equal(t, string(theirs), ours.String())
	}
}

func TestUnquote(t *testing.T) {
	for _, test := range []struct {
		text, path, rest string
		ok               bool
	}{
		{`"a b" c`, "a b", " c", true},
		{`"\303\251\t\"\\"`, "\u00e9\t\"\\", "", true},
		{`a`, "", "a", false},
		{``, "", "", false},
		{`"open`, "", `"open`, false},
		{`"\q"`, "", `"\q"`, false},
		{`"\40"`, "", `"\40"`, false},
		{`"\400"`, "", `"\400"`, false},
		{`"\`, "", `"\`, false},
	} {
		path, rest, ok := Unquote(test.text)
		assert.Equal(t, test.ok, ok, test.text)
		assert.Equal(t, test.rest, rest, test.text)
		if ok {
			assert.Equal(t, test.path, path, test.text)
		}
	}
}

func FuzzUnquote(f *testing.F) {
	f.Add("a\tb\xff", `"\303" x`)
	f.Fuzz(func(t *testing.T, path, text string) {
		Unquote(text)
		for _, quotePath := range []bool{true, false} {
			if quoted := CStyle(path, quotePath); quoted != path {
				back, rest, ok := Unquote(quoted)
				require.True(t, ok)
				require.Equal(t, path, back)
				require.Empty(t, rest)
			}
		}
	})
}
