package writer

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const twoCommits = `
git init -q -b main
mkdir -p d/e
echo one >f; echo two >d/g; echo three >d/e/h
commit first
echo more >>d/g
commit second
`

// mergeOf has commits merged that may contain one another.
func mergeOf(heads string) string {
	return twoCommits + "git checkout -q -b side HEAD^\necho s >s\ncommit side\necho t >s\ncommit side\ngit checkout -q main\n" +
		"git rev-parse " + heads + " >.git/MERGE_HEAD\necho m >m\ngit add m\n"
}

func TestCommitLikeGit(t *testing.T) {
	for _, c := range []struct{ name, script, message string }{
		{"first", "git init -q -b main\necho a >a\ngit add a", "first"},
		{"damaged text", twoCommits + "echo x >f\ngit add f", "caf\xe9 \xef\xbf\xbe"},
		{"sign of comments by the message", twoCommits + "git config commit.cleanup strip\ngit config core.commentChar auto\necho x >f\ngit add f", "# one\n; two"},
		{"in a directory", twoCommits + "echo x >d/e/x\ngit add d", "add x"},
		{"detached", twoCommits + "git checkout -q --detach\necho x >f\ngit add f", "on no branch"},
		{"packed branch", twoCommits + "git pack-refs --all\necho x >f\ngit add f", "packed"},
		{"branch with directories", twoCommits + "git checkout -q -b a/b/c\necho x >f\ngit add f", "deep"},
		{"orphan", twoCommits + "git checkout -q --orphan o/p", "orphan"},
		{"orphan where an empty directory is", twoCommits + "mkdir -p .git/refs/heads/o/p .git/logs/refs/heads/o\ngit checkout -q --orphan o", "orphan"},
		{"all gone", twoCommits + "git rm -q -r .", "empty tree"},
		{"message to be tidied", twoCommits + "echo x >f\ngit add f", "\n\n  subject  \t\n\n\n\nbody  \n# no comment\n\n\n"},
		{"message with a cut subject", twoCommits + "echo x >f\ngit add f", "one\ttwo\n three\n\nbody"},
		{"cleanup strip", twoCommits + "git config commit.cleanup strip\necho x >f\ngit add f", "s\n# comment\nbody"},
		{"cleanup verbatim", twoCommits + "git config commit.cleanup verbatim\necho x >f\ngit add f", "\n s  \n\n\nbody"},
		{"encoding", twoCommits + "git config i18n.commitEncoding ISO-8859-1\necho x >f\ngit add f", "latin"},
		{"intent to add stays out", twoCommits + "echo x >f\necho n >d/n\ngit add f\ngit add -N d/n\nmkdir i\necho i >i/i\ngit add -N i/i", "without n"},
		{"flags stay", twoCommits + "echo x >f\ngit add f\ngit update-index --assume-unchanged d/g\ngit update-index --skip-worktree d/e/h", "flags"},
		{"merge", twoCommits + "git checkout -q -b side HEAD^\necho s >s\ncommit side\ngit checkout -q main\ngit merge -q --no-commit --no-ff side || true", "merged"},
		{"conflict resolved", twoCommits + "git checkout -q -b side HEAD^\necho s >f\ncommit side\ngit checkout -q main\necho m >f\ncommit main\ngit merge -q side >/dev/null || true\necho r >f\ngit add f", "resolved"},
		{"merge that keeps ours", twoCommits + "git checkout -q -b side HEAD^\necho s >f\ncommit side\ngit checkout -q main\ngit merge -q -s ours --no-commit side", "ours"},
		{"merge of the same twice", mergeOf("side side"), "twice"},
		{"merge of a commit and its parent", mergeOf("side^ side"), "one is in the other"},
		{"merge of what HEAD has", mergeOf("HEAD^"), "nothing new"},
		{"merge of what HEAD has, no fast-forward", mergeOf("HEAD^ side") + "printf no-ff >.git/MERGE_MODE", "whole"},
		{"merge of what has HEAD", twoCommits + "git rev-parse HEAD >M\ngit reset -q --soft HEAD^\nmv M .git/MERGE_HEAD", "forward"},
		{"merge before the first commit", twoCommits + "git rev-parse HEAD >.git/MERGE_HEAD\ngit checkout -q --orphan o", "orphan"},
		{"cherry-pick", twoCommits + "git checkout -q -b side HEAD^\necho s >f\nGIT_AUTHOR_NAME=Else commit side\ngit checkout -q main\necho m >f\ncommit main\ngit cherry-pick side >/dev/null 2>&1 || true\necho r >f\ngit add f", "picked"},
		{"revert", twoCommits + "echo m >f\ncommit main\necho n >f\ncommit main\ngit revert --no-edit HEAD^ >/dev/null 2>&1 || true\necho r >f\ngit add f", "reverted"},
		{"no reflogs wanted", "git init -q -b main\ngit config core.logAllRefUpdates false\necho a >a\ngit add a", "quiet"},
		{"index version 4", twoCommits + "git config index.version 4\ngit update-index --index-version 4\necho x >f\ngit add f", "v4"},
		{"submodule", twoCommits + "git init -q sub\ngit -C sub commit -q --allow-empty -m s\ngit add sub 2>/dev/null", "sub"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tw := newTwins(t, c.script)
			fixtures.Git(t, tw.git, "commit", "-q", "-m", c.message)
			w := open(t, tw.ours, "", sandbox.Policy{})
			require.NoError(t, apply(w.PlanCommit(context.Background(), CommitOptions{Message: c.message})))
			tw.same(t)
		})
	}
}

