package reader_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// describeRepo tells what git rev-parse tells about where things are.
func describeRepo(r *reader.Repository) string {
	top, err := r.WorkTree()
	if err != nil {
		return strings.Join([]string{r.GitDir().Path(), r.CommonDir().Path(), "false"}, "\n")
	}
	return strings.Join([]string{r.GitDir().Path(), r.CommonDir().Path(), "true", r.Prefix(), top.Path()}, "\n")
}

func configText(r *reader.Repository) string {
	var b strings.Builder
	for _, e := range r.Config().Entries() {
		b.WriteString(e.Name)
		if e.HasValue {
			b.WriteString("\n" + e.Value)
		}
		b.WriteByte(0)
	}
	return b.String()
}

const oneCommit = `
git init -q -b main .
mkdir -p sub/dir; echo a > a; echo b > sub/dir/b; commit first
`

func TestOpenEqualsGit(t *testing.T) {
	fixtures.RequireGit(t)
	base := fixtures.Build(t, oneCommit)
	for name, c := range map[string]struct{ script, cwd string }{
		"top":                         {},
		"below":                       {cwd: "sub/dir"},
		"in git directory":            {cwd: ".git"},
		"below git directory":         {cwd: ".git/objects"},
		"bare":                        {`git clone -q --bare . bare.git; mkdir out; mv bare.git out; rm -rf .git`, "out/bare.git"},
		"below bare":                  {`git clone -q --bare . bare.git; rm -rf .git`, "bare.git/refs"},
		"git file":                    {`mv .git real; echo 'gitdir: real' > .git`, "sub"},
		"git file, absolute":          {`mv .git real; echo "gitdir: $PWD/real" > .git`, "sub"},
		"git file, CR":                {`mv .git real; printf 'gitdir: real\r\n\n' > .git`, "sub"},
		"git file, bad":               {`rm -rf .git; echo 'gitdirs: real' > .git`, "sub"},
		"git file, empty":             {`rm -rf .git; : > .git`, "sub"},
		"git file, no path":           {`rm -rf .git; echo 'gitdir: ' > .git`, ""},
		"git file, nowhere":           {`rm -rf .git; echo 'gitdir: nowhere' > .git`, ""},
		"git file, no repo":           {`rm -rf .git; mkdir plain; echo 'gitdir: plain' > .git`, "sub"},
		"git link":                    {`mv .git real; ln -s real .git`, "sub"},
		"git link to file":            {`mv .git real; echo "gitdir: $PWD/real" > file; ln -s file .git`, "sub"},
		"nothing":                     {`rm -rf .git`, "sub"},
		"no HEAD":                     {`rm .git/HEAD`, "sub"},
		"odd HEAD":                    {`echo nonsense > .git/HEAD`, ""},
		"no objects":                  {`rm -rf .git/objects`, ""},
		"linked HEAD":                 {`rm .git/HEAD; ln -s refs/heads/main .git/HEAD`, ""},
		"linked work tree":            {`git worktree add -q linked; mkdir linked/deep`, "linked/deep"},
		"linked of bare":              {`git clone -q --bare . b; git -C b worktree add -q ../linked; rm -rf .git`, "linked"},
		"linked, worktree config":     {`git config extensions.worktreeConfig true; git worktree add -q linked; git -C linked config --worktree core.x y; git config --worktree core.x main`, "linked"},
		"core.worktree":               {`mkdir tree tree/in; git config core.worktree ../tree`, "tree/in"},
		"core.worktree, outside cwd":  {`mkdir tree; git config core.worktree ../tree`, "sub"},
		"core.worktree, absolute":     {`mkdir tree; git config core.worktree "$PWD/sub"`, "sub/dir"},
		"core.worktree above":         {`mkdir g; mv .git g/.git; git -C g config core.worktree ../..`, "g"},
		"core.bare":                   {`git config core.bare true`, "sub"},
		"core.bare in git dir":        {`git config core.bare true`, ".git"},
		"core.bare, no version":       {`git config core.bare true; git config --unset core.repositoryformatversion`, "sub"},
		"no version":                  {`git config --unset core.repositoryformatversion; git config extensions.unknown x`, "sub"},
		"version 1":                   {`git config core.repositoryformatversion 1`, ""},
		"version 2":                   {`git config core.repositoryformatversion 2`, ""},
		"version 1, noop":             {`git config core.repositoryformatversion 1; git config extensions.noop true; git config extensions.noop-v1 x`, ""},
		"version 1, unknown":          {`git config core.repositoryformatversion 1; git config extensions.Unknown true`, ""},
		"version 1, two unknown":      {`git config core.repositoryformatversion 1; printf '[extensions]\none=true\ntwo=true\n' >> .git/config`, ""},
		"version 0, unknown":          {`git config extensions.unknown true`, ""},
		"version 0, later":            {`git config extensions.objectFormat sha1`, ""},
		"version 0, two later":        {`printf '[extensions]\nobjectFormat=sha1\nnoop-v1=1\n' >> .git/config`, ""},
		"version odd":                 {`git config core.repositoryformatversion one`, ""},
		"bare odd":                    {`git config core.bare perhaps`, ""},
		"worktree config, version 0":  {`git config extensions.worktreeConfig true; git config --worktree core.worktree ../sub`, "sub"},
		"worktree config off":         {`git config extensions.worktreeConfig false; printf '[core]\nbare=true\n' > .git/config.worktree`, "sub"},
		"worktree config odd":         {`git config extensions.worktreeConfig maybe`, ""},
		"bad config":                  {`printf '[core\n' >> .git/config`, "sub"},
		"bad worktree config":         {`git config extensions.worktreeConfig true; printf '[core]\n1=2\n' > .git/config.worktree`, ""},
		"no config":                   {`rm .git/config`, "sub"},
		"commondir":                   {`mkdir w; cp .git/HEAD w; echo ../.git > w/commondir; mv .git sub/.git2; mv sub/.git2 .git; rm -rf sub/dir; mkdir t; echo "gitdir: ../w" > t/.git`, "t"},
		"include":                     {`printf '[a]\nk=1\n' > .git/one; git config include.path one; git config a.k 2; git config --add include.path "$PWD/.git/one"`, ""},
		"include missing":             {`git config include.path none; git config a.b c`, ""},
		"include nested":              {`mkdir .git/d; printf '[include]\npath=two\n[a]\nk=1\n' > .git/d/one; printf '[a]\nk=2\n' > .git/d/two; git config include.path d/one`, ""},
		"include loop":                {`git config include.path config`, "sub"},
		"include bad":                 {`printf '[a]\nk=1\n[b\n' > .git/one; git config include.path one`, ""},
		"include valueless":           {`printf '[include]\npath\n' >> .git/config`, ""},
		"includeIf gitdir":            {`printf '[a]\nk=1\n' > .git/one; for p in "$PWD/" "$PWD/.git" '**/.git' '.git' '.git/' './' "$PWD/other/" '*.git' '**' '/**' './.git' ; do git config --add "includeIf.gitdir:$p.path" one; printf '[b]\nseen=%s\n' "$p" >> .git/config; done`, ""},
		"includeIf gitdir/i":          {`printf '[a]\nk=1\n' > .git/one; git config "includeIf.gitdir/i:**/.GIT.path" one; git config "includeIf.gitdir:**/.GIT.path" one`, ""},
		"includeIf onbranch":          {`printf '[a]\nk=1\n' > .git/one; for p in main 'ma*' 'main/' '**' other; do git config "includeIf.onbranch:$p.path" one; done`, ""},
		"includeIf onbranch nested":   {`git checkout -q -b feat/x; printf '[a]\nk=1\n' > .git/one; for p in 'feat/' 'feat/*' '*' '**' 'feat'; do git config "includeIf.onbranch:$p.path" one; done`, ""},
		"includeIf onbranch detached": {`git checkout -q --detach; printf '[a]\nk=1\n' > .git/one; git config "includeIf.onbranch:**.path" one`, ""},
		"includeIf hasconfig":         {`git config remote.o.url https://example.com/a/b; printf '[a]\nk=1\n' > .git/one; for p in 'https://example.com/**' 'https://other/**' '**/b' '*'; do git config "includeIf.hasconfig:remote.*.url:$p.path" one; done`, ""},
		"includeIf hasconfig later":   {`printf '[a]\nk=1\n' > .git/one; git config "includeIf.hasconfig:remote.*.url:x*.path" one; git config remote.o.url xyz`, ""},
		"includeIf hasconfig url":     {`git config remote.o.url xyz; printf '[remote "p"]\nurl=q\n' > .git/one; git config "includeIf.hasconfig:remote.*.url:x*.path" one`, ""},
		"includeIf unknown":           {`printf '[a]\nk=1\n' > .git/one; git config "includeIf.moon:full.path" one; git config includeIf.path one`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "repo")
			require.NoError(t, os.CopyFS(dir, os.DirFS(base)))
			dir, err := filepath.EvalSymlinks(dir)
			require.NoError(t, err)
			fixtures.BuildAt(t, dir, c.script+"\n")
			cwd := filepath.Join(dir, c.cwd)
			r, err := open(t, dir, cwd)
			answer := fixtures.Ask(t, cwd, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--is-inside-work-tree")
			if answer.Code != 0 {
				require.Errorf(t, err, "git: %s", answer.Err)
				require.Equal(t, string(answer.Err), level(err)+err.Error()+"\n")
				return
			}
			if answer := fixtures.Ask(t, cwd, "config", "--local", "-z", "--list", "--includes"); answer.Code != 0 && name != "no config" {
				require.Errorf(t, err, "git: %s", answer.Err)
				require.Contains(t, string(answer.Err), err.Error()+"\n")
				return
			}
			require.NoErrorf(t, err, "git: %s", answer.Out)
			lines := strings.Split(describeRepo(r), "\n")
			want := strings.Split(strings.TrimSuffix(string(answer.Out), "\n"), "\n")
			require.Equal(t, want[:2], lines[:2])
			if more := fixtures.Ask(t, cwd, "rev-parse", "--show-prefix", "--show-toplevel"); more.Code == 0 && lines[2] == "true" {
				require.Equal(t, strings.Split(strings.TrimSuffix(string(more.Out), "\n"), "\n"), lines[3:])
			} else if want[2] == "true" {
				require.Equal(t, "true", lines[2])
			}
			require.Equal(t, string(fixtures.Git(t, cwd, "config", "-z", "--list", "--includes")), configText(r))
		})
	}
}

// level is the word that git prints before an error's sentence.
func level(err error) string {
	var leveled interface{ GitLevel() string }
	if errors.As(err, &leveled) {
		return leveled.GitLevel() + ": "
	}
	return "fatal: "
}
