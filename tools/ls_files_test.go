package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const filesFixture = `
git init -q -b main repo
cd repo
printf '*.o\nbuild/\n!keep.o\n/top-only\n' > .gitignore
printf '*.c text=auto lang=c\n*.bin binary\n[attr]mine a b=c\nsub/** mine\n' > .gitattributes
mkdir -p sub/deep 'sp ace' other
echo a > a.c; echo b > sub/b.c; echo c > sub/deep/c.h; echo é > 'sp ace/é'; echo o > tracked.o
echo '!x.o' > sub/.gitignore; echo '*.h -mine' > sub/.gitattributes
git add -f .; commit first
git -c protocol.file.allow=always submodule --quiet add "$PWD" module; commit 'with a submodule'
git checkout -q -b side; echo side > a.c; commit side; git checkout -q main; echo main > a.c; commit main; git merge -q side >/dev/null || true
mkdir -p build/in sub/new/er hollow; echo 1 > build/in/x; echo 1 > build/y.c; echo 1 > x.o; echo 1 > sub/x.o; echo 1 > sub/y.o; echo 1 > keep.o; echo 1 > sub/new/er/f; echo 1 > top-only; echo 1 > sub/top-only
echo '*.tmp' > .git/info/exclude; echo 1 > a.tmp; ln -s nowhere link; ln -s sub linkdir; mkfifo pipe; echo 1 > 'qu"ote'
git init -q nested; echo n > nested/n; git init -q build/nested; echo n > build/nested/n; git -C nested add n; git -C nested -c user.name=a -c user.email=b commit -q -m n
rm sub/deep/c.h; rm -r 'sp ace'; echo file > 'sp ace'; rm other -r; echo mod > module/extra
`

// everyDir asks in several folders and compares the answer with git's.
func everyDir(t *testing.T, tool *Tool, top, operation string, params map[string]any, args ...string) {
	t.Helper()
	for _, dir := range []string{"", "sub", "sub/new/er"} {
		at := filepath.Join(top, dir)
		want := fixtures.Ask(t, at, args...)
		got := answerIn(t, tool, at, operation, params)
		if want.Code != 0 && len(want.Err) > 0 {
			assert.False(t, got.Success, "in %q: git %q fails: %s", dir, args, want.Err)
			continue
		}
		assert.True(t, got.Success, "in %q: git %q: %s", dir, args, got.Error)
		assert.Equal(t, string(want.Out), string(got.Output), "in %q: git %q", dir, args)
	}
}

func TestLsFiles(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, filesFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, flags := range []struct {
		params map[string]any
		args   []string
	}{
		{map[string]any{}, nil},
		{map[string]any{"stage": true}, []string{"-s"}},
		{map[string]any{"unmerged": true}, []string{"-u"}},
		{map[string]any{"others": true}, []string{"-o", "--exclude-standard"}},
		{map[string]any{"others": true, "ignored": true}, []string{"-o", "-i", "--exclude-standard"}},
		{map[string]any{"stage": true, "ignored": true}, []string{"-c", "-s", "-i", "--exclude-standard"}},
		{map[string]any{"stage": true, "others": true}, []string{"-s", "-o", "--exclude-standard"}},
		{map[string]any{"ignored": true}, []string{"-i", "--exclude-standard"}},
	} {
		for _, files := range [][]string{nil, {"."}, {"*.c"}, {"sub"}, {":/"}, {":!sub"}, {"sub/new", "build"}, {":(glob)**/*.o"}, {"nested/"}, {"nested/n"}, {"link"}, {"module"}, {"../.."}, {":(attr:lang=c)"}, {"nothing"}} {
			params := map[string]any{}
			for name, value := range flags.params {
				params[name] = value
			}
			args := append([]string{"ls-files"}, flags.args...)
			if files != nil {
				params["files"] = files
				args = append(append(args, "--"), files...)
			}
			everyDir(t, tool, top, "ls_files", params, args...)
		}
	}
}

func TestLsFilesOfRandomStates(t *testing.T) {
	seed := fixtures.Seed(t)
	for i := range uint64(15) {
		top := fixtures.RandomState(t, seed+i)
		tool := newTool(t, top, sandbox.Policy{})
		for flag, params := range map[string]map[string]any{"-s": {"stage": true}, "-u": {"unmerged": true}, "-o": {"others": true}} {
			want := fixtures.Ask(t, top, "ls-files", flag, "--exclude-standard")
			require.Equal(t, string(want.Out), string(answerIn(t, tool, top, "ls_files", params).Output), "%s, seed %d", flag, seed+i)
		}
	}
}

func TestHugeRuleFilesAreIgnored(t *testing.T) {
	top := fixtures.Init(t)
	for _, name := range []string{".gitignore", ".gitattributes", ".git/info/exclude", ".git/info/attributes"} {
		fixtures.Write(t, top, name, "*.x text\n")
		require.NoError(t, os.Truncate(filepath.Join(top, name), 100<<20))
	}
	fixtures.Write(t, top, "a.x", "")
	tool := newTool(t, top, sandbox.Policy{})
	got := answerIn(t, tool, top, "ls_files", map[string]any{"others": true})
	assert.Equal(t, ".gitattributes\n.gitignore\na.x\n", string(got.Output), got.Error)
	got = answerIn(t, tool, top, "check_attr", map[string]any{"files": "a.x"})
	assert.True(t, got.Success, got.Error)
	assert.Empty(t, got.Output)
}

func TestCheckIgnore(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, filesFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, files := range [][]string{
		{"x.o"}, {"keep.o", "a.tmp", "nothing", "nothing.o", "build", "build/", "build/in/x", "build/none/deep", "top-only", "tracked.o"}, {"sub/x.o", "sub/y.o"}, {":/x.o"}, {"../x.o"}, {"."}, {"linkdir"},
		{"sub/none/z.o"}, {"*.o"}, {"qu\"ote.o"}, {"er.o"}, {"/etc"}, {":(glob)x"}, {":!x"}, {"module"}, {"sub/deep", "sub/deep/c.h", "sp ace/é.o"},
	} {
		for _, flags := range []struct {
			params map[string]any
			args   []string
		}{
			{map[string]any{}, nil},
			{map[string]any{"non_matching": true}, []string{"-n"}},
			{map[string]any{"no_index": true}, []string{"--no-index"}},
		} {
			params := map[string]any{"files": files}
			for name, value := range flags.params {
				params[name] = value
			}
			args := append(append([]string{"check-ignore", "-v"}, flags.args...), "--")
			everyDir(t, tool, top, "check_ignore", params, append(args, files...)...)
		}
	}
}

func TestCheckAttr(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, filesFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, files := range [][]string{{"a.c", "x.bin", "sub/b.c", "sub/deep/c.h", "nothing", "sub/", "sub"}, {"../a.c"}, {"/etc"}, {"sp ace/é", ":x", "qu\"ote.bin"}, {"./a.c", "sub//b.c"}} {
		everyDir(t, tool, top, "check_attr", map[string]any{"files": files}, append([]string{"check-attr", "-a", "--"}, files...)...)
		everyDir(t, tool, top, "check_attr", map[string]any{"files": files, "attrs": []string{"text", "mine", "none"}}, append([]string{"check-attr", "text", "mine", "none", "--"}, files...)...)
		everyDir(t, tool, top, "check_attr", map[string]any{"files": files, "attrs": "-bad"}, append([]string{"check-attr", "-bad", "--"}, files...)...)
	}
}
