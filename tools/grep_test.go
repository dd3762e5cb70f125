package tools

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const grepFixture = `
git init -q -b main repo
cd repo
mkdir -p sub/deep 'sp ace' sub/new/er
printf '*.att diff\n*.un -diff\n*.drv diff=drv\n*.txt diff=plain\n*.bin binary\n' > .gitattributes
printf 'foo\nbar foo\nfoobar\n\nfoo_bar\nFOO end\nlast foo' > a.txt
i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "line $i"; case $i in *7|12|13|15) echo "needle $i needle";; esac; done > long.c
printf 'foo\0bar\n' > nul; printf 'foo\0bar\n' > nul.att; printf 'foo plain\n' > plain.un; printf 'foo\0x\n' > x.drv; printf 'foo bin\n' > y.bin
printf 'foo\r\nbar\r\n' > crlf; : > empty; printf '\n\n\n' > blank; printf 'a*b\na.b\na+b\n(x)\na{2}\n[z]\n' > special; printf 'caf\303\251 foo\n\377\376 foo\n' > latin
printf 'void f(int x) {\n\tfoo(x);\n}\n--\nx--foo\n' > sub/b.c; printf 'foo deep\n' > sub/deep/c; printf 'foo\n' > 'sp ace/é"'
printf 'xx foo-bar barfoo foo\nab abc ab_c\n  aa  \n' > words
ln -s a.txt link; ln -s sub linkdir
git add .; commit first
git tag -a -m x v1; git tag -a -m y vv v1; git tag tree HEAD^{tree}; git tag blob HEAD:a.txt
git -c protocol.file.allow=always submodule --quiet add "$PWD" module; commit submodule
git checkout -q -b side; echo 'foo side' > a.txt; commit side; git checkout -q main; echo 'foo main' > a.txt; commit main; git merge -q side >/dev/null 2>&1 || true
echo 'foo new' > new; git add -N new; echo 'foo untracked' > untracked; echo 'changed foo' >> words; rm crlf; rm plain.un; ln -s words plain.un; rm special; mkfifo special
git update-index --assume-unchanged long.c; echo 'needle assumed' > long.c; git update-index --skip-worktree latin; echo 'foo skipped' > latin
`

