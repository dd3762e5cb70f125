package tools

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// functionFiles are files whose functions are found by git's rule, by those of
// languages, and by ones of the configuration.
var functionFiles = []string{"a.c", "b.py", "c.txt", "d/e.go", "f.own", "g.cpp"}

// codeLines are what the files are made of.
var codeLines = []string{
	"int first(void)\n", "static char *second(int a)\n", "{\n", "}\n", "\tneedle();\n", "\treturn 1;\n", "\n", " \t\n", "\n", "// a comment\n", "/* needle */\n",
	"class A:\n", "    def one(self):\n", "        needle = 2\n", "func (t *T) Name() {\n", "== part\n", "$word needle\n", "label:\n", "_x\n",
}

func randomCode(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(30) {
		b.WriteString(codeLines[r.IntN(len(codeLines))])
	}
	if r.IntN(3) > 0 {
		return b.String()
	}
	// Git reads past the end of a last line without newline when it is blank,
	// or when it has skipped blank ones before it.
	text := strings.TrimRight(b.String(), " \t\n")
	if last := strings.LastIndexByte(text, '\n') + 1; strings.TrimSpace(text[strings.LastIndexByte(text[:max(last-1, 0)], '\n')+1:last]) == "" {
		return text + "\n"
	}
	return text
}

// TestGrepOfFunctions compares the lines and the bodies of functions around
// hits, in made-up files.
func TestGrepOfFunctions(t *testing.T) {
	seed := fixtures.Seed(t)
	for round := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, round))
		top := fixtures.Build(t, "git init -q -b main .\ngit config diff.own.xfuncname '^== (.*)$'\n")
		for _, name := range functionFiles {
			fixtures.Write(t, top, name, randomCode(r))
		}
		fixtures.Write(t, top, ".gitattributes", "*.py diff=python\n*.go diff=golang\n*.own diff=own\n*.cpp diff=cpp\n")
		if round == 1 {
			fixtures.Git(t, top, "config", "diff.default.funcname", "^[{=]")
		}
		fixtures.Git(t, top, "add", "-A")
		fixtures.Git(t, top, "commit", "-q", "-m", "all")
		tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
		for range 40 {
			pattern := []string{"needle", "^$", "1", "(", "n", "comment", "^{", "first"}[r.IntN(8)]
			params, args := map[string]any{"pattern": pattern}, []string{"grep", "-n", "--threads=1"}
			pick := func(n int, name string, value any, arg string) {
				if r.IntN(n) == 0 {
					params[name], args = value, append(args, arg)
				}
			}
			pick(2, "show_function", true, "-p")
			pick(2, "function_context", true, "-W")
			pick(4, "context", 1, "-C1")
			pick(8, "context", 3, "-C3")
			pick(4, "max_count", 1, "-m1")
			args = append(args, "-e", pattern)
			pick(4, "rev", "HEAD", "HEAD")
			if params["rev"] == nil {
				pick(8, "rev", "HEAD^{tree}", "HEAD^{tree}")
			}
			want := fixtures.Ask(t, top, args...)
			got := answerIn(t, tool, top, "grep", params)
			require.Equal(t, string(want.Out), string(got.Output), fmt.Sprintf("seed %d round %d: git %q in %s: %s", seed, round, args, top, got.Error))
		}
	}
}
