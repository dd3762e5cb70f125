package statustext_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/statustext"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

const (
	twoSides = `
git init -q -b main; seq 20 > f; echo x > g; git add .; git commit -qm base; git checkout -qb side; sed -i 5s/.*/side/ f; git commit -qam side1
seq 3 > h; git add h; git commit -qm side2; echo z > i; git add i; git commit -qm side3; git checkout -q main; sed -i 5s/.*/main/ f; git commit -qam main
`
	line = `
git init -q -b main; for i in 1 2 3 4 5; do echo $i > f; git add f; git commit -qm "commit $i"; done; git branch other HEAD~2; export GIT_EDITOR=true
`
)

// scripts are situations that the formats for people have words for.
var scripts = map[string]string{
	"clean":                "git init -q; echo a > a; git add .; git commit -qm a",
	"empty":                "git init -q",
	"empty with files":     "git init -q; echo a > a",
	"unborn, staged":       "git init -q; echo a > a; echo b > b; git add a; echo c >> a",
	"everything":           "git init -q; for i in a b c d e f; do echo $i > $i; done; git add .; git commit -qm a; echo x >> a; rm b; git rm -q c; git mv d 'd d'; echo n > n; git add n; echo u > u; chmod +x e; rm f; ln -s a f",
	"staged type change":   "git init -q; echo a > a; git add .; git commit -qm a; rm a; ln -s b a; git add a; rm a; echo f > a",
	"only staged":          "git init -q; echo a > a; git add .; git commit -qm a; echo x >> a; git add a",
	"only unstaged":        "git init -q; echo a > a; git add .; git commit -qm a; echo x >> a",
	"only untracked":       "git init -q; echo a > a; git add .; git commit -qm a; echo x > x",
	"no hints":             "git init -q; git config advice.statusHints false; for i in a b; do echo $i > $i; done; git add .; git commit -qm a; echo x >> a; git add a; echo y >> a; echo u > u",
	"no hints, untracked":  "git init -q; git config advice.statusHints false; git commit -q --allow-empty -m a; echo u > u",
	"comment prefix":       "git init -q; git config status.displayCommentPrefix true; for i in a b; do echo $i > $i; done; git add .; git commit -qm a; echo x >> a; git add a; echo y >> a; echo u > u; git config branch.master.remote .; git config branch.master.merge refs/heads/master",
	"no untracked":         "git init -q; git config status.showUntrackedFiles no; echo a > a; git add .; git commit -qm a; echo u > u",
	"no untracked, staged": "git init -q; git config status.showUntrackedFiles no; echo a > a; git add .; echo u > u",
	"stash":                "git init -q; git config status.showStash true; echo a > a; git add .; git commit -qm a; echo 1 > a; git stash -q; echo 2 > a; git stash -q",
	"one stash":            "git init -q; git config status.showStash true; echo a > a; git add .; git commit -qm a; echo 1 > a; git stash -q",
	"ahead":                line + "git branch -q -u other",
	"behind":               line + "git checkout -q other; git branch -q -u main",
	"diverged":             line + "git checkout -q other; git commit -q --allow-empty -m x; git branch -q -u main",
	"level":                line + "git branch -q two; git branch -q -u two",
	"gone":                 line + "git branch -q -u other; git branch -qD other",
	"not counted":          line + "git branch -q -u other; git config status.aheadBehind false",
	"short with branch":    line + "git branch -q -u other; git config status.branch true",
	"detached at tag":      line + "git tag v1; git checkout -q v1",
	"detached from tag":    line + "git tag v1; git checkout -q v1; git commit -q --allow-empty -m x",
	"detached at commit":   line + "git checkout -q HEAD~1",
	"detached, no reflog":  line + "git checkout -q --detach; rm -rf .git/logs",
	"merging":              twoSides + "git merge side || true",
	"merging, deleted":     twoSides + "git rm -q f; git commit -qm gone; git merge side || true",
	"merged, uncommitted":  twoSides + "git merge side || true; git checkout --theirs f; git add f",
	"merging, nothing":     twoSides + "git merge -s ours --no-commit side || true",
	"merging, both gone":   twoSides + "git mv f main-f; git commit -qm m; git checkout -q side; git mv f side-f; git commit -qm s; git checkout -q main; git merge side || true; rm -f main-f side-f; git ls-files -u f | true",
	"picking":              twoSides + "git cherry-pick side~2 || true",
	"picking, fixed":       twoSides + "git cherry-pick side~2 || true; git checkout --theirs f; git add f",
	"picking several":      twoSides + "git cherry-pick main..side || true",
	"picking, between":     twoSides + "git cherry-pick main..side || true; git checkout --theirs f; git add f; git commit -qm fixed",
	"reverting":            line + "git revert HEAD~2 || true",
	"reverting several":    line + "git revert HEAD~3 HEAD~2 || true",
	"reverting, fixed":     line + "git revert HEAD~2 || true; git add f",
	"am":                   twoSides + "git format-patch -q -1 side~2 --stdout > .git/p; git am .git/p || true",
	"am, empty patch":      twoSides + "printf 'From: a <a@b.c>\\nSubject: x\\n\\nbody\\n' > .git/p; git am .git/p || true",
	"rebasing":             twoSides + "git checkout -q side; git rebase main || true",
	"rebasing, apply":      twoSides + "git checkout -q side; git rebase --apply main || true",
	"rebasing, fixed":      twoSides + "git checkout -q side; git rebase main || true; git add f",
	"rebasing, detached":   twoSides + "git checkout -q --detach side; git rebase main || true",
	"rebase, editing":      line + "GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -i HEAD~4",
	"rebase, late edit":    line + "GIT_SEQUENCE_EDITOR='sed -i 4s/pick/edit/' git rebase -i HEAD~4",
	"rebase, dirty edit":   line + "GIT_SEQUENCE_EDITOR='sed -i 2s/pick/edit/' git rebase -i HEAD~3; echo x >> f",
	"rebase, splitting":    line + "GIT_SEQUENCE_EDITOR='sed -i 2s/pick/edit/' git rebase -i HEAD~3; git reset -q HEAD~1",
	"rebase, split on":     line + "GIT_SEQUENCE_EDITOR='sed -i 2s/pick/edit/' git rebase -i HEAD~3; echo y > y; git add y; git commit -qm y; echo x >> f",
	"rebase, exec":         line + "GIT_SEQUENCE_EDITOR=\"sed -i '1i exec false'\" git rebase -i HEAD~3 || true",
	"rebase, break":        line + "GIT_SEQUENCE_EDITOR=\"sed -i '2i break'\" git rebase -i HEAD~3 || true",
	"rebase, no todo":      line + "GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -i HEAD~2; rm .git/rebase-merge/git-rebase-todo",
	"rebase, labels":       twoSides + "git checkout -q main; git merge -q -X ours -m merged side; GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -i --rebase-merges HEAD~2 || true",
	"bisecting":            line + "git bisect start -q HEAD HEAD~4 || true",
	"bisecting, no branch": line + "git checkout -q --detach; git bisect start -q HEAD HEAD~4 || true",
	"sparse":               "git init -q; for d in a b c; do mkdir $d; echo $d > $d/f; done; git add .; git commit -qm a; git sparse-checkout set --no-sparse-index a",
	"sparse, present":      "git init -q; for d in a b c; do mkdir $d; echo $d > $d/f; done; git add .; git commit -qm a; git sparse-checkout set --no-sparse-index a; mkdir b; echo b > b/f",
	"sparse index":         "git init -q; for d in a b c; do mkdir $d; echo $d > $d/f; done; git add .; git commit -qm a; git sparse-checkout set --sparse-index a",
	"submodule": `git init -q; git init -q sub; for s in c m u; do git init -q $s; (cd $s; echo x > x; git add .; git commit -qm one); git add $s 2>/dev/null; done; git commit -qm base
(cd c; git commit -q --allow-empty -m two); echo y > m/x; echo n > u/n; git mv m moved`,
	"ignored":             "git init -q; printf '*.o\nbuild/\n' > .gitignore; git add .; git commit -qm a; echo o > a.o; mkdir build; echo x > build/x; echo u > u",
	"odd names":           "git init -q; printf x > 'sp ace'; printf x > \"$(printf 'tab\\there')\"; printf x > 'quo\"te'; git add .; git commit -qm base; printf y > 'sp ace'; git mv 'quo\"te' 'new name'; printf u > 'un tracked'",
	"renamed and renamed": "git init -q; seq 100 > a; git add .; git commit -qm a; git mv a b; mv b c; git add -N c",
}

