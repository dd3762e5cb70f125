package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// Short names over the characters that the rules speak of are judged as git judges them.
func TestBranchNamesAsGitJudgesThem(t *testing.T) {
	fixtures.RequireGit(t)
	names := []string{
		"HEAD", "a.lock", "a.lock/b", "a.lock.", ".lock", "a/.lock", "a..b", "a@{b", "@@", "a@", "a{", "x.locky",
		"\x7f", "a\x01", "é", "\xff\xfe", "refs/heads/x",
	}
	for _, first := range []string{"a", "/", ".", "@", "{", "~", "^", ":", "?", "*", "[", "\\", " ", "\t"} {
		for _, second := range []string{"", "a", "/", ".", "@", "{", "~", "\\"} {
			names = append(names, first+second, first+second+"a", "b"+first+second)
		}
	}
	literal := sandbox.Policy{Validation: sandbox.Literal}
	dir := t.TempDir()
	for _, name := range names {
		answer := fixtures.Ask(t, dir, "check-ref-format", "refs/heads/"+name)
		_, err := sandbox.ParseBranch(literal, "branch", name)
		want := answer.Code == 0 && name != "@"
		require.Equal(t, want, err == nil, "%q", name)
	}
}
