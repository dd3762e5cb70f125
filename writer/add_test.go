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

const workTree = `
git init -q -b main
mkdir -p d/e s
echo one >f; echo two >d/g; echo three >d/e/h; echo x >x; chmod +x x; ln -s f l; echo log >t.log; echo c >s/a.c
echo '*.log' >.gitignore; echo 'ig/' >>.gitignore
git add -A; git add -f t.log
git commit -qm first
`

func TestAddLikeGit(t *testing.T) {
	for _, c := range []struct {
		name, script string
		cwd          string
		paths        []string
	}{
		{"nothing to do", "", "", []string{"."}},
		{"changed", "echo more >>f; echo more >>d/g", "", []string{"f"}},
		{"all", "echo more >>f; echo more >>d/g; echo n >n; rm x", "", []string{"."}},
		{"directory", "echo more >>f; echo more >>d/g; echo n >d/n; rm d/e/h", "", []string{"d"}},
		{"directory with a slash", "echo more >>d/g", "", []string{"d/"}},
		{"several", "echo more >>f; echo more >>d/g; echo n >n", "", []string{"n", "f"}},
		{"glob", "echo more >>f; echo n >d/n.c; echo n >n.c; echo more >>s/a.c", "", []string{"*.c"}},
		{"brackets in a name", "echo n >'q[1].txt'; echo n >q1.txt", "", []string{"q[1].txt"}},
		{"from below", "echo more >>f; echo more >>d/g; echo n >d/n", "d", []string{"."}},
		{"up from below", "echo more >>f; echo more >>d/g", "d", []string{"../f"}},
		{"the top from below", "echo more >>f; echo more >>d/g", "d", []string{":/"}},
		{"exclusion", "echo more >>f; echo more >>d/g", "", []string{":(exclude)d"}},
		{"literal", "echo n >'*.c'; echo n >n.c", "", []string{":(literal)*.c"}},
		{"icase", "echo n >NEW.c", "", []string{":(icase)new.C"}},
		{"deleted", "rm f", "", []string{"f"}},
		{"deleted directory", "rm -r d", "", []string{"d"}},
		{"mode", "chmod +x f; chmod -x x", "", []string{"."}},
		{"mode not trusted", "git config core.fileMode false; chmod +x f; echo n >n; chmod +x n; echo y >>x; chmod -x x", "", []string{"."}},
		{"link to file", "rm l; echo f >l", "", []string{"."}},
		{"file to link", "rm f; ln -s x f", "", []string{"."}},
		{"file to directory", "rm f; mkdir f; echo n >f/n", "", []string{"."}},
		{"file to directory, named below", "rm f; mkdir f; echo n >f/n", "", []string{"f/n"}},
		{"directory to file", "rm -r d; echo d >d", "", []string{"."}},
		{"directory to file, named", "rm -r d; echo d >d", "", []string{"d"}},
		{"directory to link", "mv d dd; ln -s dd d", "", []string{"."}},
		{"through a link", "ln -s d ld", "", []string{"ld/g"}},
		{"empty file", ": >empty", "", []string{"empty"}},
		{"empty directory", "mkdir empty", "", []string{"empty"}},
		{"pipe", "mkfifo p", "", []string{"."}},
		{"ignored", "echo n >n.log", "", []string{"n.log"}},
		{"ignored and another", "echo n >n.log; echo n >n", "", []string{"n.log", "n"}},
		{"in an ignored directory", "mkdir -p ig/sub; echo n >ig/sub/n", "", []string{"ig/sub/n"}},
		{"ignored directory", "mkdir -p ig/sub; echo n >ig/sub/n", "", []string{"ig"}},
		{"ignored directory with tracked files", "echo d >>.gitignore; echo more >>d/g; echo n >d/n", "", []string{"d/g"}},
		{"ignored directory with tracked files, all of it", "echo d >>.gitignore; echo more >>d/g; echo n >d/n", "", []string{"d"}},
		{"ignored directory with tracked files, glob", "echo d >>.gitignore; echo more >>d/g; echo n >d/n", "", []string{"d/*"}},
		{"ignored directory with tracked files, everything", "echo d >>.gitignore; echo more >>d/g; echo n >d/n", "", []string{"."}},
		{"ignored by glob", "echo n >n.log", "", []string{"n.*"}},
		{"ignored but tracked", "echo more >>t.log", "", []string{"t.log"}},
		{"all but ignored", "echo n >n.log; mkdir ig; echo n >ig/n", "", []string{"."}},
		{"a file with a slash", "", "", []string{"f/"}},
		{"line ends that do not survive", "git config core.autocrlf true; git config core.safecrlf true; echo n >n", "", []string{"n"}},
		{"text without the mark of its encoding", "echo '*.u working-tree-encoding=UTF-16' >.gitattributes; echo n >n.u", "", []string{"n.u"}},
		{"an unknown encoding", "echo '*.u working-tree-encoding=NOPE' >.gitattributes; echo n >n.u", "", []string{"n.u"}},
		{"a repository without a commit passed over", "git config add.ignoreErrors true; git init -q n; mkdir git~1; echo x >git~1/x; echo o >o", "", []string{"."}},
		{"a name that means .git", "mkdir git~1; echo x >git~1/x", "", []string{"git~1"}},
		{"a repository where wildcards lead", "git init -q n.txt; git -C n.txt commit -q --allow-empty -m n", "", []string{"*.txt"}},
		{"a conflict again", "for i in 1 2; do printf '0 0000000000000000000000000000000000000000\tf\n100644 %s '$i'\tf\n' $(git rev-parse HEAD:f) | git update-index --index-info; git add f; done; printf '0 0000000000000000000000000000000000000000\tf\n100644 %s 3\tf\n' $(git rev-parse HEAD:f) | git update-index --index-info", "", []string{"f"}},
		{"nothing of that name", "", "", []string{"nothing"}},
		{"one of two", "echo more >>f", "", []string{"f", "nothing"}},
		{"outside", "", "", []string{"../x"}},
		{"empty", "", "", []string{""}},
		{"odd names", `printf x >'a b'; printf x >"$(printf 'tab\tq"\\')"; printf x >é; printf x >"$(printf 'bad\377')"`, "", []string{"."}},
		{"dash", "echo n >-n", "", []string{"-n"}},
		{"intended", "echo n >n; git add -N n", "", []string{"n"}},
		{"intended, empty", ": >n; git add -N n", "", []string{"n"}},
		{"intended, gone", "echo n >n; git add -N n; rm n", "", []string{"n"}},
		{"intended elsewhere", "echo n >n; git add -N n; echo more >>f", "", []string{"f"}},
		{"assume unchanged", "git update-index --assume-unchanged f; echo more >>f", "", []string{"."}},
		{"skip worktree", "git update-index --skip-worktree f; echo more >>f", "", []string{"."}},
		{"touched", "touch -d @1000 f", "", []string{"."}},
		{"conflict resolved", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; echo m >f; git commit -qam m; git merge -q side >/dev/null || true; echo r >f", "", []string{"f"}},
		{"conflict resolved by removal", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; git rm -q f; git commit -qm m; git merge -q side >/dev/null || true; rm f", "", []string{"f"}},
		{"no modes, no links", "git config core.fileMode false; git config core.symlinks false; rm l; echo l >l; echo more >>x; echo n >n; chmod +x n", "", []string{"."}},
		{"no modes, no links, unmerged", "git config core.fileMode false; git config core.symlinks false; id=$(git rev-parse HEAD:f); git rm -q --cached f x; rm f x; echo f >f; echo x >x; printf '100755 %s 1\tf\n100644 %s 3\tf\n120000 %s 2\tx\n100644 %s 1\tx\n' $id $id $id $id | git update-index --index-info", "", []string{"f", "x"}},
		{"conflict as it stands", "git checkout -q -b side; echo s >f; git commit -qam side; git checkout -q main; echo m >f; git commit -qam m; git merge -q side >/dev/null || true", "", []string{"."}},
		{"crlf", "git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' >n; printf 'a\\r\\nb\\r\\n' >f", "", []string{"."}},
		{"attributes", "echo '*.txt text' >.gitattributes; printf 'a\\r\\nb\\r\\n' >n.txt; printf 'a\\r\\n' >n.bin; echo 'id ident' >>.gitattributes; echo '$Id: x $' >id", "", []string{"."}},
		{"encoding", "echo '*.u working-tree-encoding=UTF-16LE-BOM' >.gitattributes; printf '\\377\\376a\\0\\n\\0' >n.u", "", []string{"."}},
		{"nested repository", "git init -q nest; git -C nest commit -q --allow-empty -m n; echo n >n", "", []string{"."}},
		{"nested repository, named", "git init -q nest; git -C nest commit -q --allow-empty -m n", "", []string{"nest"}},
		{"nested without a commit", "git init -q nest; echo n >n", "", []string{"."}},
		{"in a submodule", "git init -q nest; git -C nest commit -q --allow-empty -m n; git add nest 2>/dev/null; echo n >nest/n", "", []string{"nest/n"}},
		{"submodule moved on", "git init -q nest; git -C nest commit -q --allow-empty -m n; git add nest 2>/dev/null; git -C nest commit -q --allow-empty -m m", "", []string{"nest"}},
		{"sparse", "git sparse-checkout set --no-cone '/*' '!/d/'; mkdir -p d; echo n >d/n; echo n >n", "", []string{"."}},
		{"first of all", "rm -rf .git; git init -q -b main", "", []string{"."}},
		{"index version 4", "git update-index --index-version 4; echo n >n", "", []string{"."}},
		{"index.version for the first", "rm -rf .git; git init -q -b main; git config index.version 4", "", []string{"."}},
		{"split index", "git update-index --split-index; echo n >n; echo more >>f", "", []string{"."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tw := newTwins(t, workTree+c.script)
			args := append([]string{"add", "--"}, c.paths...)
			answer := fixtures.Command{Dir: filepath.Join(tw.git, c.cwd)}.Run(t, args...)
			err := apply(open(t, tw.ours, c.cwd, sandbox.Policy{}).PlanAdd(context.Background(), c.paths))
			if answer.Code == 0 {
				require.NoError(t, err)
			} else {
				require.Error(t, err, "git: %s", answer.Err)
				require.Equal(t, tw.plain(withoutHints(string(answer.Err))), tw.plain(err.Error()))
			}
			tw.same(t)
		})
	}
}

func TestAddLeavesNothingToRefresh(t *testing.T) {
	dir := fixtures.Build(t, workTree+"touch -d @1000 f d/g; echo n >n")
	require.NoError(t, apply(open(t, dir, "", sandbox.Policy{}).PlanAdd(context.Background(), []string{"."})))
	file := filepath.Join(dir, ".git", "index")
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	fixtures.Git(t, dir, "diff-files", "--quiet")
	fixtures.Git(t, dir, "update-index", "--refresh")
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestAddNeverTakesTheGitDirectory(t *testing.T) {
	for _, path := range []string{".git/config", ".git", ".GIT/config", ".git/"} {
		dir := fixtures.Build(t, workTree)
		before := state(t, dir)
		require.Error(t, apply(open(t, dir, "", sandbox.Policy{}).PlanAdd(context.Background(), []string{path})), path)
		require.Equal(t, before, state(t, dir))
	}
}
