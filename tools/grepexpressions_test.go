package tools

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// expressionParts are put together at random: most of the results mean
// something, and not all that do are pretty.
var expressionParts = []string{
	"a", "b", "ab", "1", " ", ".", "*", "+", "?", "^", "$", "|", "(", ")", "()", "{", "}", "{2}", "{1,2}", "{,2}", "{2,}", "{0}", "{2,1}", "{x}", ",",
	`\(`, `\)`, `\|`, `\{`, `\}`, `\{2\}`, `\{1,\}`, `\+`, `\?`, `\w`, `\W`, `\s`, `\S`, `\b`, `\B`, `\.`, `\*`, `\\`,
	"[ab]", "[^a]", "[a-b]", "[]a]", "[^]]", "[[:digit:]]", "[[:space:][:alpha:]]", "[[:nope:]]", "[a", "[a-]", "[b-a]", "[[.a.]]", "[[=b=]]", "[\\w]", "(a|b)", "(ab)*", `\(ab\)*`, "-", "/",
}

// TestGrepOfRandomExpressions compares which lines expressions match, and which
// are refused with which words.
func TestGrepOfRandomExpressions(t *testing.T) {
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 5))
	top := fixtures.Build(t, "git init -q -b main .\n")
	var text strings.Builder
	for range 60 {
		for range r.IntN(7) {
			text.WriteString([]string{"a", "b", "ab", "1", " ", "_", "*", "+", "(", ")", "{", "}", "|", "-", "\\", ".", "^", "$", ",", "]"}[r.IntN(20)])
		}
		text.WriteByte('\n')
	}
	fixtures.Write(t, top, "f", text.String())
	fixtures.Git(t, top, "add", "f")
	tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
	for range 250 {
		var pattern strings.Builder
		for range 1 + r.IntN(5) {
			pattern.WriteString(expressionParts[r.IntN(len(expressionParts))])
		}
		params, args := map[string]any{"pattern": pattern.String()}, []string{"grep", "-n"}
		for name, arg := range map[string]string{"extended": "-E", "ignore_case": "-i", "word": "-w"} {
			if r.IntN(2) == 0 && (name == "extended" || r.IntN(3) == 0) {
				params[name], args = true, append(args, arg)
			}
		}
		want := fixtures.Ask(t, top, append(args, "-e", pattern.String())...)
		got := answerIn(t, tool, top, "grep", params)
		assert.Equal(t, string(want.Out), string(got.Output), "seed %d: git %q %q: %s%s", seed, args, pattern.String(), want.Err, got.Error)
		assert.Equal(t, want.Code < 2, got.Success, "seed %d: git %q %q: %s%s", seed, args, pattern.String(), want.Err, got.Error)
	}
}
