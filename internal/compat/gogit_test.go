package compat

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	published "github.com/go-git/go-git-fixtures/v4"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestGoGitFixtures compares the repositories that go-git is tested with: those
// with a work tree as they are, the others with one that git checks out; then
// each of them with edits.
func TestGoGitFixtures(t *testing.T) {
	fixtures.RequireGit(t)
	for _, f := range published.All() {
		t.Run(fixtureName(f), func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, f)
			for _, top := range workTrees(t, dir) {
				requests := append([]request{{"operation": "log", "limit": 1000}}, everyState...)
				openWithin(t, dir, top).check(t, stateName("as published"), requests...)
				edit(t, top)
				openWithin(t, dir, top).check(t, stateName("with edits"), everyState...)
				fixtures.Command{Dir: top}.Run(t, "add", "-A")
				openWithin(t, dir, top).check(t, stateName("with edits added"), everyState...)
			}
		})
	}
}

func fixtureName(f *published.Fixture) string {
	return strings.Join(f.Tags, ",") + " " + (f.WorktreeHash + f.DotGitHash + f.PackfileHash)[:7]
}

// unpack makes a folder that holds the fixture's repository.
func unpack(t *testing.T, f *published.Fixture) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	switch {
	case f.WorktreeHash != "":
		untar(t, dir, published.FSMustByte(false, "/data/worktree-"+f.WorktreeHash+".tgz"))
	case f.DotGitHash != "":
		untar(t, filepath.Join(dir, ".git"), published.FSMustByte(false, "/data/git-"+f.DotGitHash+".tgz"))
	default:
		fixtures.InitAt(t, dir)
		pack := "pack-" + f.PackfileHash
		data := published.FSMustByte(false, "/data/"+pack+".pack")
		if a := (fixtures.Command{Dir: dir, Input: data}).Run(t, "index-pack", "--stdin"); a.Code != 0 {
			t.Skipf("git can't index it: %s", a.Err)
		}
		if head := headOf(t, dir, f); head != "" {
			fixtures.Git(t, dir, "update-ref", "refs/heads/main", head)
		}
	}
	return dir
}

// headOf returns the fixture's head, or its newest commit where it names none.
func headOf(t *testing.T, dir string, f *published.Fixture) string {
	t.Helper()
	if f.Head != "" && fixtures.Ask(t, dir, "cat-file", "-e", f.Head).Code == 0 {
		return f.Head
	}
	args := []string{"rev-list", "--no-walk", "--date-order"}
	for line := range strings.Lines(string(fixtures.Git(t, dir, "cat-file", "--batch-all-objects", "--batch-check"))) {
		if fields := strings.Fields(line); fields[1] == "commit" && len(args) < 500 {
			args = append(args, fields[0])
		}
	}
	head, _, _ := strings.Cut(string(fixtures.Command{Dir: dir}.Run(t, args...).Out), "\n")
	return head
}

func untar(t *testing.T, dir string, data []byte) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		switch h.Typeflag {
		case tar.TypeDir:
			require.NoError(t, os.MkdirAll(path, 0o777))
		case tar.TypeSymlink:
			require.NoError(t, os.Symlink(h.Linkname, path))
		case tar.TypeReg:
			content, err := io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, content, fileMode(h.Mode)))
		}
	}
}

func fileMode(mode int64) os.FileMode {
	if mode&0o111 != 0 {
		return 0o755
	}
	return 0o644
}

// workTrees finds the repositories below dir and gives a work tree to those
// that have none yet.
func workTrees(t *testing.T, dir string) []string {
	t.Helper()
	var tops []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			tops = append(tops, filepath.Dir(path))
			if d.IsDir() {
				return filepath.SkipDir
			}
		}
		return err
	}))
	for _, top := range tops {
		if entries, err := os.ReadDir(top); err == nil && len(entries) == 1 {
			fixtures.Command{Dir: top}.Run(t, "config", "core.bare", "false")
			fixtures.Command{Dir: top}.Run(t, "checkout-index", "-qa")
			if _, err := os.Stat(filepath.Join(top, ".git/index")); err != nil {
				fixtures.Command{Dir: top}.Run(t, "reset", "-q", "--hard")
			}
		}
	}
	return tops
}

// edit changes, takes away and adds a file in the work tree.
func edit(t *testing.T, top string) {
	t.Helper()
	entries, err := os.ReadDir(top)
	require.NoError(t, err)
	n := 0
	for _, e := range entries {
		path := filepath.Join(top, e.Name())
		if !e.Type().IsRegular() || e.Name() == ".git" {
			continue
		}
		if n++; n%3 == 0 {
			require.NoError(t, os.Remove(path))
			continue
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, append([]byte("first\n"), data...), 0o644))
	}
	fixtures.Write(t, top, "new folder/new", "text\n")
}