// render answers one of git's formats.
func render(t *testing.T, top, dir, format string, opts reader.StatusOptions) string {
	t.Helper()
	ws, err := sandbox.Open(top, sandbox.Policy{})
	require.NoError(t, err)
	folder, err := ws.Resolve(filepath.Join(top, dir))
	require.NoError(t, err)
	repo, err := reader.Open(context.Background(), folder, reader.Options{})
	require.NoError(t, err)
	defer repo.Close()
	text, err := statustext.OptionsFor(repo)
	require.NoError(t, err)
	text.Ignored = opts.Ignored == reader.IgnoredTraditional
	opts.Operation, opts.QuickBranch = format == "--long", format != "--porcelain=2"
	status, err := repo.Status(context.Background(), opts)
	require.NoError(t, err)
	var out bytes.Buffer
	switch format {
	case "--long":
		err = statustext.Long(&out, status, text)
	case "--short":
		text.Branch, _ = repo.Config().Bool("status.branch", false)
		err = statustext.Short(&out, status, text)
	default:
		err = statustext.Porcelain2(&out, status, text)
	}
	require.NoError(t, err)
	return out.String()
}

func TestFormats(t *testing.T) {
	fixtures.RequireGit(t)
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := fixtures.Build(t, script)
			for _, format := range []string{"--long", "--short", "--porcelain=2"} {
				compare(t, top, "", format, reader.StatusOptions{})
				compare(t, top, "", format, reader.StatusOptions{Ignored: reader.IgnoredTraditional}, "--ignored")
				compare(t, top, "", format, reader.StatusOptions{Untracked: reader.UntrackedNo}, "-uno")
			}
		})
	}
}

