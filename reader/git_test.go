package reader_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// open opens the repository that cwd belongs to, with workspace as border.
func open(t testing.TB, workspace, cwd string) (*reader.Repository, error) {
	t.Helper()
	ws, err := sandbox.Open(workspace, sandbox.Policy{Validation: sandbox.Literal})
	require.NoError(t, err)
	dir, err := ws.Resolve(cwd)
	require.NoError(t, err)
	r, err := reader.Open(context.Background(), dir, reader.Options{
		Now: func() time.Time { return time.Unix(fixtures.Clock, 0) },
	})
	if err == nil {
		t.Cleanup(func() { r.Close() })
	}
	return r, err
}

func mustOpen(t testing.TB, dir string) *reader.Repository {
	t.Helper()
	r, err := open(t, dir, dir)
	require.NoError(t, err)
	return r
}

func logText(t testing.TB, r *reader.Repository, opts reader.LogOptions) (string, error) {
	config := r.Config()
	encoding, ok := config.Get("i18n.logoutputencoding")
	if !ok {
		encoding, _ = config.Get("i18n.commitencoding")
	}
	line := pretty.Line{Dates: pretty.Dates{Format: pretty.DateISO}, Encoding: encoding}
	var lines []string
	for commit, err := range r.Log(context.Background(), opts) {
		if err != nil {
			return strings.Join(lines, "\n"), err
		}
		text, err := line.Append(nil, commit.ID, commit.Data)
		if err != nil {
			return strings.Join(lines, "\n"), err
		}
		lines = append(lines, string(text))
	}
	return strings.Join(lines, "\n"), nil
}

func branchText(r *reader.Repository) (string, error) {
	lines, err := r.Branches(context.Background())
	var b strings.Builder
	for _, line := range lines {
		mark := " "
		if line.Head {
			mark = "*"
		}
		b.WriteString(line.Name + "|" + mark + "\n")
	}
	return b.String(), err
}

var logFormat = []string{"--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso"}

func sameLog(t testing.TB, dir string, r *reader.Repository, opts reader.LogOptions, args ...string) {
	t.Helper()
	answer := fixtures.Ask(t, dir, append(append([]string{"log"}, logFormat...), args...)...)
	text, err := logText(t, r, opts)
	if answer.Code != 0 {
		require.Errorf(t, err, "git: %s", answer.Err)
		require.Equal(t, string(answer.Err), "fatal: "+err.Error()+"\n")
	} else {
		require.NoError(t, err)
	}
	require.Equal(t, string(answer.Out), text)
}

func sameBranches(t testing.TB, dir string) {
	t.Helper()
	answer := fixtures.Ask(t, dir, "branch", "--format=%(refname:short)|%(HEAD)")
	text := ""
	r, err := open(t, dir, dir)
	if err == nil {
		text, err = branchText(r)
	}
	if answer.Code != 0 {
		require.Errorf(t, err, "git: %s", answer.Err)
		require.Equal(t, string(answer.Err), "fatal: "+err.Error()+"\n")
	} else {
		require.NoErrorf(t, err, "git: %s", answer.Err)
	}
	require.Equal(t, string(answer.Out), text)
}

func sameRevision(t testing.TB, dir string, r *reader.Repository, rev string) {
	t.Helper()
	answer := fixtures.Ask(t, dir, "rev-parse", rev)
	id, err := r.Resolve(context.Background(), sandbox.Rev(rev))
	if answer.Code != 0 {
		require.Errorf(t, err, "%s: git: %s", rev, answer.Err)
		return
	}
	require.NoErrorf(t, err, "%s: git: %s", rev, answer.Out)
	require.Equal(t, strings.TrimSpace(string(answer.Out)), id.String(), rev)
}

func write(t testing.TB, dir, name, content string) {
	t.Helper()
	full := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, []byte(content), 0o644))
}

const history = `
git init -q -b main .
for i in 1 2 3; do echo $i > f; mkdir -p d/e; echo $i > d/e/g; commit "c$i subject"; done
git checkout -q -b topic HEAD~1
echo t > t; commit "topic one

with a body"
git tag light; git tag -a -m annotated v1.0; git tag -a -m 'tag of a tag' vv v1.0
echo t2 > t; commit "topic two"
git checkout -q main; tick; git merge -q --no-ff -m "merge topic" topic
git tag -a -m x v2.0
echo last > f; commit "after the merge"
git branch feat/deep; git branch -f other HEAD~3
git update-ref refs/remotes/origin/main HEAD~1
git update-ref refs/remotes/origin/topic topic
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
git config remote.origin.url ../nowhere
git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
git config branch.main.remote origin; git config branch.main.merge refs/heads/main
git config branch.topic.remote .; git config branch.topic.merge refs/heads/main
git config branch.other.remote origin; git config branch.other.merge refs/heads/gone
git checkout -q topic; git checkout -q other; git checkout -q main
`

func TestRevisionsEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Build(t, history)
	write(t, dir, "d/e/untracked", "u")
	head := strings.TrimSpace(string(fixtures.Git(t, dir, "rev-parse", "HEAD")))
	tree := strings.TrimSpace(string(fixtures.Git(t, dir, "rev-parse", "HEAD^{tree}")))
	describe := strings.TrimSpace(string(fixtures.Git(t, dir, "describe")))
	r := mustOpen(t, dir)
	for _, rev := range []string{
		"HEAD", "@", "main", "heads/main", "refs/heads/main", "topic", "origin", "origin/main", "remotes/origin/topic", "v1.0", "tags/v1.0", "light", "nope", "nope/x",
		"HEAD^", "HEAD^0", "HEAD^1", "HEAD^2", "HEAD~1^2", "HEAD^^", "HEAD~2", "HEAD~1~1", "HEAD~", "HEAD~0", "HEAD~99", "HEAD^9", "@~1", "@^", "HEAD^^2^",
		"v1.0^{}", "v1.0^{commit}", "v1.0^{tree}", "v1.0^{tag}", "vv^{}", "vv^{tag}", "vv^0", "vv~1", "v1.0^{object}", "HEAD^{tree}", "HEAD^{blob}", "HEAD^{}", "HEAD^{nope}", "HEAD^{/topic}", "HEAD^{/^c1}", "HEAD^{/}", "HEAD^{/nothing}", "HEAD^{/!-merge}",
		":/topic one", ":/^c2", ":/body", ":/subject$", ":/!-last", ":/!!x", ":/!x", ":/nothing at all", ":/(", ":/c[12]",
		"HEAD:", "HEAD:f", "HEAD:d/e/g", "HEAD:d/e", "HEAD:d/", "HEAD:nope", "HEAD:d/e/untracked", "v1.0:t", "vv:t", "nope:f", tree + ":f", "HEAD^{tree}:d", "HEAD:./f", "HEAD:../f", "HEAD:f/x",
		":f", ":0:f", ":1:f", ":nope", ":d/e/untracked", ":./f", ":", "::", ":0:", ":9:f",
		"@{0}", "@{1}", "@{2}", "HEAD@{0}", "HEAD@{3}", "main@{0}", "main@{1}", "main@{99}", "topic@{1}", "HEAD@{99}", "nope@{0}", "@{-1}", "@{-2}", "@{-3}", "@{-99}", "@{-1}^", "@{-1}~1:f", "@{-0}", "@{-1}@{0}", "@{-1}@{1}",
		"@{u}", "@{upstream}", "@{U}", "main@{u}", "topic@{u}", "other@{u}", "feat/deep@{u}", "nope@{u}", "HEAD@{u}", "@{push}", "main@{push}", "topic@{push}", "@{u}^", "@{u}~1", "main@{u}:f", "@{-1}@{u}", "@@{u}", "@@{0}", "HEAD@{1}^2",
		head, head[:7], head[:4], head[:3], head[:12] + "^", strings.ToUpper(head[:9]), head + "0", "0000000000000000000000000000000000000000", "0000", describe, "v2.0-1-g" + head[:7], "x-g" + head[:5], "x-gzzzz",
		"main..topic", "", "..", "^HEAD", "HEAD^{", "HEAD^}", "HEAD{0}", "@{}", "@{x", "HEAD@{", "a b", "HEAD^-", "refs/heads", "FETCH_HEAD", "ORIG_HEAD", "refs/../HEAD", "./HEAD", "HEAD.", "HEAD/", "/HEAD", "heads//main", "HEAD^1x", "HEAD~1x", "HEAD~99999999999999999999",
	} {
		if rev == "main..topic" || rev == "^HEAD" || rev == "" || rev == "HEAD^-" || rev == ".." {
			continue // not single revisions
		}
		sameRevision(t, dir, r, rev)
	}
}

func TestBranchesEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	base := fixtures.Build(t, history)
	for name, script := range map[string]string{
		"plain":              ``,
		"detached":           `git checkout -q --detach`,
		"detached at tag":    `git checkout -q v1.0`,
		"detached nested":    `git checkout -q vv`,
		"detached at branch": `git checkout -q --detach topic`,
		"detached at remote": `git checkout -q origin/main`,
		"detached, moved":    `git checkout -q v1.0; echo m > m; commit moved`,
		"detached by id":     `git checkout -q $(git rev-parse HEAD~2)`,
		"detached twice":     `git checkout -q HEAD~1; git checkout -q HEAD~1`,
		"detached, no log":   `git checkout -q HEAD~1; rm -r .git/logs`,
		"detached, HEAD":     `git checkout -q --detach HEAD`,
		"unborn":             `git checkout -q --orphan fresh`,
		"bisecting":          `git bisect start -q; git bisect bad; git bisect good HEAD~3`,
		"rebasing":           `git checkout -q topic; echo x > f; commit x; git rebase -q main >/dev/null 2>&1 || true`,
		"rebasing detached":  `git checkout -q --detach topic; echo x > f; commit x; git rebase -q main >/dev/null 2>&1 || true`,
		"rebasing, apply":    `git checkout -q topic; echo x > f; commit x; git rebase -q --apply main >/dev/null 2>&1 || true`,
		"ambiguous tag":      `git tag topic; git tag main HEAD~1`,
		"ambiguous, lax":     `git tag topic; git tag main HEAD~1; git config core.warnAmbiguousRefs false`,
		"like HEAD":          `git update-ref refs/heads/HEAD HEAD; git update-ref refs/heads/heads/main HEAD; git update-ref refs/heads/config HEAD`,
		"ambiguous remote":   `git update-ref refs/remotes/topic HEAD; git update-ref refs/feat/deep HEAD`,
		"ambiguous ORIG":     `git update-ref refs/heads/ORIG_HEAD HEAD; git update-ref ORIG_HEAD HEAD`,
		"remote HEAD":        `git branch origin`,
		"packed":             `git pack-refs --all; git update-ref refs/heads/topic HEAD; git branch new`,
		"symbolic branch":    `git symbolic-ref refs/heads/alias refs/heads/main; git symbolic-ref refs/heads/dangling refs/heads/none`,
		"on symbolic":        `git symbolic-ref refs/heads/alias refs/heads/main; git symbolic-ref HEAD refs/heads/alias`,
		"broken":             `echo bad > .git/refs/heads/broken; : > .git/refs/heads/empty; printf '%040d\n' 0 > .git/refs/heads/zero; mkdir -p .git/refs/heads/dir`,
		"missing object":     `echo 1234567890123456789012345678901234567890 > .git/refs/heads/lost`,
		"bad names":          `cp .git/refs/heads/main .git/refs/heads/b.lock; cp .git/refs/heads/main '.git/refs/heads/b..c'; cp .git/refs/heads/main '.git/refs/heads/sp ace'; cp .git/refs/heads/main .git/refs/heads/.dot`,
		"trailing text":      `printf 'x\n' >> .git/refs/heads/topic; printf ' x\n' > x; printf '%s  \n\n' $(git rev-parse main) > .git/refs/heads/other`,
		"symlink":            `ln -s refs/heads/topic .git/refs/heads/link; rm .git/HEAD; ln -s refs/heads/main .git/HEAD; ln -s main .git/refs/heads/relative; ln -s nowhere .git/refs/heads/nolink`,
		"sorted by date":     `git config branch.sort -committerdate`,
		"sorted by version":  `git branch v1.9; git branch v1.10; git branch v01; git config branch.sort version:refname`,
		"sorted twice":       `git config --add branch.sort objectname; git config --add branch.sort -refname`,
		"on a remote ref":    `git symbolic-ref HEAD refs/remotes/origin/main`,
		"no HEAD target":     `git symbolic-ref HEAD refs/heads/no..pe || printf 'ref: refs/heads/no..pe\n' > .git/HEAD`,
		"packed odd":         `git pack-refs --all; printf '# pack-refs with: peeled \n%s refs/heads/zz\n%s refs/heads/aa\n' $(git rev-parse main) $(git rev-parse main) > .git/packed-refs; printf '%s\n' $(git rev-parse main) > .git/refs/heads/main`,
		"packed bad line":    `echo nonsense >> .git/packed-refs`,
		"packed cut":         `printf '%s refs/heads/cut' $(git rev-parse main) >> .git/packed-refs`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(base)))
			fixtures.BuildAt(t, dir, script+"\n")
			sameBranches(t, dir)
		})
	}
}
