package compat

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/tools"
)

// fsckOptions are the options of git fsck, and the parameters that are the same.
var fsckOptions = []struct {
	options []string
	params  request
}{
	{nil, request{}},
	{[]string{"--unreachable"}, request{"unreachable": true}},
	{[]string{"--no-dangling", "--root", "--tags"}, request{"dangling": false, "root": true, "tags": true}},
	{[]string{"--no-reflogs"}, request{"reflogs": false}},
	{[]string{"--strict"}, request{"strict": true}},
	{[]string{"--connectivity-only"}, request{"connectivity_only": true}},
	{[]string{"--connectivity-only", "--unreachable", "--no-reflogs"}, request{"connectivity_only": true, "unreachable": true, "reflogs": false}},
}

// checkFsck compares all ways to check a repository. Of what is wrong it
// compares what git says in its own words about objects, not about files.
func checkFsck(t *testing.T, dir, what string) {
	t.Helper()
	ws, err := sandbox.Open(dir, sandbox.Policy{ReadOnly: true})
	require.NoError(t, err)
	defer ws.Close()
	tool, err := tools.New(ws, tools.Options{})
	require.NoError(t, err)
	defer tool.Close()
	for _, o := range fsckOptions {
		want := fixtures.Ask(t, dir, append([]string{"fsck", "--no-progress"}, o.options...)...)
		q := request{"operation": "fsck"}
		maps.Copy(q, o.params)
		got := tool.Call(t.Context(), q.json(dir))
		name := fmt.Sprintf("%s: fsck %v", what, o.options)
		switch {
		case !assert.Equal(t, want.Code == 0, got.Success, "%s\ngit: %s%s\ningit: %s", name, want.Out, want.Err, got.Error):
		case want.Code == 128: // git ends at some damages; ingit goes on
		case got.Success:
			assert.Equal(t, string(want.Out), string(got.Output), name)
		default:
			assert.Equal(t, told(string(want.Out)+string(want.Err)), told(got.Error+"\n"), name)
		}
	}
}

// told are the lines about objects, those on standard output in their order.
func told(text string) []string {
	var out, problems []string
	for line := range strings.Lines(text) {
		switch word, _, _ := strings.Cut(line, " "); word {
		case "dangling", "missing", "unreachable", "root", "tagged", "broken", "":
			out = append(out, line)
		case "error":
			if strings.HasPrefix(line, "error in ") {
				problems = append(problems, line)
			}
		}
	}
	return append(out, problems...)
}

func TestFsck(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	for i := range 3 {
		dir := lostAndFound(t, random)
		checkFsck(t, dir, fmt.Sprintf("state %d of seed %d", i, seed))
		for range 3 {
			harm(t, random, dir)
		}
		checkFsck(t, dir, fmt.Sprintf("damaged state %d of seed %d", i, seed))
	}
}

// lostAndFound makes a repository with objects that are reachable in all ways,
// and some that aren't. Not every step is possible every time.
func lostAndFound(t *testing.T, random *rand.Rand) string {
	dir := fixtures.Init(t)
	fixtures.Git(t, dir, "commit", "-qm", "first", "--allow-empty")
	for i := range 4 + random.IntN(30) {
		name := fmt.Sprintf("d%d/f%d", random.IntN(3), random.IntN(5))
		fixtures.Write(t, dir, name, fmt.Sprintf("%d\n", random.IntN(100)))
		fixtures.Git(t, dir, "add", ".")
		switch random.IntN(12) {
		case 0: // the blob may be lost
		case 1:
			fixtures.Ask(t, dir, "commit", "-qm", "amended", "--amend", "--allow-empty", "--reset-author")
		case 2:
			fixtures.Ask(t, dir, "tag", "-fam", "a tag", fmt.Sprintf("t%d", random.IntN(3)))
		case 3:
			fixtures.Ask(t, dir, "checkout", "-qfB", fmt.Sprintf("b%d", random.IntN(3)))
		case 4:
			fixtures.Ask(t, dir, "stash", "-q")
		case 5:
			fixtures.Ask(t, dir, "repack", "-dq")
		case 6:
			fixtures.Ask(t, dir, "reflog", "expire", "--expire=now", "--all")
		case 7:
			fixtures.Ask(t, dir, "worktree", "add", "-fq", "--detach", fmt.Sprintf("w%d", i))
		case 8:
			fixtures.Ask(t, dir, "multi-pack-index", "write")
		case 9:
			fixtures.Ask(t, dir, "merge", "-q", fmt.Sprintf("b%d", random.IntN(3)))
		default:
			fixtures.Ask(t, dir, "commit", "-qm", fmt.Sprint("change ", i), "--allow-empty")
		}
	}
	return dir
}

// harm removes or spoils a loose object, or writes an odd one.
func harm(t *testing.T, random *rand.Rand, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, ".git/objects/??/*"))
	require.NoError(t, err)
	kind := random.IntN(3)
	if kind < 2 && len(files) == 0 {
		return
	}
	switch kind {
	case 0:
		require.NoError(t, os.Remove(files[random.IntN(len(files))]))
	case 1:
		name := files[random.IntN(len(files))]
		require.NoError(t, os.Chmod(name, 0o644))
		require.NoError(t, os.WriteFile(name, []byte("no zlib data"), 0o644))
	case 2:
		odd := oddObjects[random.IntN(len(oddObjects))]
		writeObject(t, dir, odd.kind, odd.content)
	}
}

// writeObject stores an object as it stands.
func writeObject(t *testing.T, dir, kind, content string) {
	fixtures.Command{Dir: dir, Input: []byte(content)}.Must(t, "hash-object", "-t", kind, "-w", "--literally", "--stdin")
}