func TestGrep(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, grepFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
	type p = map[string]any
	for _, query := range []struct {
		params p
		args   []string
	}{
		{p{"pattern": "foo"}, []string{"foo"}},
		{p{"pattern": "fOo", "ignore_case": true}, []string{"-i", "fOo"}},
		{p{"pattern": "foo", "word": true}, []string{"-w", "foo"}},
		{p{"pattern": "foo", "names_only": true}, []string{"-l", "foo"}},
		{p{"pattern": "foo", "count": true}, []string{"-c", "foo"}},
		{p{"pattern": "foo", "context": 1}, []string{"-C1", "foo"}},
		{p{"pattern": "needle", "context": 2}, []string{"-C2", "needle"}},
		{p{"pattern": "needle", "context": 100}, []string{"-C100", "needle"}},
		{p{"pattern": "needle", "context": 3, "max_count": 2}, []string{"-C3", "-m2", "needle"}},
		{p{"pattern": "o", "max_count": 1}, []string{"-m1", "o"}},
		{p{"pattern": "o", "max_count": 2, "count": true}, []string{"-m2", "-c", "o"}},
		{p{"pattern": "^foo"}, []string{"^foo"}},
		{p{"pattern": "foo$"}, []string{"foo$"}},
		{p{"pattern": "^$"}, []string{"^$"}},
		{p{"pattern": ""}, []string{""}},
		{p{"pattern": "$"}, []string{"$"}},
		{p{"pattern": "x*", "context": 1}, []string{"-C1", "x*"}},
		{p{"pattern": "f[o]*b"}, []string{"f[o]*b"}},
		{p{"pattern": "[[:space:]]foo"}, []string{"[[:space:]]foo"}},
		{p{"pattern": `o\s*f`}, []string{`o\s*f`}},
		{p{"pattern": `\bfoo\b`}, []string{`\bfoo\b`}},
		{p{"pattern": `\<foo`}, []string{`\<foo`}},
		{p{"pattern": `foo\|needle 1[23]`}, []string{`foo\|needle 1[23]`}},
		{p{"pattern": `foo|needle 1[23]`, "extended": true}, []string{"-E", `foo|needle 1[23]`}},
		{p{"pattern": "a*b"}, []string{"a*b"}},
		{p{"pattern": "a*b", "fixed": true}, []string{"-F", "a*b"}},
		{p{"pattern": "a.b"}, []string{"a.b"}},
		{p{"pattern": "a+b"}, []string{"a+b"}},
		{p{"pattern": "a+b", "extended": true}, []string{"-E", "a+b"}},
		{p{"pattern": "(x)"}, []string{"(x)"}},
		{p{"pattern": `\(x\)`, "extended": true}, []string{"-E", `\(x\)`}},
		{p{"pattern": "^ab", "word": true}, []string{"-w", "^ab"}},
		{p{"pattern": "a*", "word": true}, []string{"-w", "a*"}},
		{p{"pattern": "ab.*", "word": true}, []string{"-w", "ab.*"}},
		{p{"pattern": "foo|foobar", "word": true, "extended": true}, []string{"-E", "-w", "foo|foobar"}},
		{p{"pattern": "^x|^foo", "word": true, "extended": true}, []string{"-E", "-w", "^x|^foo"}},
		{p{"pattern": "--"}, []string{"-e", "--"}},
		{p{"pattern": []string{"needle 1[23]", "foo deep"}}, []string{"-e", "needle 1[23]", "-e", "foo deep"}},
		{p{"pattern": "needle 12\nfoo deep\n"}, []string{"-e", "needle 12\nfoo deep\n"}},
		{p{"pattern": "no such text"}, []string{"no such text"}},
		{p{"pattern": "a["}, []string{"a["}},
		{p{"pattern": "a(", "extended": true}, []string{"-E", "a("}},
		{p{"pattern": "é"}, []string{"é"}},
		{p{"pattern": "needle", "show_function": true}, []string{"-p", "needle"}},
		{p{"pattern": "needle", "function_context": true}, []string{"-W", "needle"}},
		{p{"pattern": "foo", "function_context": true, "show_function": true, "context": 1}, []string{"-W", "-p", "-C1", "foo"}},
		{p{"pattern": "^$", "function_context": true}, []string{"-W", "^$"}},
	} {
		for _, where := range []struct {
			params p
			flags  []string
			args   []string
		}{
			{p{}, nil, nil},
			{p{"cached": true}, []string{"--cached"}, nil},
			{p{"rev": "HEAD"}, nil, []string{"HEAD"}},
			{p{"rev": "HEAD~1", "files": []string{"*.c", "words", ":!sub"}}, nil, []string{"HEAD~1", "--", "*.c", "words", ":!sub"}},
			{p{"files": []string{"a.txt", "long.c"}}, nil, []string{"--", "a.txt", "long.c"}},
		} {
			params := maps.Clone(query.params)
			maps.Copy(params, where.params)
			args := append([]string{"grep", "-n", "--threads=1"}, where.flags...)
			everyDir(t, tool, top, "grep", params, append(append(args, query.args...), where.args...)...)
		}
	}
	for _, rev := range []string{"v1", "vv", "tree", "HEAD:sub", "HEAD:a.txt", "HEAD:nul.att", "blob", "HEAD^{tree}", "nothing", "HEAD:nothing", "HEAD:module", ":words", "main~1", "side"} {
		everyDir(t, tool, top, "grep", p{"pattern": "foo", "rev": rev}, "grep", "-n", "foo", rev, "--")
		everyDir(t, tool, top, "grep", p{"pattern": "foo", "rev": rev, "context": 1, "files": []string{":/"}}, "grep", "--threads=1", "-n", "-C1", "foo", rev, "--", ":/")
	}
	everyDir(t, tool, top, "grep", p{"pattern": "foo", "rev": "HEAD", "cached": true}, "grep", "-n", "--cached", "foo", "HEAD")
}

