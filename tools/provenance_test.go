package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

func TestProvenanceAndDirty(t *testing.T) {
	top := fixtures.Build(t, `
git init -q -b main .; echo 1 >f; commit one; git tag -a -m x v1; echo 2 >f; commit two; git tag light; git remote add origin https://me:secret@example.com/r.git
`)
	tool := newTool(t, top, sandbox.Policy{})
	head := strings.TrimSpace(string(fixtures.Git(t, top, "rev-parse", "HEAD")))
	answer := func(operation string, params map[string]any) string {
		got := answerIn(t, tool, top, operation, params)
		require.True(t, got.Success, got.Error)
		return string(got.Output)
	}
	rest := "tag light\nnearest light\nremote https://example.com/r.git\ndirty %t\nshallow false\nlinked false\n"
	assert.Equal(t, "head "+head+"\nbranch main\n"+fmt.Sprintf(rest, false), answer("provenance", nil))
	assert.Equal(t, "false\n", answer("is_dirty", nil))
	require.NoError(t, os.WriteFile(filepath.Join(top, "new"), nil, 0o666))
	assert.Equal(t, "false\n", answer("is_dirty", nil))
	assert.Equal(t, "true\n", answer("is_dirty", map[string]any{"untracked": true}))
	require.NoError(t, os.WriteFile(filepath.Join(top, "f"), []byte("3\n"), 0o666))
	assert.Equal(t, "true\n", answer("is_dirty", nil))
	fixtures.Git(t, top, "checkout", "-q", "--detach")
	assert.Equal(t, "head "+head+"\ndetached\n"+fmt.Sprintf(rest, true), answer("provenance", nil))
}

func TestLastCommits(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, logFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, test := range []struct {
		dir    string
		params map[string]any
		list   []string
	}{
		{"", map[string]any{}, []string{"HEAD"}},
		{"", map[string]any{"recursive": true}, []string{"-r", "HEAD"}},
		{"", map[string]any{"rev": "side", "path": "d"}, []string{"side", "d/"}},
		{"d", map[string]any{}, []string{"HEAD"}},
		{"d", map[string]any{"path": ".."}, []string{"HEAD", "../"}},
	} {
		at := filepath.Join(top, test.dir)
		want := ""
		for name := range strings.Lines(string(fixtures.Git(t, at, append([]string{"ls-tree", "--name-only"}, test.list...)...))) {
			rev, ok := test.params["rev"].(string)
			if !ok {
				rev = "HEAD"
			}
			id := strings.TrimSpace(string(fixtures.Git(t, at, "log", "-1", "--format=%H", rev, "--", strings.TrimSpace(name))))
			want += id + "\t" + name
		}
		got := answerIn(t, tool, at, "last_commits", test.params)
		require.True(t, got.Success, got.Error)
		assert.Equal(t, want, string(got.Output), "%v", test)
	}
}
