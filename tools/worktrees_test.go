package tools

import (
	"path/filepath"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

func TestWorktrees(t *testing.T) {
	top := fixtures.Build(t, `
git init -q -b main repo; cd repo; echo 1 > f; commit one; git branch other; git branch third
git worktree add -q ../zz other; git worktree add -q --detach ../aa; git worktree add -q ../locked third; git worktree add -q --detach ../gone; git worktree add -q --detach ../why
git worktree lock ../locked; git worktree lock --reason 'on a "stick"' ../why; rm -r ../gone
git worktree add -q -b unborn ../fresh; git -C ../fresh checkout -q --orphan nothing; mkdir .git/worktrees/empty
git init -q --bare ../bare.git; git push -q ../bare.git main; git -C ../bare.git worktree add -q ../ofbare main
git init -q ../plain
cd ..
`)
	for _, dir := range []string{"repo", "zz", "fresh", "bare.git", "ofbare", "plain"} {
		at := filepath.Join(top, dir)
		same(t, newTool(t, top, sandbox.Policy{}), at, "worktrees", nil, "worktree", "list", "--porcelain")
	}
}
