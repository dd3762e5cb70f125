package writer

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

var stashScripts = []struct{ name, script string }{
	{"nothing", ""},
	{"changed", "echo more >>f"},
	{"changed in directories", "echo more >>d/g; echo more >>d/e/h"},
	{"staged", "echo more >>f; git add f"},
	{"staged and changed again", "echo more >>f; git add f; echo again >>f"},
	{"staged and changed back", "cp f f0; echo more >>f; git add f; mv f0 f"},
	{"deleted", "rm f"},
	{"staged deletion", "git rm -q f"},
	{"staged deletion, file kept", "git rm -q --cached f"},
	{"staged deletion, file changed", "git rm -q --cached f; echo else >f"},
	{"staged new", "echo n >n; git add n"},
	{"staged new, changed", "echo n >n; git add n; echo m >>n"},
	{"staged new, gone", "echo n >n; git add n; rm n"},
	{"staged new in a directory", "mkdir -p n/m; echo n >n/m/o; git add n"},
	{"untracked", "echo n >n"},
	{"untracked beside a change", "echo n >n; echo more >>f"},
	{"mode", "chmod +x f; chmod -x x"},
	{"link changed", "ln -sf x l"},
	{"link to file", "rm l; echo l >l"},
	{"file to link", "rm f; ln -s x f"},
	{"file to directory", "rm f; mkdir f; echo n >f/n"},
	{"file to directory, staged", "git rm -q f; mkdir f; echo n >f/n; git add f"},
	{"directory to file", "rm -r d; echo d >d"},
	{"directory to file, staged", "git rm -q -r d; echo d >d; git add d"},
	{"directory to link", "rm -r d; ln -s s d"},
	{"detached", "git checkout -q --detach; echo more >>f"},
	{"second", "echo more >>f; git stash -q; echo else >>f"},
	{"intended", "echo n >n; git add -N n"},
	{"conflict", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; echo m >f; git commit -qam m; git merge -q side >/dev/null || true"},
	{"merge under way", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; git merge -q --no-ff --no-commit side >/dev/null || true"},
	{"skip worktree", "git update-index --skip-worktree f; echo more >>f; echo more >>d/g"},
	{"skip worktree, staged", "echo more >>f; git add f; git update-index --skip-worktree f; echo more >>d/g"},
	{"skip worktree, staged and gone", "echo more >>f; git add f; git update-index --skip-worktree f; rm f; echo more >>d/g"},
	{"crlf", "git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >f"},
	{"line ends only", "git config core.autocrlf input; printf 'one\\r\\n' >f; echo more >>d/g"},
	{"attributes", "echo '*.c text eol=crlf' >.gitattributes; git add .gitattributes; git commit -qm attr; printf 'a\\r\\nb\\r\\n' >s/a.c"},
	{"touched", "touch -d @1000 f; echo more >>d/g"},
	{"before the first commit", "git checkout -q --orphan o"},
	{"no identity", "git config user.useConfigOnly true; echo more >>f"},
	{"submodule moved on", "git init -q sub; git -C sub commit -q --allow-empty -m n; git add sub 2>/dev/null; git commit -qm sub; git -C sub commit -q --allow-empty -m m; echo more >>f"},
	{"a submodule alone", "git init -q sub; git -C sub commit -q --allow-empty -m n; git add sub 2>/dev/null"},
	{"a submodule beside a change", "git config diff.ignoreSubmodules all; git init -q sub; git -C sub commit -q --allow-empty -m n; git add sub 2>/dev/null; echo more >>f"},
	{"broken .gitmodules", "git init -q sub; git -C sub commit -q --allow-empty -m n; git add sub 2>/dev/null; printf '[submodule \"x' >.gitmodules; echo more >>f"},
	{"links are files", "git config core.symlinks false; rm l; printf else >l; echo more >>f"},
	{"cache tree", "git rev-parse HEAD >/dev/null; echo more >>d/e/h; git add d"},
}

func TestStashPushLikeGit(t *testing.T) {
	for _, c := range stashScripts {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tw := newTwins(t, workTree+c.script)
			answer := fixtures.Command{Dir: tw.git}.Run(t, "stash", "push")
			plan, err := open(t, tw.ours, "", sandbox.Policy{}).PlanStashPush(context.Background())
			err = apply(plan, err)
			if answer.Code == 0 {
				require.NoError(t, err)
				require.Equal(t, string(answer.Out), plan.Output)
			} else {
				require.Error(t, err, "git: %s%s", answer.Out, answer.Err)
				require.Equal(t, tw.plain(string(answer.Out)+string(answer.Err)), tw.plain(err.Error()))
			}
			tw.same(t)
		})
	}
}