const (
	emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	someBlob  = "\xe6\x9d\xe2\x9b\xb2\xd1\xd6CK\x8b)\xaewZ\xd8\xc2\xe4\x8cS\x91" // the empty one
	nullID    = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	person    = "A U Thor <a@example.com> 1700000000 +0000\n"
)

// oddObjects break the rules of git-fsck(1) one by one.
var oddObjects = []struct{ kind, content string }{
	{"commit", "tree " + emptyTree + "\nauthor " + person + "committer " + person + "\nmessage\n"},
	{"commit", "tree " + emptyTree + "\nauthor " + person + "committer " + person},
	{"commit", "tree " + emptyTree + "\nauthor " + person},
	{"commit", "tree " + emptyTree + "\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor " + person + "author " + person + "committer " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor <a@b> 1 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A> <a@b> 1 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A 1 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A<a@b> 1 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a<b> 1 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b>1 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b> 01 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b> 0 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b> -1 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b>  7 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b> 99999999999999999999 +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b> x +0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b> 1 +000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor A <a@b> 1 0000\ncommitter " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nparent " + emptyTree + "\nauthor " + person + "committer " + person + "\nm\x00m\n"},
	{"commit", "tree " + emptyTree + "\nauthor \x00" + person + "committer " + person + "\n"},
	{"commit", "tree " + emptyTree + "\nauthor " + person + "committer A <a@b> 1 +0000"},
	{"commit", "author " + person + "committer " + person + "\n"},
	{"tag", "object " + emptyTree + "\ntype tree\ntag name\ntagger " + person + "\nmessage\n"},
	{"tag", "object " + emptyTree + "\ntype tree\ntag name\n\nmessage\n"},
	{"tag", "object " + emptyTree + "\ntype tree\ntag odd..name\ntagger " + person + "\nmessage\n"},
	{"tag", "object " + emptyTree + "\ntype tree\ntag name\ntagger A <a@b 1 +0000\n\nmessage\n"},
	{"tag", "object " + emptyTree + "\ntype tree\ntag name\ntagger " + person + "more\n\nmessage\n"},
	{"tree", "100644 a\x00" + someBlob + "100644 a\x00" + someBlob},
	{"tree", "100644 b\x00" + someBlob + "100644 a\x00" + someBlob},
	{"tree", "100644 a\x00" + someBlob + "100644 a.b\x00" + someBlob + "40000 a\x00" + someBlob},
	{"tree", "100644 a\x00" + someBlob + "100644 a-\x00" + someBlob + "100644 a.b\x00" + someBlob + "40000 a\x00" + nullID},
	{"tree", "100644 a\x00" + nullID},
	{"tree", "100644 a/b\x00" + someBlob},
	{"tree", "100644 .\x00" + someBlob},
	{"tree", "100644 ..\x00" + someBlob},
	{"tree", "100644 .GIT\x00" + someBlob},
	{"tree", "100644 .g\xe2\x80\x8cit\x00" + someBlob},
	{"tree", "100644 a\\git~1\x00" + someBlob},
	{"tree", "0100644 a\x00" + someBlob},
	{"tree", "100664 a\x00" + someBlob},
	{"tree", "100600 a\x00" + someBlob},
	{"tree", "100644 .gitmodules\x00" + someBlob},
	{"tree", "120000 .gitmodules\x00" + someBlob},
	{"tree", "120000 .gitattributes\x00" + someBlob},
	{"tree", "100644 gi7eba~1\x00" + nullID},
	{"tree", "100644 a\x00short"},
	{"tree", "100644 a\x00" + someBlob + "short"},
}

// TestFsckOfOddObjects compares what is told of each object that breaks a rule.
func TestFsckOfOddObjects(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Init(t)
	fixtures.Git(t, dir, "commit", "-qm", "first", "--allow-empty")
	objects := filepath.Join(dir, ".git", "objects")
	saved := filepath.Join(t.TempDir(), "objects")
	require.NoError(t, os.CopyFS(saved, os.DirFS(objects)))
	for _, odd := range oddObjects {
		writeObject(t, dir, "blob", "")
		writeObject(t, dir, odd.kind, odd.content)
		checkFsck(t, dir, fmt.Sprintf("%s %q", odd.kind, odd.content))
		require.NoError(t, os.RemoveAll(objects))
		require.NoError(t, os.CopyFS(objects, os.DirFS(saved)))
	}
}

// TestFsckOfSubmodules compares what is told of settings that git was tricked
// by.
func TestFsckOfSubmodules(t *testing.T) {
	fixtures.RequireGit(t)
	for _, setting := range []string{
		"url = -upload", "url = ../../x", "url = ../:x", "url = ./../:x", "url = ../%0ax", "url = http://h/%0a", "url = http:///p", "url = https::h/p",
		"url = https://u@h:80/p?q", "url = https://@/p", "url = git://h/%0a", "url = file:///%0a", "url", "path = -p", "path = p", "update = !rm", "update = merge",
		"url = \"a\\nb\"", "url = http::http://u:p@/x",
	} {
		dir := fixtures.Init(t)
		fixtures.Write(t, dir, ".gitmodules", "[submodule \"a\"]\n\t"+setting+"\n")
		fixtures.Git(t, dir, "add", ".")
		fixtures.Git(t, dir, "commit", "-qm", "first")
		checkFsck(t, dir, setting)
	}
	for _, name := range []string{"", "../a", "a/..", "a\\\\..\\\\b", "a..b", "..", "..a"} {
		dir := fixtures.Init(t)
		fixtures.Write(t, dir, ".gitmodules", "[submodule \""+name+"\"]\n\tpath = x\n[broken\n")
		fixtures.Git(t, dir, "add", ".")
		fixtures.Git(t, dir, "commit", "-qm", "first")
		checkFsck(t, dir, name)
	}
}
