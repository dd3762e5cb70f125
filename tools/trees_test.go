package tools

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// answerIn sends the operation with the parameters, seen from a folder.
func answerIn(t *testing.T, tool *Tool, dir, operation string, params map[string]any) Result {
	t.Helper()
	request := map[string]any{"operation": operation, "cwd": dir}
	for name, v := range params {
		request[name] = v
	}
	data, err := json.Marshal(request)
	require.NoError(t, err)
	return tool.Call(context.Background(), data)
}

const treesFixture = `
git init -q -b main repo
cd repo
mkdir -p dir/sub/deep dirx 'sp ace'
printf one > a.txt; printf two > dir/b; printf three > dir/sub/c; printf four > dir/sub/deep/d
printf x > dirx/e; printf y > 'sp ace/é'; printf '\000\001' > bin; : > empty
ln -s a.txt link; printf '#!/bin/sh\n' > tool; chmod +x tool
commit first
git -c protocol.file.allow=always submodule --quiet add "$PWD" module
commit 'with a submodule'
git tag -a -m 'the tag' v1
git tag light HEAD~1
git tag -a -m 'of a tree' treetag 'HEAD^{tree}'
git tag -a -m 'of a tag' tagtag v1
`

func TestLsTree(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, treesFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, dir := range []string{"", "dir", "dir/sub"} {
		for _, rev := range []string{"HEAD", "tagtag", "HEAD:dir"} {
			for _, path := range []string{"", "a.txt", "a.txt/", "dir", "dir/", "dir/sub", "dir/sub/", "b", "sub", "sub/", "../a.txt", "../", "..", ".", "./", "./dir/../dir/b", "module", "module/", "nothing", "di", "sp ace/"} {
				for _, flags := range [][]string{nil, {"-r", "-l"}} {
					at := filepath.Join(top, dir)
					params := map[string]any{"rev": rev}
					args := append(append([]string{"ls-tree"}, flags...), rev)
					if path != "" {
						params["path"] = path
						args = append(args, path)
					}
					for _, flag := range flags {
						params[map[string]string{"-r": "recursive", "-l": "long"}[flag]] = true
					}
					want := fixtures.Ask(t, at, args...)
					got := answerIn(t, tool, at, "ls_tree", params)
					if want.Code != 0 {
						assert.False(t, got.Success, "in %q: git %q fails: %s", dir, args, want.Err)
						continue
					}
					assert.True(t, got.Success, "in %q: git %q: %s", dir, args, got.Error)
					assert.Equal(t, string(want.Out), string(got.Output), "in %q: git %q", dir, args)
				}
			}
		}
	}
}

func TestCatFile(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, treesFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, object := range []string{"HEAD", "v1", "tagtag", "light", "HEAD^{tree}", "HEAD:a.txt", "HEAD:bin", "HEAD:empty", "HEAD:dir", "HEAD:link", ":a.txt", "HEAD:./a.txt", "nothing", "HEAD:nothing", "HEAD:dir/nothing", "0123456789012345678901234567890123456789"} {
		want := fixtures.Ask(t, top, "cat-file", "-p", object)
		got := answerIn(t, tool, top, "cat_file", map[string]any{"object": object})
		assert.Equal(t, want.Code == 0, got.Success, "%s: %s", object, got.Error)
		if got.Success {
			assert.Equal(t, string(want.Out), string(got.Output), object)
		}
	}
	dir := filepath.Join(top, "dir")
	for path, from := range map[string]string{"dir/b": "HEAD:dir/b", "./b": "HEAD:dir/b", "../a.txt": "", "bin": "HEAD:bin", "sp ace/é": "HEAD:sp ace/é"} {
		got := answerIn(t, tool, dir, "cat_file", map[string]any{"path": path})
		if from == "" {
			from = "HEAD:" + path
		}
		want := fixtures.Ask(t, dir, "cat-file", "-p", from)
		assert.Equal(t, want.Code == 0, got.Success, "%s: %s", path, got.Error)
		assert.Equal(t, string(want.Out), string(got.Output), path)
	}
}

func TestRevParse(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, treesFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, rev := range []string{"HEAD", "@", "main", "v1", "v1^{}", "v1^0", "tagtag^{commit}", "HEAD~1", "HEAD^", "HEAD^2", "HEAD:dir", ":bin", "light^{tree}", "nothing", "HEAD@{0}", "HEAD~99"} {
		want := fixtures.Ask(t, top, "rev-parse", "--verify", rev)
		got := answerIn(t, tool, top, "rev_parse", map[string]any{"rev": rev})
		assert.Equal(t, want.Code == 0, got.Success, "%s: %s", rev, got.Error)
		if got.Success {
			assert.Equal(t, string(want.Out), string(got.Output), rev)
		}
	}
	for _, rev := range []string{"--all", "-f", ""} {
		got := answerIn(t, tool, top, "rev_parse", map[string]any{"rev": rev})
		assert.False(t, got.Success, rev)
	}
}

func TestOutputLimit(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, treesFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{Limits: sandbox.Limits{OutputBytes: 100}})
	got := answerIn(t, tool, top, "ls_tree", nil)
	assert.Equal(t, "fatal: limit OutputBytes of 100 exceeded", got.Error)
	var limit *sandbox.LimitError
	require.ErrorAs(t, got.Err, &limit)
	got = answerIn(t, tool, top, "ls_tree", map[string]any{"max_lines": 1})
	assert.True(t, got.Success && got.Truncated, got.Error)
}