func TestGrepSettings(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, grepFixture), "repo")
	for _, setting := range [][2]string{{"diff.drv.binary", "false"}, {"diff.plain.binary", "true"}, {"diff.drv.binary", "auto"}, {"diff.default.binary", "true"}, {"grep.column", "true"}, {"grep.fullName", "true"}, {"grep.patternType", "extended"}, {"grep.extendedRegexp", "true"}, {"core.quotePath", "false"}, {"grep.patternType", "fixed"}} {
		fixtures.Git(t, top, "config", setting[0], setting[1])
		tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
		for _, pattern := range []string{"foo", "a+b", "o.f"} {
			for _, rev := range []string{"HEAD", "tree"} {
				everyDir(t, tool, top, "grep", map[string]any{"pattern": []string{pattern, "ba"}, "rev": rev, "files": []string{":/"}}, "grep", "-n", "-e", pattern, "-e", "ba", rev, "--", ":/")
			}
			everyDir(t, tool, top, "grep", map[string]any{"pattern": pattern, "context": 1}, "grep", "--threads=1", "-n", "-C1", pattern)
			everyDir(t, tool, top, "grep", map[string]any{"pattern": pattern, "word": true, "ignore_case": true}, "grep", "-n", "-iw", pattern)
		}
	}
	fixtures.Git(t, top, "config", "submodule.recurse", "true")
	assert.False(t, answerIn(t, newTool(t, top, sandbox.Policy{}), top, "grep", map[string]any{"pattern": "foo"}).Success)
}

func TestGrepOfRandomStates(t *testing.T) {
	seed := fixtures.Seed(t)
	for i := range uint64(10) {
		top := fixtures.RandomState(t, seed+i)
		tool := newTool(t, top, sandbox.Policy{})
		for _, pattern := range []string{"e", "[0-9]", "li"} {
			for flag, params := range map[string]map[string]any{"--no-color": {}, "--cached": {"cached": true}, "-l": {"names_only": true}, "-C2": {"context": 2}} {
				params["pattern"] = pattern
				want := fixtures.Ask(t, top, "grep", "--threads=1", "-n", flag, pattern)
				require.Equal(t, string(want.Out), string(answerIn(t, tool, top, "grep", params).Output), "%s, seed %d", flag, seed+i)
			}
		}
	}
}

// TestGrepOfLongFiles looks for a line at many places of files that are longer
// than what is read of one at once, and has them compared with git's answer.
func TestGrepOfLongFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(fixtures.Seed(t), 0))
	top := fixtures.Init(t)
	line := strings.Repeat("some text ", 6) + "\n"
	for i := range 12 {
		var text strings.Builder
		for lines := 3000 + r.IntN(12000); lines > 0; lines-- {
			switch r.IntN(4000) {
			case 0:
				text.WriteString("here is a needle\n")
			case 1:
				text.WriteString("\n")
			case 2:
				text.WriteString(strings.Repeat("long ", r.IntN(100_000)))
			default:
				text.WriteString(line)
			}
		}
		text.WriteString([]string{"", "no end", "the last needle", "\n\n"}[r.IntN(4)])
		require.NoError(t, os.WriteFile(filepath.Join(top, fmt.Sprintf("f%d", i)), []byte(text.String()), 0o666))
	}
	fixtures.Git(t, top, "add", ".")
	tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
	for _, pattern := range []string{"needle", "^$", "needle$", "nowhere", "^no end", "g s"} {
		for flag, params := range map[string]map[string]any{"--no-color": {}, "-c": {"count": true}, "-l": {"names_only": true}, "-C2": {"context": 2}} {
			params["pattern"] = pattern
			want := fixtures.Ask(t, top, "grep", "--threads=1", "-n", flag, pattern)
			got := answerIn(t, tool, top, "grep", params)
			require.True(t, bytes.Equal(want.Out, got.Output), "%s %s in %s", flag, pattern, top)
		}
	}
}