func TestCommitRefusedLikeGit(t *testing.T) {
	conflict := twoCommits + "git checkout -q -b side HEAD^\necho s >f\ncommit side\ngit checkout -q main\necho m >f\ncommit main\ngit merge -q side >/dev/null || true\n"
	for _, c := range []struct {
		name, script, message string
		want                  error
	}{
		{"conflict", conflict, "too early", ErrUnmerged},
		{"nothing", twoCommits, "nothing", ErrNothingToCommit},
		{"nothing at all", "git init -q -b main", "nothing", ErrNothingToCommit},
		{"intended only", "git init -q -b main\necho a >a\ngit add -N a", "nothing", ErrNothingToCommit},
		{"white space", twoCommits + "echo x >f\ngit add f", " \n\t\n", ErrEmptyAfterCleanup},
		{"comments only", twoCommits + "git config commit.cleanup strip\necho x >f\ngit add f", "# only\n", ErrEmptyAfterCleanup},
	} {
		t.Run(c.name, func(t *testing.T) {
			tw := newTwins(t, c.script)
			require.NotEqual(t, 0, fixtures.Ask(t, tw.git, "commit", "-q", "-m", c.message).Code)
			os.Remove(filepath.Join(tw.git, ".git", "COMMIT_EDITMSG"))
			os.Remove(filepath.Join(tw.ours, ".git", "COMMIT_EDITMSG"))
			w := open(t, tw.ours, "", sandbox.Policy{})
			require.ErrorIs(t, apply(w.PlanCommit(context.Background(), CommitOptions{Message: c.message})), c.want)
			tw.same(t)
		})
	}
}

func TestCommitRefusesWhatWouldRunPrograms(t *testing.T) {
	hook := twoCommits + "echo x >f\ngit add f\nprintf '#!/bin/sh\\nexit 1\\n' >.git/hooks/%s\nchmod +x .git/hooks/*\n"
	for name, script := range map[string]string{
		"pre-commit":   hook + "mv .git/hooks/%s .git/hooks/pre-commit",
		"commit-msg":   hook + "mv .git/hooks/%s .git/hooks/commit-msg",
		"elsewhere":    twoCommits + "echo x >f\ngit add f\nmkdir h\nprintf '#!/bin/sh\\n' >h/pre-commit\nchmod +x h/pre-commit\ngit config core.hooksPath h",
		"a link":       twoCommits + "echo x >f\ngit add f\nln -s /bin/false .git/hooks/pre-commit",
		"out of sight": twoCommits + "echo x >f\ngit add f\ngit config core.hooksPath /usr",
	} {
		t.Run(name, func(t *testing.T) {
			dir := fixtures.Build(t, "mkdir -p .git/hooks\n"+script)
			before := state(t, dir)
			w := open(t, dir, "", sandbox.Policy{})
			_, err := w.PlanCommit(context.Background(), CommitOptions{Message: "m"})
			require.Error(t, err)
			require.Equal(t, before, state(t, dir))
			require.NoError(t, apply(open(t, dir, "", sandbox.Policy{SkipHooks: true}).PlanCommit(context.Background(), CommitOptions{Message: "m"})))
		})
	}
	dir := fixtures.Build(t, twoCommits+"echo x >f\ngit add f\ngit config commit.gpgSign true")
	_, err := open(t, dir, "", sandbox.Policy{}).PlanCommit(context.Background(), CommitOptions{Message: "m"})
	var signing *SigningError
	require.ErrorAs(t, err, &signing)
}

func TestCommitUnderALock(t *testing.T) {
	for _, lock := range []string{".git/index.lock", ".git/refs/heads/main.lock", ".git/HEAD.lock"} {
		t.Run(lock, func(t *testing.T) {
			dir := fixtures.Build(t, twoCommits+"echo x >f\ngit add f")
			fixtures.Write(t, dir, lock, "")
			before := state(t, dir)
			err := apply(open(t, dir, "", sandbox.Policy{}).PlanCommit(context.Background(), CommitOptions{Message: "m"}))
			var lockErr *LockError
			require.ErrorAs(t, err, &lockErr)
			require.Equal(t, filepath.Join(dir, lock), lockErr.Path)
			require.Equal(t, before, state(t, dir))
			require.NoError(t, os.Remove(filepath.Join(dir, lock)))
			require.NoError(t, apply(open(t, dir, "", sandbox.Policy{}).PlanCommit(context.Background(), CommitOptions{Message: "m"})))
		})
	}
}

func TestApplyRefusesWhenTheRepositoryMovedOn(t *testing.T) {
	dir := fixtures.Build(t, twoCommits+"echo x >f\ngit add f")
	plan, err := open(t, dir, "", sandbox.Policy{}).PlanCommit(context.Background(), CommitOptions{Message: "m"})
	require.NoError(t, err)
	require.NotEmpty(t, plan.Steps())
	fixtures.Git(t, dir, "commit", "-q", "-m", "first")
	before := state(t, dir)
	var changed *ChangedError
	require.ErrorAs(t, plan.Apply(context.Background()), &changed)
	require.Equal(t, before, state(t, dir))
}