func compare(t *testing.T, top, dir, format string, opts reader.StatusOptions, args ...string) {
	t.Helper()
	args = append([]string{"status", format}, args...)
	if format == "--porcelain=2" {
		args = append(args, "--branch")
	}
	want := string(fixtures.Ask(t, filepath.Join(top, dir), args...).Out)
	assert.Equal(t, strings.Split(want, "\n"), strings.Split(render(t, top, dir, format, opts), "\n"), "git %v", args)
}

func TestRelativePaths(t *testing.T) {
	fixtures.RequireGit(t)
	top := fixtures.Build(t, `
git init -q; mkdir -p a/b c; echo 1 > a/1; echo 2 > a/b/2; seq 30 > c/3; echo 4 > 4; git add .; git commit -qm base
for f in a/1 a/b/2 4; do echo x >> $f; done; git mv c/3 a/b/three; echo u > u; echo u > a/u; mkdir -p a/b/new a/x; echo u > a/b/new/u; echo u > a/x/u; mkdir -p ab; echo u > ab/u`)
	for _, dir := range []string{"", "a", "a/b", "c", "a/b/new", "ab"} {
		for _, format := range []string{"--long", "--short", "--porcelain=2"} {
			if dir != "c" {
				compare(t, top, dir, format, reader.StatusOptions{})
			}
		}
	}
	fixtures.Git(t, top, "config", "status.relativePaths", "false")
	compare(t, top, "a", "--porcelain=2", reader.StatusOptions{})
}
