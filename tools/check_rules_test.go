package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// ignoreFiles are ignore files whose lines decide differently on a name with a
// final slash, on the top and on names that only look like directories.
var ignoreFiles = []string{
	"*.o\n!keep.o\n", "build/\n!build/q\n", "/build/*\n!/build/in\n", "*\n!*/\n!*.c\n", "/*\n!/a\n", "*\n!a\n!a/b\n!a/b/n.txt\n",
	"/\n", "//\n", "**\n", "a/**\n", "**/b\n", "a//n.o\n", "x.o/\n", "gone/\n", "lnk/\n", "gone\n", "./x.o\n", "\\\n", "[a-\n", "tr ail \\ntr ail\\ \n",
}

// TestCheckIgnoreOddPaths compares every ignore file on the same paths.
func TestCheckIgnoreOddPaths(t *testing.T) {
	top := fixtures.Build(t, `
git init -q .; mkdir -p a/b build/in gone; for f in x.c a/x.c gone/f; do echo $f > $f; done; git add .; git commit -qm base
rm -r gone; for f in x.o keep.o a/n.o a/b/n.txt build/q build/in/r 'tr ail '; do echo n > "$f"; done; ln -s build lnk`)
	tool := newTool(t, top, sandbox.Policy{})
	files := []string{"x.o", "keep.o", "x.c", "x.c/", "a", "a/", "a/b", "a/b/", "a/n.o", "a/b/n.txt", "build", "build/", "build/q", "build/in/", "build/in/r", "gone", "gone/", "gone/f", "lnk", "tr ail ", "."}
	for _, text := range ignoreFiles {
		require.NoError(t, os.WriteFile(filepath.Join(top, ".gitignore"), []byte(text), 0o666))
		for _, index := range []bool{true, false} {
			args := []string{"check-ignore", "-v", "-n"}
			if !index {
				args = append(args, "--no-index")
			}
			want := fixtures.Ask(t, top, append(append(args, "--"), files...)...)
			got := answerIn(t, tool, top, "check_ignore", map[string]any{"files": files, "non_matching": true, "no_index": !index})
			require.Equal(t, string(want.Out), string(got.Output), "%q: %s%s", text, want.Err, got.Error)
		}
	}
}

// TestCheckIgnoreUsersFile names the user's ignore file as it is configured.
func TestCheckIgnoreUsersFile(t *testing.T) {
	top := fixtures.Build(t, `git init -q .; mkdir d; git config core.excludesFile d/rules; echo '*.x' > d/rules; echo x > d/a.x`)
	tool := newTool(t, top, sandbox.Policy{})
	for _, dir := range []string{"", "d"} {
		want := fixtures.Ask(t, filepath.Join(top, dir), "check-ignore", "-v", "a.x")
		got := answerIn(t, tool, filepath.Join(top, dir), "check_ignore", map[string]any{"files": "a.x"})
		require.Equal(t, string(want.Out), string(got.Output))
	}
}
