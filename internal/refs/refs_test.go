package refs_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

func openStore(t testing.TB, gitDir string) *refs.Store {
	t.Helper()
	ws, err := sandbox.Open(gitDir, sandbox.Policy{})
	require.NoError(t, err)
	dir, err := ws.Resolve("")
	require.NoError(t, err)
	t.Cleanup(func() { dir.Close(); ws.Close() })
	return refs.Open(dir, dir)
}

func TestNamesEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Init(t)
	names := []string{"a", "a/b", "", "@", "a/@", "@/a", "a.", "a./b", ".a", "a/.b", "a..b", "a.lock", "a.lock/b", "a/b.lock", "a//b", "/a", "a/", "a@{b", "a@b", "a{b", "a\\b", "a b", "a~", "a^", "a:", "a?", "a*", "a[", "a]", "a\x7f", "a\x01", "é", "HEAD", "a\tb"}
	r := rand.New(rand.NewPCG(fixtures.Seed(t), 0))
	alphabet := "ab/.@{}~^-lock\\* "
	for range 250 {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteByte(alphabet[r.IntN(len(alphabet))])
		}
		names = append(names, b.String())
	}
	for _, name := range names {
		if strings.HasPrefix(name, "-") {
			continue // an option to the judge
		}
		require.Equalf(t, fixtures.Ask(t, dir, "check-ref-format", "--allow-onelevel", name).Code == 0, refs.ValidName(name), "%q", name)
		require.Equalf(t, fixtures.Ask(t, dir, "check-ref-format", name).Code == 0, refs.CheckName(name) == nil, "%q", name)
	}
}

func TestListEqualsGit(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Build(t, `
git init -q -b main .
echo a > a; commit first; echo b > a; commit second
git tag -a -m t v1; git tag light
for i in 1 2 3 4 5 6 7 8 9; do git update-ref refs/heads/b$i/x HEAD; git update-ref refs/notes/n$i HEAD~1; done
git pack-refs --all
git update-ref refs/heads/b4/x HEAD~1; git update-ref refs/heads/b0 HEAD; git update-ref -d refs/heads/b5/x
git symbolic-ref refs/remotes/o/HEAD refs/heads/b0
`)
	s := openStore(t, filepath.Join(dir, ".git"))
	for _, prefix := range []string{"refs/", "refs/heads/", "refs/heads/b", "refs/heads/b4/", "refs/tags/", "refs/notes/", "refs/none/", "refs/remotes/o/"} {
		var want []string
		for line := range strings.Lines(string(fixtures.Git(t, dir, "for-each-ref", "--format=%(objectname) %(refname)"))) {
			if _, name, _ := strings.Cut(strings.TrimSpace(line), " "); strings.HasPrefix(name, prefix) {
				want = append(want, strings.TrimSpace(line))
			}
		}
		list, err := s.List(prefix)
		require.NoError(t, err)
		var got []string
		for _, ref := range list {
			got = append(got, ref.ID.String()+" "+ref.Name)
		}
		require.Equal(t, want, got, prefix)
	}
	ref, err := s.Read("refs/tags/v1")
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(string(fixtures.Git(t, dir, "rev-parse", "v1^{}"))), ref.Peeled.String())
	_, err = s.Read("refs/heads/none")
	require.True(t, errors.Is(err, fs.ErrNotExist))
	_, err = s.Read("refs/heads/../../../x")
	require.Error(t, err)
}

func TestSymbolicDepth(t *testing.T) {
	dir := fixtures.Init(t)
	git := filepath.Join(dir, ".git")
	id := strings.Repeat("1", 40)
	for i, target := range []string{"ref: refs/heads/l1", "ref: refs/heads/l2", "ref: refs/heads/l3", "ref: refs/heads/l4", id} {
		require.NoError(t, os.WriteFile(filepath.Join(git, "refs/heads", "l"+string(rune('0'+i))), []byte(target+"\n"), 0o644))
	}
	s := openStore(t, git)
	ref, err := s.Resolve("refs/heads/l0")
	require.NoError(t, err)
	require.Equal(t, id, ref.ID.String())
	require.NoError(t, os.WriteFile(filepath.Join(git, "refs/heads/deep"), []byte("ref: refs/heads/l0\n"), 0o644))
	_, err = s.Resolve("refs/heads/deep")
	require.Error(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(git, "refs/heads/self"), []byte("ref: refs/heads/self\n"), 0o644))
	_, err = s.Resolve("refs/heads/self")
	require.Error(t, err)
}

func FuzzStore(f *testing.F) {
	id := strings.Repeat("a", 40)
	f.Add([]byte("ref: refs/heads/main\n"), []byte("# pack-refs with: peeled fully-peeled sorted \n"+id+" refs/heads/x\n^"+id+"\n"), []byte(id+" "+id+" A <a@b> 1 +0000\tmsg\n"))
	f.Add([]byte(id), []byte(id+" refs/heads/../x\n"), []byte("x\n"))
	f.Fuzz(func(t *testing.T, head, packed, log []byte) {
		dir := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "refs/heads"), 0o755))
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "logs"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "HEAD"), head, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "packed-refs"), packed, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "logs/HEAD"), log, 0o644))
		s := openStore(t, dir)
		s.Resolve("HEAD")
		s.Reflog("HEAD")
		list, err := s.List("refs/")
		for i := 1; err == nil && i < len(list); i++ {
			if list[i-1].Name >= list[i].Name {
				t.Fatalf("not sorted: %q, %q", list[i-1].Name, list[i].Name)
			}
		}
		sh := s.NewShortener(true)
		for _, ref := range list {
			sh.Shorten(ref.Name)
		}
	})
}

// TestBadEndsOfPackedRefs compares whether a file whose last lines are bad can
// be listed, below a prefix that ends before them too, and with which error.
func TestBadEndsOfPackedRefs(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Build(t, "git init -q -b main .\necho a > a; commit first; git tag -a -m t v1; git pack-refs --all\n")
	path := filepath.Join(dir, ".git", "packed-refs")
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	id := strings.Repeat("12", 20)
	for _, end := range []string{"bogus content\n", "1234567 refs/zzzzz\n", id + "\n", id + " \n", id + " x", id + " refs/zz\n", id + " refs/zz\n^" + id + "\n", id[:30] + "\n^\n", "\n", "x\n^" + id + "\n"} {
		require.NoError(t, os.WriteFile(path, append(good[:len(good):len(good)], end...), 0o666))
		want := fixtures.Ask(t, dir, "for-each-ref", "refs/heads/")
		_, err := openStore(t, filepath.Join(dir, ".git")).List("refs/heads/")
		require.Equal(t, want.Code == 0, err == nil, "%q: %v, git: %s", end, err, want.Err)
		if err != nil {
			require.Equal(t, string(want.Err), "fatal: "+err.Error()+"\n")
		}
	}
}
