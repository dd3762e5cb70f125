package odb_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/sandbox"
)

// open opens the objects directory of a repository; allowed directories are
// those outside of it that may be used.
func open(t testing.TB, gitDir string, opts odb.Options, allowed ...string) *odb.Database {
	allowed = slices.DeleteFunc(allowed, func(dir string) bool { return dir == "" })
	ws, err := sandbox.Open(gitDir, sandbox.Policy{ReadOnly: true, Allowed: allowed})
	require.NoError(t, err)
	top, err := ws.Resolve("")
	require.NoError(t, err)
	objects, err := top.OpenDir("objects")
	require.NoError(t, err)
	db, err := odb.Open(objects, opts)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close(); objects.Close(); top.Close() })
	return db
}

// git runs real git in dir and returns its output.
func git(t testing.TB, dir, stdin string, args ...string) string {
	fixtures.RequireGit(t)
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME=/nonexistent",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@x",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "git %v: %s", args, stderr.String())
	return string(out)
}

// batch streams what git cat-file says of all objects to visit.
func batch(t testing.TB, gitDir string, visit func(id plumbing.Hash, kind string, data []byte)) {
	fixtures.RequireGit(t)
	cmd := exec.Command("git", "--git-dir="+gitDir, "cat-file", "--batch-all-objects", "--unordered", "--batch")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	in := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		f := strings.Fields(line)
		require.Len(t, f, 3, line)
		size, err := strconv.Atoi(f[2])
		require.NoError(t, err)
		data := make([]byte, size+1)
		_, err = io.ReadFull(in, data)
		require.NoError(t, err)
		visit(plumbing.NewHash(f[0]), f[1], data[:size])
	}
	require.NoError(t, cmd.Wait())
}

// equalsGit compares every object of a repository with git's answer.
func equalsGit(t testing.TB, gitDir string, db *odb.Database) int {
	n := 0
	r, scattered := db.NewReader(), db.NewReader()
	scattered.Scattered()
	batch(t, gitDir, func(id plumbing.Hash, kind string, want []byte) {
		n++
		got, data, err := r.Read(id)
		require.NoError(t, err, "%s", id)
		require.Equal(t, kind, got.String())
		require.True(t, bytes.Equal(want, data), "%s", id)
		got, size, err := r.Header(id)
		require.NoError(t, err, "%s", id)
		require.Equal(t, kind, got.String())
		require.Equal(t, int64(len(want)), size)
		_, data, err = scattered.Read(id)
		require.NoError(t, err, "%s", id)
		require.True(t, bytes.Equal(want, data), "%s, scattered", id)
		if n%7 == 0 {
			_, data, err = db.Read(id)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, data), "%s", id)
			_, data, err = r.Prefix(id, n%500)
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(data), min(n%500, len(want)))
			require.True(t, bytes.HasPrefix(want, data), "%s", id)
			require.True(t, db.Has(id))
		}
	})
	count := 0
	for _, err := range db.Objects() {
		require.NoError(t, err)
		count++
	}
	require.Equal(t, n, count)
	return n
}

// TestWholeRepository compares all objects of the bare repository that the
// environment names. It takes a minute for git's own.
func TestWholeRepository(t *testing.T) {
	dir := os.Getenv("INGIT_ODB_REPOSITORY")
	if dir == "" {
		t.Skip("INGIT_ODB_REPOSITORY is not set")
	}
	t.Logf("%d objects equal", equalsGit(t, dir, open(t, dir, odb.Options{})))
}

// history makes a repository with commits that give deltas, and returns its
// git directory.
func history(t testing.TB, commits int) string {
	dir := t.TempDir()
	git(t, dir, "", "init", "-q", "-b", "main", ".")
	git(t, dir, "", "config", "gc.auto", "0")
	var in strings.Builder
	for i := range commits {
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter C <c@x> %d +0000\ndata 2\nm\n", i+1, 1700000000+i)
		if i > 0 {
			fmt.Fprintf(&in, "from :%d\n", i)
		}
		text := fmt.Sprintf("%s\n%d\n", strings.Repeat(fmt.Sprintf("line of file %d\n", i%5), 200), i)
		fmt.Fprintf(&in, "M 100644 inline dir%d/file%d\ndata %d\n%s\n", i%3, i%5, len(text), text)
	}
	git(t, dir, in.String(), "fast-import", "--quiet")
	return filepath.Join(dir, ".git")
}

func TestLayouts(t *testing.T) {
	for name, args := range map[string][][]string{
		"one pack":   {{"repack", "-qadf", "--depth=40", "--window=20"}},
		"ref deltas": {{"-c", "repack.useDeltaBaseOffset=false", "repack", "-qadf"}},
		"index v1":   {{"-c", "pack.indexVersion=1", "repack", "-qadf"}},
		"several":    {{"repack", "-qad"}, {"tag", "-a", "-m", "x", "t"}, {"repack", "-qd"}},
		"midx":       {{"repack", "-qad"}, {"tag", "-a", "-m", "x", "t"}, {"repack", "-qd"}, {"multi-pack-index", "write"}},
		"loose tag":  {{"repack", "-qad"}, {"tag", "-a", "-m", "x", "t"}},
		"no deltas":  {{"repack", "-qadf", "--depth=0"}},
		"bitmap":     {{"repack", "-qadb"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := history(t, 60)
			for _, a := range args {
				git(t, filepath.Dir(dir), "", a...)
			}
			for _, noMap := range []bool{false, true} {
				for _, cache := range []int64{0, 10_000} {
					equalsGit(t, dir, open(t, dir, odb.Options{NoMap: noMap, BaseCache: cache}))
				}
			}
		})
	}
}

func TestAllLoose(t *testing.T) {
	dir := history(t, 40)
	top := filepath.Dir(dir)
	git(t, top, "", "repack", "-qad")
	packs, err := filepath.Glob(dir + "/objects/pack/*.pack")
	require.NoError(t, err)
	require.Len(t, packs, 1)
	data, err := os.ReadFile(packs[0])
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(dir+"/objects/pack"))
	git(t, top, string(data), "unpack-objects", "-q")
	equalsGit(t, dir, open(t, dir, odb.Options{}))
}
