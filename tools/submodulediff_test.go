package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const submoduleFixture = `
git init -q -b main sub
cd sub
seq 1 20 > a; commit 'sub one'
sed -i s/^5$/five/ a; echo b > b; commit 'sub two'
git branch two
git checkout -q -b side HEAD~1; echo side > c; commit 'on the side'
git checkout -q main; git merge -q --no-edit side; echo more >> a; commit 'after the merge'
cd ..
git init -q -b main repo
cd repo
echo x > x; commit base
git -c protocol.file.allow=always submodule --quiet add ../sub m 2>/dev/null
git -c protocol.file.allow=always submodule --quiet add --name other/name ../sub 'dir/with space' 2>/dev/null
commit 'both new'
git -C m checkout -q two; git add m; commit 'm backwards'
git -C m checkout -q side; git add m; commit 'm sideways'
git -C 'dir/with space' checkout -q HEAD~2; commit 'other backwards'
git rm -q --cached m; echo y > m.txt; commit 'm gone'
git checkout -q HEAD~1 2>/dev/null
git update-index --cacheinfo 160000,1234567890123456789012345678901234567890,m; git commit -q -m 'm lost'
git update-index --cacheinfo 160000,2234567890123456789012345678901234567890,m; git commit -q -m 'm lost again'
git update-index --add --cacheinfo 160000,2234567890123456789012345678901234567890,nowhere; git commit -q -m 'nowhere'
git rm -q --cached m; echo file > ../m; git update-index --add --cacheinfo 100644,$(git hash-object -w ../m),m; git commit -q -m 'm a file'
git checkout -q -f HEAD~4 2>/dev/null
`

// TestSubmoduleFormats compares diff.submodule's formats: new, moved on, back,
// aside, lost, gone, changed in the work tree, and without a work tree.
func TestSubmoduleFormats(t *testing.T) {
	root := fixtures.Build(t, submoduleFixture)
	top := filepath.Join(root, "repo")
	all := strings.Fields(string(fixtures.Git(t, top, "rev-list", "--all", "--reflog")))
	for _, state := range []string{"", "changed", "untracked", "absent", "removed", "full"} {
		switch state {
		case "changed":
			fixtures.Write(t, top, "m/a", "changed\n")
			fixtures.Git(t, filepath.Join(top, "dir/with space"), "checkout", "-q", "main")
		case "untracked":
			fixtures.Write(t, top, "m/untracked", "new\n")
			fixtures.Git(t, top, "config", "diff.ignoreSubmodules", "none")
		case "absent":
			fixtures.Git(t, top, "config", "--unset", "diff.ignoreSubmodules")
			fixtures.Git(t, top, "submodule", "--quiet", "deinit", "-f", "--all")
			fixtures.Git(t, top, "rm", "-q", "--cached", "x")
		case "removed":
			assert.NoError(t, os.RemoveAll(filepath.Join(top, "m")))
			assert.NoError(t, os.RemoveAll(filepath.Join(top, "dir")))
		case "full":
			fixtures.Write(t, top, "m/no repository", "x\n")
		}
		for _, format := range []string{"short", "log", "diff", "wrong"} {
			fixtures.Git(t, top, "config", "diff.submodule", format)
			tool := newTool(t, root, sandbox.Policy{})
			compare := func(args []string, params map[string]any) {
				want := fixtures.Ask(t, top, append(append([]string{"diff"}, args...), "--", ".")...)
				got := answerIn(t, tool, top, "diff", params)
				assert.Equal(t, string(want.Out), string(got.Output), "%s %s %v: %s", state, format, args, got.Error)
			}
			compare(nil, map[string]any{})
			compare([]string{"--cached"}, map[string]any{"cached": true})
			for i, id := range all {
				compare([]string{id}, map[string]any{"from": id})
				compare([]string{"--stat", id}, map[string]any{"from": id, "stat": true})
				if i > 0 {
					compare([]string{id, all[i-1]}, map[string]any{"from": id, "to": all[i-1]})
					compare([]string{all[i-1], id}, map[string]any{"from": all[i-1], "to": id})
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}
