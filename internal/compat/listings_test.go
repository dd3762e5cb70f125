package compat

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestListingsKept asks an open repository again and again: what it keeps of
// the directories must not outlive a change in them, or of what is ignored.
func TestListingsKept(t *testing.T) {
	fixtures.RequireGit(t)
	top := fixtures.Build(t, `
git init -q; mkdir -p a/b c; for f in r a/x a/b/y c/z; do echo $f > $f; done; echo '*.o' > .gitignore; git add .; git commit -qm base
for f in n a/n a/b/n.o c/n; do echo n > $f; done; mkdir -p c/new/er; echo n > c/new/er/n`)
	s := open(t, top)
	write := func(name, text string) func() { return func() { fixtures.Write(t, top, name, text) } }
	remove := func(name string) func() { return func() { require.NoError(t, os.RemoveAll(filepath.Join(top, name))) } }
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"nothing", func() {}},
		{"a new file", write("a/b/m", "m\n")},
		{"it is gone", remove("a/b/m")},
		{"a tracked file is gone", remove("a/b/y")},
		{"and another is there", write("a/b/w", "w\n")},
		{"a folder in its place", write("a/b/y/in", "in\n")},
		{"other rules in the same file", write(".gitignore", "*.n\n")},
		{"no rule", write(".gitignore", "\n")},
		{"rules of a folder", write("a/.gitignore", "n\n")},
		{"rules of a folder change", write("a/.gitignore", "w\n")},
		{"rules of a folder are gone", remove("a/.gitignore")},
		{"deep in an untracked folder", write("c/new/er/more", "more\n")},
		{"the untracked folder is empty", remove("c/new/er")},
		{"a repository", func() { fixtures.InitAt(t, filepath.Join(top, "c", "new")) }},
		{"a rename", func() { require.NoError(t, os.Rename(filepath.Join(top, "c"), filepath.Join(top, "d"))) }},
		{"another folder of that name", write("c/z", "c/z\n")},
		{"added", func() { fixtures.Git(t, top, "add", "-A", "--", "a") }},
		{"the case", func() { fixtures.Git(t, top, "config", "core.ignoreCase", "true") }},
	} {
		step.do()
		for range 3 {
			s.check(t, stateName(step.name), untrackedRequests...)
			ageFolders(t, top)
		}
	}
}

// ageFolders sets the times of all directories back, so that they are believed.
func ageFolders(t *testing.T, top string) {
	old := time.Unix(fixtures.Clock, 0)
	require.NoError(t, filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() != ".git" {
			err = os.Chtimes(path, old, old)
		}
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		return err
	}))
}
