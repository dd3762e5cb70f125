package sandbox

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	unsafe := []string{
		"--exec=x", "--EXEC=x", "--upload-pack=", "--receive-pack=cmd", "--Pager=less", "--editor=vi",
		"a --exec=x", "a  --exec=x", "--no-verify", "--No-Verify", "x --no-verify y", "-c", "-C", "m -c core.editor=touch",
		"-c=x", "-C=x", "a;b", "a|b", "a>b", "a<b", "a`b", "$(x)", "a$(", "f.txt\x00x", "\x00",
	}
	safe := []string{
		"", " ", "main", "src/main.zig", "--exec", "-- exec=", "x--exec=y", "--exec-path=x", "--no-verify-signatures", "-cached",
		"--cached", "-ca", "a-c", "fix: -cc", "$x", "${x}", "$ (x)", "()", "a&b", "a\n-c", "line\n--no-verify", "\t-c", "'\"\\", "ü", "\xff",
		"*", "?", "~", "!", "#", "%", "&&",
	}
	for _, value := range unsafe {
		err := Policy{}.Check("branch", value)
		var e *UnsafeError
		require.ErrorAs(t, err, &e, "%q", value)
		require.Equal(t, UnsafeError{Param: "branch", Value: value}, *e)
		require.EqualError(t, err, "Unsafe git arguments detected")
		require.ErrorIs(t, err, fs.ErrPermission)
	}
	for _, value := range safe {
		require.NoError(t, Policy{}.Check("branch", value), "%q", value)
	}
	literal := Policy{Validation: Literal}
	require.NoError(t, literal.Check("message", "a -> b; c `d` $(e) -c --no-verify"))
	require.Error(t, literal.Check("message", "a\x00b"))
}

func TestParse(t *testing.T) {
	type parser func(p Policy, param, value string) (string, error)
	branch := func(p Policy, param, value string) (string, error) {
		v, err := ParseBranch(p, param, value)
		return string(v), err
	}
	rev := func(p Policy, param, value string) (string, error) {
		v, err := ParseRev(p, param, value)
		return string(v), err
	}
	date := func(p Policy, param, value string) (string, error) {
		v, err := ParseDate(p, param, value)
		return string(v), err
	}
	path := func(p Policy, param, value string) (string, error) {
		v, err := ParsePath(p, param, value)
		return string(v), err
	}
	tests := []struct {
		parse parser
		value string
		text  string // of the error
	}{
		{branch, "main", ""},
		{branch, "feature/x-1_2.3", ""},
		{branch, "größe/ветка", ""},
		{branch, "v1.0", ""},
		{branch, "-", "'-' is not a valid branch name"},
		{branch, "--", "'--' is not a valid branch name"},
		{branch, "--orphan=evil", "'--orphan=evil' is not a valid branch name"},
		{branch, "feature\nmain", "'feature\nmain' is not a valid branch name"},
		{branch, "", "'' is not a valid branch name"},
		{branch, "@{-1}", "'@{-1}' is not a valid branch name"},
		{branch, "main; rm -rf /", "Unsafe git arguments detected"},
		{branch, "a|b", "Unsafe git arguments detected"},
		{rev, "HEAD~3", ""},
		{rev, "a..b", ""},
		{rev, "^a", ""},
		{rev, ":/fix", ""},
		{rev, "-f", "bad revision '-f'"},
		{rev, "--all", "bad revision '--all'"},
		{rev, "--format=evil", "bad revision '--format=evil'"},
		{rev, "", "bad revision ''"},
		{rev, "HEAD;x", "Unsafe git arguments detected"},
		{date, "2 weeks ago", ""},
		{date, "-1", "invalid date '-1' for since"},
		{date, "--exec=x", "Unsafe git arguments detected"},
		{path, "--output=x", ""},
		{path, "../x", ""},
		{path, "", "empty string is not a valid path for since"},
		{path, "a\x00b", "Unsafe git arguments detected"},
	}
	for _, tt := range tests {
		got, err := tt.parse(Policy{}, "since", tt.value)
		if tt.text != "" {
			require.EqualError(t, err, tt.text, "%q", tt.value)
			require.Empty(t, got)
			continue
		}
		require.NoError(t, err, "%q", tt.value)
		require.Equal(t, tt.value, got)
	}
	specs, err := ParsePathspecs(Policy{}, "files", "a b", "--output=x", ":(top)x")
	require.NoError(t, err)
	require.Equal(t, []Pathspec{"a b", "--output=x", ":(top)x"}, specs)
	_, err = ParsePathspecs(Policy{}, "files", "a", "")
	require.EqualError(t, err, "empty string is not a valid pathspec. please use . instead if you meant to match all paths")
	_, err = ParsePathspecs(Policy{}, "files", "a", "$(b)")
	require.EqualError(t, err, "Unsafe git arguments detected")
}

func TestLimits(t *testing.T) {
	l := Limits{}.WithDefaults()
	require.EqualValues(t, 1<<30, l.ObjectBytes)
	require.Equal(t, 4096, l.DeltaDepth)
	require.Equal(t, l, l.WithDefaults())
	l = Limits{ObjectBytes: -1, DeltaDepth: 7, TreeDepth: -5}.WithDefaults()
	require.Greater(t, l.ObjectBytes, int64(1<<60))
	require.Equal(t, 7, l.DeltaDepth)
	require.Greater(t, l.TreeDepth, 1<<30)
	require.EqualError(t, &LimitError{Limit: "DeltaDepth", Max: 7}, "limit DeltaDepth of 7 exceeded")
}