// A file that is assumed to be unchanged is not stashed. git overwrites it all the same; ingit keeps it.
func TestStashPushKeepsWhatItDoesNotSave(t *testing.T) {
	dir := fixtures.Build(t, workTree+"git update-index --assume-unchanged f; echo mine >f; echo more >>d/g")
	require.NoError(t, apply(open(t, dir, "", sandbox.Policy{}).PlanStashPush(context.Background())))
	data, err := os.ReadFile(filepath.Join(dir, "f"))
	require.NoError(t, err)
	require.Equal(t, "mine\n", string(data))
}

// after are changes made between a push and a pop.
var after = []struct{ name, script string }{
	{"nothing", ""},
	{"same file elsewhere", "printf '0\\n1\\n2\\n3\\none\\n' >f; git commit -qam c"},
	{"same line", "echo else >f; git commit -qam c"},
	{"same line, not committed", "echo else >f"},
	{"same line, staged", "echo else >f; git add f"},
	{"the same change", "echo one >f; echo more >>f; git commit -qam c"},
	{"other file", "echo else >x; git commit -qam c"},
	{"other file, not committed", "echo else >x"},
	{"other file, staged", "echo else >x; git add x"},
	{"deleted", "git rm -q f d/g; git commit -qm c"},
	{"renamed", "git mv f g; git mv d/g d/z; git commit -qm c"},
	{"renamed directory", "git mv d dd; git commit -qm c"},
	{"untracked in the way", "echo mine >n; mkdir -p n2; echo mine >n2/m"},
	{"mode", "chmod +x f; git commit -qam c"},
	{"links are files", "git config core.symlinks false"},
	{"added", "echo other >n; git add n; git commit -qm c"},
	{"type", "rm f; ln -s x f; git commit -qam c"},
	{"directory for file", "git rm -q f; mkdir f; echo z >f/z; git add f; git commit -qm c"},
	{"file for directory", "git rm -q -r d; echo z >d; git add d; git commit -qm c"},
	{"branch switched", "git checkout -q -b other; echo z >z; git add z; git commit -qm z"},
	{"conflict", "git checkout -q -b side2; echo s >x; git commit -qam side; git checkout -q -; echo m >x; git commit -qam m; git merge -q side2 >/dev/null || true"},
}

// stashed are changes to be stashed that a pop can merge.
var stashed = []struct{ name, script string }{
	{"changed", "printf 'one\\nmore\\n' >f; echo more >>d/g"},
	{"new", "echo n >n; git add n; echo more >>f"},
	{"deleted", "rm f; git rm -q d/g"},
	{"mode", "chmod +x f; chmod -x x"},
	{"type", "rm f; ln -s d f"},
	{"binary", "printf 'a\\0b' >f; printf 'a\\0b' >d/g"},
	{"untracked", "echo n >n; echo more >>f"},
	{"untracked attributes", "mkdir u; echo '* text eol=crlf' >u/.gitattributes; echo n >u/n; echo more >>f"},
	{"only untracked", "echo n >n"},
	{"renamed", "git mv f ff; echo more >>ff; git mv d/g d/gg"},
	{"staged and changed", "echo staged >>f; git add f; echo more >>f; echo n >n; git add n; echo m >>n"},
}

func TestStashPopLikeGit(t *testing.T) {
	for _, first := range stashed {
		for _, then := range after {
			t.Run(first.name+"/"+then.name, func(t *testing.T) {
				t.Parallel()
				push := "git stash push -q\n"
				if strings.Contains(first.name, "untracked") {
					push = "git stash push -q -u\n"
				}
				tw := newTwins(t, workTree+first.script+"\n"+push+then.script)
				answer := fixtures.Command{Dir: tw.git}.Run(t, "stash", "pop")
				plan, err := open(t, tw.ours, "", sandbox.Policy{}).PlanStashPop(context.Background())
				err = apply(plan, err)
				if answer.Code == 0 {
					require.NoError(t, err, "git: %s%s", answer.Out, answer.Err)
				} else {
					require.Error(t, err, "git: %s%s", answer.Out, answer.Err)
				}
				if plan == nil {
					require.Contains(t, tw.plain(string(answer.Out)+string(answer.Err)), tw.plain(err.Error()))
				} else {
					require.Equal(t, string(answer.Out), plan.Output+statusIn(string(answer.Out))+plan.Trailer)
				}
				tw.same(t)
			})
		}
	}
}

// statusIn is the status in what git stash pop printed, which the plan does not hold.
func statusIn(out string) string {
	from := strings.Index(out, "On branch ")
	to := strings.LastIndex(out, "Dropped ")
	if to < 0 {
		to = strings.LastIndex(out, "The stash entry is kept")
	}
	if from < 0 || to < from {
		return ""
	}
	return out[from:to]
}
