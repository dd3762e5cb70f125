package writer

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// branches has three of them that differ in every way.
const branches = `
git init -q -b main
mkdir -p d/e
echo one >f; echo two >d/g; echo three >d/e/h; echo x >x; chmod +x x; ln -s f l; echo same >same
commit first
git checkout -q -b other
echo changed >f; git rm -q -r d; echo file >d; git rm -q l; mkdir l; echo l >l/l; echo new >new; chmod -x x
commit other
git checkout -q main
echo more >>d/g
commit second
git tag v1
git tag -a -m annotated v2
git update-ref refs/remotes/origin/feature other
git update-ref refs/remotes/origin/twice other
git update-ref refs/remotes/second/twice other
git config remote.origin.url /nowhere
git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
git config remote.second.url /nowhere
git config remote.second.fetch '+refs/heads/*:refs/remotes/second/*'
`

func TestCheckoutLikeGit(t *testing.T) {
	for _, c := range []struct{ name, script, branch string }{
		{"branch", "", "other"},
		{"and back", "git checkout -q other", "main"},
		{"the same", "", "main"},
		{"tag", "", "v1"},
		{"annotated tag", "", "v2"},
		{"detached to detached", "git checkout -q --detach", "v1"},
		{"detached to another", "git checkout -q --detach other", "v1"},
		{"detached to branch", "git checkout -q --detach", "other"},
		{"tracking", "", "feature"},
		{"tracking with a directory", "git update-ref refs/remotes/origin/a/b other", "a/b"},
		{"tracking, rebase", "git config branch.autoSetupRebase always", "feature"},
		{"tracking switched off", "git config branch.autoSetupMerge false", "feature"},
		{"two remotes", "", "twice"},
		{"two remotes, one preferred", "git config checkout.defaultRemote second", "twice"},
		{"no guessing", "git config checkout.guess false", "feature"},
		{"a file and a remote branch", "git update-ref refs/remotes/origin/f other", "f"},
		{"nothing of that name", "", "nonsense"},
		{"a blob", "git tag blob HEAD:f", "blob"},
		{"a tree", "git tag tree HEAD^{tree}", "tree"},
		{"links are files", "git checkout -q other; git config core.symlinks false", "main"},
		{"broken .gitmodules", "git init -q sub; git -C sub commit -q --allow-empty -m n; git add sub 2>/dev/null; printf '[submodule \"x' >.gitmodules; git add .; git commit -qm broken", "v1"},
		{"local change carried", "echo mine >same", "other"},
		{"local change refused", "echo mine >f", "other"},
		{"two refused", "echo mine >f; echo mine >x", "other"},
		{"staged change carried", "echo mine >same; git add same", "other"},
		{"staged change refused", "echo mine >f; git add f", "other"},
		{"staged and changed again", "echo mine >f; git add f; echo again >f", "other"},
		{"staged as there", "echo changed >f; git add f", "other"},
		{"staged as there, edited after", "echo changed >f; git add f; echo mine >f", "other"},
		{"staged deletion", "git rm -q f", "other"},
		{"staged deletion of what goes", "git rm -q d/g", "other"},
		{"staged new", "echo new >fresh; git add fresh", "other"},
		{"staged new in the way", "echo mine >new; git add new", "other"},
		{"staged new as there", "echo new >new; git add new", "other"},
		{"deleted file", "rm f", "other"},
		{"deleted directory", "rm -r d", "other"},
		{"mode changed", "chmod +x f", "other"},
		{"mode changed elsewhere", "chmod +x same", "other"},
		{"link to file", "rm l; echo f >l", "other"},
		{"file to link", "rm f; ln -s x f", "other"},
		{"untracked in the way", "echo mine >new", "other"},
		{"identical untracked in the way", "echo new >new", "other"},
		{"ignored in the way", "echo new >.git/info/exclude; echo mine >new", "other"},
		{"untracked in a removed directory", "echo mine >d/mine", "other"},
		{"ignored in a removed directory", "echo mine >.git/info/exclude; echo mine >d/mine", "other"},
		{"ignored by a file in a removed directory", "echo mine >d/.gitignore; git add d/.gitignore; git commit -qm i; echo mine >d/mine", "other"},
		{"ignored by the top's file in a removed directory", "echo mine >.gitignore; git add .gitignore; git commit -qm i; echo mine >d/mine; echo mine >d/e/mine", "other"},
		{"ignored directory in a removed directory", "echo sub/ >.gitignore; git add .gitignore; git commit -qm i; mkdir d/sub; echo mine >d/sub/mine", "other"},
		{"untracked elsewhere", "mkdir u; echo u >u/u", "other"},
		{"untracked directory in the way", "mkdir new; echo u >new/u", "other"},
		{"ignored directory in the way", "echo new/ >.git/info/exclude; mkdir new; echo u >new/u", "other"},
		{"empty directory in the way", "mkdir -p new/a/b", "other"},
		{"untracked where staged deletion was", "git rm -q --cached d/g", "other"},
		{"untracked file for a directory", "git checkout -q other; git rm -q -r l; echo mine >l", "main"},
		{"edited in a replaced directory", "echo mine >d/e/h", "other"},
		{"conflict", "git checkout -q other; git merge -q main >/dev/null || true", "main"},
		{"merge under way, resolved", "git checkout -q -b side HEAD^; echo s >same; commit side; git checkout -q main; git merge -q --no-commit side >/dev/null || true", "other"},
		{"intent to add", "echo n >n; git add -N n", "other"},
		{"assume unchanged", "git update-index --assume-unchanged f", "other"},
		{"assume unchanged, changed", "git update-index --assume-unchanged f; echo mine >f", "other"},
		{"skip worktree", "git update-index --skip-worktree f", "other"},
		{"skip worktree, deleted", "git update-index --skip-worktree f; rm f", "other"},
		{"orphan with files", "git checkout -q --orphan o", "other"},
		{"orphan without", "git checkout -q --orphan o; git rm -q -rf .", "other"},
		{"sparse", "git sparse-checkout set --no-cone '/*' '!/new' '!/d/'", "other"},
		{"sparse cone", "git sparse-checkout set d/e", "other"},
		{"sparse cone back", "git checkout -q other; git sparse-checkout set d/e", "main"},
		{"elsewhere", "git worktree add -q ../wt other", "other"},
		{"submodule appears", "git checkout -q other; git init -q sub; git -C sub commit -q --allow-empty -m s; git add sub 2>/dev/null; git commit -qm sub; git checkout -q main 2>/dev/null", "other"},
		{"submodule goes", "git checkout -q other; git init -q sub; git -C sub commit -q --allow-empty -m s; git add sub 2>/dev/null; git commit -qm sub", "main"},
		{"touched", "touch -d @1000 f d/g", "other"},
		{"branch deleted under HEAD", "git update-ref -d refs/heads/main", "other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tw := newTwins(t, "mkdir top; cd top\n"+branches+c.script)
			tw.git, tw.ours = tw.git+"/top", tw.ours+"/top"
			answer := fixtures.Command{Dir: tw.git}.Run(t, "checkout", "-q", c.branch)
			w := open(t, tw.ours, "", sandbox.Policy{Allowed: []string{strings.TrimSuffix(tw.ours, "/top")}})
			err := apply(w.PlanCheckout(context.Background(), sandbox.Branch(c.branch)))
			if answer.Code == 0 {
				require.NoError(t, err)
			} else {
				require.Error(t, err, "git: %s", answer.Err)
				got := strings.ReplaceAll(err.Error(), strings.TrimSuffix(tw.ours, "/top"), strings.TrimSuffix(tw.git, "/top"))
				require.Equal(t, tw.plain(withoutHints(string(answer.Err))), tw.plain(got))
			}
			tw.same(t)
		})
	}
}

// withoutHints drops the lines of advice, which are no part of an error.
func withoutHints(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "hint:") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
