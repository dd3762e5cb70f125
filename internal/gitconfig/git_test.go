package gitconfig_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// pieces are what random config files are made of.
var pieces = []string{
	"[a]", "[A]", "[a \"\"]", "[a \"b\"]", "[a \"B.c\"]", "[a.B]", "[a.b \"c\"]", "[a \"x\\\"y\\\\z\"]", "[a  \"tab\t\"]", "[a \"", "[", "]", "[-a]", "[a-1]",
	"k", "K", "key-1", "x9", "1k", "=", " = ", "\t=\t", "v", "value", "two words", "a  b", "tab\tin", "\"", "\"q\"", "\"a;b\"", "\\\"", "\\\\", "\\n", "\\t", "\\b", "\\x",
	"\\\n", "\n", "\n", "\n", "\r\n", "\r", " ", "\t", "#", ";", " # comment", "; c", "true", "10k", "\xef\xbb\xbf", "\xff", "é", "\x00", "\f", ".", "include.path",
}

func random(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(4) > 0 {
		b.WriteString("[a]\n")
	}
	for range r.IntN(14) {
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "\n%s = ", []string{"k", "x-Y", "Z"}[r.IntN(3)])
		}
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// list prints entries as git config --list -z does.
func list(entries []gitconfig.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Name)
		if e.HasValue {
			b.WriteString("\n" + e.Value)
		}
		b.WriteByte(0)
	}
	return b.String()
}

func TestParseEqualsGit(t *testing.T) {
	fixtures.RequireGit(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	cases := []string{
		"", "\xef\xbb\xbf[a]\nk=v", "\xef\xbb[a]k", "[a]k", "[a] k = v ; c", "[a]\nk = \"a b\" c\n", "[a]\nk = a\\\n  b\n", "[a]k=\\", "k = v\n", "[a]\nk = \"open\n",
		"[a]\r\nk = v\r\n", "[a \"x\ty\"]\nk\n", "[a]\nk = a\tb  c \n", "[a]\n9 = 1", "[a]\nk=v\n[", "[a]\n# c \\\nk=1",
	}
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 600 {
		cases = append(cases, random(r))
	}
	for _, text := range cases {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		answer := fixtures.Ask(t, dir, "config", "-z", "--file", "config", "--list")
		entries, err := gitconfig.Parse([]byte(text), "config")
		if answer.Code != 0 {
			require.Errorf(t, err, "seed %d: %q\ngit: %s", seed, text, answer.Err)
			require.Equalf(t, string(answer.Err), "fatal: "+err.Error()+"\n", "seed %d: %q", seed, text)
			continue
		}
		require.NoErrorf(t, err, "seed %d: %q", seed, text)
		require.Equalf(t, string(answer.Out), list(entries), "seed %d: %q", seed, text)
	}
}

func TestValuesEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	for _, value := range []string{
		"1", "0", "-1", "10k", "10K", "1m", "1g", "1 k", "0x10", "010", "08", "9g", "9999999999g", "", "k", "1kk", "1t", "+5", "- 5", "1_0", "0b1", "0o7", "0x", "yes", "On", "TRUE", "no",
		"off", "False", "maybe", "2", "00", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "4294967296", " 7", "1.5", "0xfk",
	} {
		require.NoError(t, os.WriteFile(file, []byte("[a]\n\tk = \""+value+"\"\n"), 0o644))
		entries, err := gitconfig.Parse([]byte("[a]\n\tk = \""+value+"\"\n"), "config")
		require.NoError(t, err)
		config := gitconfig.New(entries)

		answer := fixtures.Ask(t, dir, "config", "--file", "config", "--type=int", "a.k")
		n, err := config.Int("a.k", 0)
		if answer.Code != 0 {
			require.Errorf(t, err, "%q: git says %s", value, answer.Err)
			require.Equalf(t, strings.Replace(string(answer.Err), " in file config", "", 1), "fatal: "+err.Error()+"\n", "%q", value)
		} else {
			require.NoErrorf(t, err, "%q", value)
			require.Equalf(t, strings.TrimSpace(string(answer.Out)), fmt.Sprint(n), "%q", value)
		}

		answer = fixtures.Ask(t, dir, "config", "--file", "config", "--type=bool", "a.k")
		b, err := config.Bool("a.k", false)
		if answer.Code != 0 {
			require.Errorf(t, err, "%q: git says %s", value, answer.Err)
			require.Equalf(t, strings.Replace(string(answer.Err), " in file config", "", 1), "fatal: "+err.Error()+"\n", "%q", value)
		} else {
			require.NoErrorf(t, err, "%q", value)
			require.Equalf(t, strings.TrimSpace(string(answer.Out)), fmt.Sprint(b), "%q", value)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte("[a]\nk = " + p))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, _ := gitconfig.Parse(data, "config")
		for _, e := range entries {
			if !strings.HasSuffix(e.Name, e.Key) || !e.HasValue && e.Value != "" {
				t.Fatalf("%+v", e)
			}
		}
		gitconfig.New(entries).Subsections("a")
	})
}
