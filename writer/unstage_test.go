package writer

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

func TestResetLikeGit(t *testing.T) {
	for _, c := range []struct {
		name, script string
		paths        []string
	}{
		{"nothing", "", nil},
		{"changes", "echo more >>f; git add f; echo n >n; git add n; rm x; git rm -q d/g; echo more >>d/e/h", nil},
		{"one path", "echo more >>f; echo n >n; git add f n; echo more >>d/g", []string{"f"}},
		{"a glob", "echo more >>f; echo n >n; git add f n", []string{"n*"}},
		{"a directory", "echo more >>f; echo more >>d/g; git add f d", []string{"d"}},
		{"no such path", "echo more >>f; git add f", []string{"nothing"}},
		{"intended", "echo n >n; git add -N n", nil},
		{"intended stays beside a path", "echo n >n; git add -N n; echo more >>f; git add f", []string{"f"}},
		{"type", "rm f; ln -s x f; rm l; echo l >l; chmod +x d/g", nil},
		{"file for a directory", "rm -r d; echo d >d", nil},
		{"directory for a file", "rm f; mkdir f; echo n >f/n; git add f", nil},
		{"link for a directory", "rm -r d; ln -s . d", nil},
		{"conflict", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; echo m >f; git commit -qam m; git merge -q side >/dev/null || true", nil},
		{"conflict, other path", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; echo m >f; git commit -qam m; git merge -q side >/dev/null || true; echo more >>x; git add x", []string{"x"}},
		{"conflict, that path", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; echo m >f; git commit -qam m; git merge -q side >/dev/null || true", []string{"f"}},
		{"conflict of a deleted file", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; git rm -q f; git commit -qm m; git merge -q side >/dev/null || true", nil},
		{"merge under way", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; git merge -q --no-ff --no-commit side >/dev/null || true", nil},
		{"before the first commit", "git checkout -q --orphan o", nil},
		{"before the first commit, path", "git checkout -q --orphan o", []string{"f"}},
		{"detached", "git checkout -q --detach; echo more >>f; git add f", nil},
		{"quiet", "git config reset.quiet true; echo more >>f; git add f", nil},
		{"flags", "git update-index --assume-unchanged f; git update-index --skip-worktree x; echo more >>f; echo more >>x; git add d", nil},
		{"sparse", "git sparse-checkout set --no-cone '/*' '!/d/'; git rm -q --cached --sparse d/g", nil},
		{"line ends", "git config core.autocrlf input; printf 'one\\r\\n' >f", nil},
		{"touched", "touch -d @1000 f; echo more >>d/g; git add d", nil},
		{"submodule moved on", "git init -q sub; git -C sub commit -q --allow-empty -m n; git add sub 2>/dev/null; git commit -qm sub; git -C sub commit -q --allow-empty -m m", nil},
		{"odd names", `printf x >"$(printf 'tab\tq"\\')"; git add .; git commit -qm odd; printf y >"$(printf 'tab\tq"\\')"`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tw := newTwins(t, workTree+c.script)
			args := []string{"reset"}
			if c.paths != nil {
				args = append(append(args, "--"), c.paths...)
			}
			answer := fixtures.Command{Dir: tw.git}.Run(t, args...)
			plan, err := open(t, tw.ours, "", sandbox.Policy{}).PlanReset(context.Background(), c.paths)
			require.NoError(t, apply(plan, err), "git: %s", answer.Err)
			require.Equal(t, string(answer.Out), plan.Output)
			tw.same(t)
		})
	}
}

func TestCreateBranchLikeGit(t *testing.T) {
	for _, c := range []struct{ name, script, branch, start string }{
		{"at HEAD", "", "new", ""},
		{"at HEAD, detached", "git checkout -q --detach", "new", ""},
		{"at a branch", "", "new/deep/er", "other"},
		{"at a tag", "", "new", "v2"},
		{"at an id", "", "new", "HEAD~1"},
		{"at a remote's branch", "", "new", "origin/feature"},
		{"at a remote's branch in full", "", "new", "refs/remotes/origin/feature"},
		{"at a remote's HEAD", "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/feature", "new", "origin"},
		{"rebasing", "git config branch.autoSetupRebase always", "new", "origin/feature"},
		{"no tracking", "git config branch.autoSetupMerge false", "new", "origin/feature"},
		{"simple, another name", "git config branch.autoSetupMerge simple", "new", "origin/feature"},
		{"simple, same name", "git config branch.autoSetupMerge simple", "feature", "origin/feature"},
		{"always", "git config branch.autoSetupMerge always", "new", "other"},
		{"inherit", "git config branch.autoSetupMerge always; git branch -q base other; git config branch.autoSetupMerge inherit", "new", "base"},
		{"two remotes for one ref", "git config remote.third.fetch '+refs/heads/*:refs/remotes/origin/*'", "new", "origin/feature"},
		{"exists", "", "other", ""},
		{"exists, packed", "git pack-refs --all", "other", ""},
		{"below another", "", "other/x", ""},
		{"above another", "git branch a/b", "a", ""},
		{"HEAD", "", "HEAD", ""},
		{"unknown start", "", "new", "nonsense"},
		{"tree", "", "new", "HEAD^{tree}"},
		{"unborn", "git checkout -q --orphan o", "new", ""},
		{"no logs", "git config core.logAllRefUpdates false", "new", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tw := newTwins(t, branches+c.script)
			args := []string{"branch", c.branch}
			if c.start != "" {
				args = append(args, c.start)
			}
			answer := fixtures.Command{Dir: tw.git}.Run(t, args...)
			plan, err := open(t, tw.ours, "", sandbox.Policy{}).PlanCreateBranch(context.Background(), sandbox.Branch(c.branch), sandbox.Rev(c.start))
			err = apply(plan, err)
			if answer.Code == 0 {
				require.NoError(t, err)
				require.Equal(t, string(answer.Out), plan.Output)
			} else {
				require.Error(t, err, "git: %s", answer.Err)
				require.Equal(t, tw.plain(lastLine(withoutHints(string(answer.Err)))), tw.plain(lastLine(err.Error())))
			}
			tw.same(t)
		})
	}
}

// lastLine is git's sentence behind the warnings.
func lastLine(text string) string {
	text = strings.TrimRight(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}
