package tools

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

func TestSubmodules(t *testing.T) {
	top := fixtures.Build(t, `
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git init -q -b main lib; cd lib; echo 1 > f; commit one; echo 2 > f; commit two; git branch old HEAD~1
git init -q -b main ../tagged; cd ../tagged; echo 1 > f; commit one; git tag light; echo 2 > f; commit two; git tag -a -m x v1; echo 3 > f; commit three
git init -q -b main ../repo; cd ../repo
for m in plain moved changed 'sp ace' gone off; do git submodule --quiet add ../lib "$m"; done
mkdir sub; git submodule --quiet add ../tagged sub/tagged; git submodule --quiet add ../tagged sub/light; git -C sub/light checkout -q light; git add .; git commit -q -m base
git -C moved checkout -q HEAD~1; echo x > changed/f; git submodule --quiet deinit -f gone; git config submodule.off.active false
git -C sub/tagged checkout -q v1; git clone -q . ../fresh
cd ..
`)
	for _, dir := range []string{"repo", "repo/sub", "fresh", "lib"} {
		at := filepath.Join(top, dir)
		tool := newTool(t, top, sandbox.Policy{})
		same(t, tool, at, "submodules", nil, "submodule", "status")
		if dir != "lib" {
			same(t, tool, at, "submodules", map[string]any{"files": []string{":/moved", ":/sub"}}, "submodule", "status", "--", ":/moved", ":/sub")
		}
	}
	fixtures.Git(t, filepath.Join(top, "repo"), "update-index", "--add", "--cacheinfo", "160000,1234567890123456789012345678901234567890,unmapped")
	same(t, newTool(t, top, sandbox.Policy{}), filepath.Join(top, "repo"), "submodules", nil, "submodule", "status")
	later := fixtures.Build(t, `
git init -q -b main lib; cd lib; echo 1 > f; commit one; echo 2 > f; commit two; git tag -a -m x v1
git init -q -b main ../repo; cd ../repo; git -c protocol.file.allow=always submodule --quiet add ../lib; git -C lib checkout -q HEAD~1; cd ..
`)
	got := answerIn(t, newTool(t, later, sandbox.Policy{}), filepath.Join(later, "repo"), "submodules", nil)
	assert.Contains(t, got.Error, "not built yet")
}
