package index

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// load parses the index of a work tree.
func load(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Parse(readIndex(t, dir), Options{Verify: true, Shared: shared(dir)})
	require.NoError(t, err)
	return x
}

func readIndex(t testing.TB, dir string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, ".git/index"))
	require.NoError(t, err)
	return data
}

func shared(dir string) func(plumbing.Hash) ([]byte, error) {
	return func(id plumbing.Hash) ([]byte, error) {
		return os.ReadFile(filepath.Join(dir, ".git/sharedindex."+id.String()))
	}
}

// listing prints the index as "git ls-files --stage --debug -t -v -z --sparse" does.
func listing(x *Index) string {
	var out strings.Builder
	for i := range x.Entries {
		e := &x.Entries[i]
		tag := "H"
		switch {
		case e.Stage != 0:
			tag = "M"
		case e.SkipWorktree:
			tag = "S"
		}
		if e.AssumeValid {
			tag = strings.ToLower(tag)
		}
		flags := uint32(e.Stage) << stageShift
		if e.AssumeValid {
			flags |= flagAssumeValid
		}
		if e.extended() {
			flags |= flagExtended
		}
		if e.IntentToAdd {
			flags |= extIntentToAdd << 16
		}
		if e.SkipWorktree {
			flags |= extSkipWorktree << 16
		}
		fmt.Fprintf(&out, "%s %06o %s %d\t%s\x00", tag, e.Mode, e.ID, e.Stage, e.Name)
		fmt.Fprintf(&out, "  ctime: %d:%d\n  mtime: %d:%d\n", e.CTime.Sec, e.CTime.Nsec, e.MTime.Sec, e.MTime.Nsec)
		fmt.Fprintf(&out, "  dev: %d\tino: %d\n  uid: %d\tgid: %d\n  size: %d\tflags: %x\n", e.Dev, e.Ino, e.UID, e.GID, e.Size, flags)
	}
	return out.String()
}

func gitListing(t testing.TB, dir string) string {
	t.Helper()
	out := fixtures.Git(t, dir, "ls-files", "--stage", "--debug", "-t", "-v", "-z", "--sparse")
	return flagsField.ReplaceAllStringFunc(string(out), func(field string) string {
		flags, err := strconv.ParseUint(field[len("flags: "):], 16, 32)
		require.NoError(t, err)
		return fmt.Sprintf("flags: %x", flags&storedFlags)
	})
}

// storedFlags are those that the file keeps; git prints some that live in memory only.
const storedFlags = (extIntentToAdd|extSkipWorktree)<<16 | flagAssumeValid | flagExtended | 3<<stageShift

var flagsField = regexp.MustCompile(`flags: [0-9a-f]+`)

// zoo is a repository whose index has conflicts of all seven kinds, every flag, every mode and long names.
const zoo = `
git init -q .
long=$(printf 'n%.0s' $(seq 1 200))
mkdir -p dir/sub/deep other $long/$long/$long
for i in $(seq 1 40); do echo $i > dir/sub/deep/file$i; echo $i > other/f$i; done
for k in $long/$long/$long; do for j in $(seq 1 12); do mkdir -p $k/$long; k=$k/$long; done; echo x > $k/$long-end; done
echo a > a; chmod +x a; ln -s a link; printf '' > empty
git add .
git commit -q -m base
echo s > skip; echo v > valid; git add skip valid; git update-index --skip-worktree skip; git update-index --assume-unchanged valid
echo i > intent; git add -N intent
git update-index --add --cacheinfo 160000,0123456789012345678901234567890123456789,module
b() { printf '%s\n' "$1" | git hash-object -w --stdin; }
A=$(b ancestor); O=$(b ours); T=$(b theirs)
{ printf '100644 %s 1\tdd\n' $A; printf '100644 %s 2\tau\n' $O; printf '100644 %s 1\tud\n100644 %s 2\tud\n' $A $O
  printf '100644 %s 3\tua\n' $T; printf '100644 %s 1\tdu\n100644 %s 3\tdu\n' $A $T; printf '100644 %s 2\taa\n100755 %s 3\taa\n' $O $T
  printf '100644 %s 1\tuu\n100644 %s 2\tuu\n100644 %s 3\tuu\n' $A $O $T; } | git update-index --index-info
printf 'a\nb\n' > uu; git add uu
`

// build runs the zoo's script with real git and returns the directory.
func build(t testing.TB, more string) string {
	t.Helper()
	return fixtures.Build(t, zoo+more)
}

func TestParseEqualsGit(t *testing.T) {
	for name, script := range map[string]string{
		"version 2 or 3": "",
		"version 4":      "git update-index --index-version 4\n",
		"extensions":     "git config core.untrackedCache true; git config index.threads 4; git config index.recordEndOfIndexEntries true; git config index.recordOffsetTable true; git update-index --untracked-cache; git status >/dev/null; git update-index --force-write-index\n",
		"split":          "git config core.splitIndex true; git config splitIndex.maxPercentChange 100; git update-index --split-index; echo e >> a; git add a; git rm -q --cached other/f3 dir/sub/deep/file9; echo n > new; git add new; git update-index --chmod=+x other/f7\n",
		"split v4":       "git update-index --index-version 4; git config core.splitIndex true; git config splitIndex.maxPercentChange 100; git update-index --split-index; echo e >> a; git add a; git rm -q --cached other/f3; echo n > new; git add new other; printf '0 0000000000000000000000000000000000000000\\tother/f9\\n' | git update-index --index-info\n",
		"skipHash":       "git config index.skipHash true; git config feature.manyFiles true; git update-index --force-write-index\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := build(t, script)
			assert.Equal(t, gitListing(t, dir), listing(load(t, dir)))
		})
	}
}

func TestParseSparseIndex(t *testing.T) {
	dir := fixtures.Build(t, `
git init -q .
for d in app lib docs; do mkdir -p $d/sub; echo $d > $d/f; echo $d > $d/sub/g; done; echo r > root
git add .; git commit -q -m base
git sparse-checkout init --cone --sparse-index; git sparse-checkout set app
`)
	x := load(t, dir)
	assert.True(t, x.Sparse)
	assert.Equal(t, gitListing(t, dir), listing(x))
	e, ok := x.SparseDirOf("lib/sub/g")
	require.True(t, ok)
	assert.Equal(t, "lib/", e.Name)
	_, ok = x.SparseDirOf("app/f")
	assert.False(t, ok)
}

func TestCacheTreeAndResolveUndo(t *testing.T) {
	dir := fixtures.Build(t, `
git init -q .
mkdir -p d/e; echo 1 > d/e/f; echo 2 > d/g; echo 3 > h; git add .; git commit -q -m base
git checkout -q -b side; echo side > h; git commit -q -am side
git checkout -q main 2>/dev/null || git checkout -q master; echo main > h; git commit -q -am main
git merge -q side >/dev/null 2>&1 || true
echo both > h; git add h; git write-tree >/dev/null
`)
	x := load(t, dir)
	require.True(t, x.CacheTree.Valid())
	tree := strings.TrimSpace(string(fixtures.Git(t, dir, "write-tree")))
	assert.Equal(t, tree, x.CacheTree.ID.String())
	assert.Equal(t, 3, x.CacheTree.Entries)
	sub := strings.TrimSpace(string(fixtures.Git(t, dir, "rev-parse", tree+":d/e")))
	assert.Equal(t, sub, x.CacheTree.Child("d").Child("e").ID.String())
	assert.Nil(t, x.CacheTree.Child("none").Child("none"))
	require.Len(t, x.ResolveUndo, 1)
	assert.Equal(t, "h", x.ResolveUndo[0].Name)
	assert.Equal(t, [3]uint32{ModeFile, ModeFile, ModeFile}, x.ResolveUndo[0].Modes)
}

func TestFind(t *testing.T) {
	x := &Index{Entries: []Entry{{Name: "a"}, {Name: "d-x"}, {Name: "d/e"}, {Name: "d/f", Stage: 2}, {Name: "d/f", Stage: 3}, {Name: "d0"}}}
	i, ok := x.Find("d/f", 3)
	assert.Equal(t, 4, i)
	assert.True(t, ok)
	_, ok = x.Find("d/f", 0)
	assert.False(t, ok)
	i, ok = x.FindAny("d/f")
	assert.Equal(t, 3, i)
	assert.True(t, ok)
	from, to := x.DirRange("d")
	assert.Equal(t, []int{2, 5}, []int{from, to})
	assert.False(t, x.HasDir("a"))
	assert.True(t, x.Unmerged())
}

func TestRefusals(t *testing.T) {
	dir := build(t, "")
	whole := readIndex(t, dir)
	change := func(at int, with string) []byte {
		data := bytes.Clone(whole)
		copy(data[at:], with)
		return data
	}
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "index: index file smaller than expected", nil},
		{"signature", "bad signature 0x45524944", change(0, "DIRE")},
		{"version", "bad index version 99", change(4, "\x00\x00\x00\x63")},
		{"count", "index file corrupt", change(8, "\xff\xff\xff\xff")},
		{"cut", "index file corrupt", append(bytes.Clone(whole[:70]), make([]byte, 20)...)},
		{"mandatory extension", "index uses zzzz extension, which we do not understand", extended(whole, "zzzz", "a")},
		{"extension size", "index file corrupt", append(append(bytes.Clone(whole[:len(whole)-20]), "TREE\xff\xff\xff\xf0abc"...), make([]byte, 20)...)},
		{"split without shared", "sharedindex.1212121212121212121212121212121212121212: split index without access to its shared index", extended(whole, "link", strings.Repeat("\x12", 20))},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse(test.data, Options{})
			assert.EqualError(t, err, test.want)
		})
	}
	_, err := Parse(extended(whole, "ZZZZ", "a"), Options{})
	assert.NoError(t, err, "optional extension")
	_, err = Parse(change(len(whole)-1, "x"), Options{Verify: true})
	assert.EqualError(t, err, "bad index file sha1 signature")
}

// extended adds an extension; the checksum is left wrong.
func extended(whole []byte, name, body string) []byte {
	out := bytes.Clone(whole[:len(whole)-20])
	out = appendExtension(out, name, func(out []byte) []byte { return append(out, body...) })
	return append(out, whole[len(whole)-20:]...)
}

func TestMissingSharedIndex(t *testing.T) {
	whole := readIndex(t, build(t, ""))
	_, err := Parse(extended(whole, "link", strings.Repeat("\x12", 20)), Options{
		Shared: func(plumbing.Hash) ([]byte, error) { return nil, fs.ErrNotExist },
	})
	var missing *SharedIndexError
	assert.True(t, errors.As(err, &missing))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestEscapingNamesAreRefused(t *testing.T) {
	for _, name := range []string{
		"../x", "a/../x", "a/..", "/abs", "a//b", "a/", "", ".git/config", "a/.GIT/x", ".git", "a/.", "./a", "..", "a\x00b",
	} {
		x := &Index{Version: 2, Entries: []Entry{{Name: "a0"}}}
		x.Entries[0].Name = name
		_, err := x.Encode(&bytes.Buffer{}, EncodeOptions{})
		assert.EqualError(t, err, "invalid path '"+name+"'")
		assert.Equal(t, &InvalidPathError{name}, checkNames(x.Entries))
	}
	for _, name := range []string{"a", "...", ".gitignore", ".git2/x", "a/.g", "..a/b", "x..", "a/.gi/t", "back\\slash"} {
		assert.NoError(t, checkNames([]Entry{{Name: name}}), name)
	}
	// The shared beginning is looked at once only.
	bad := []Entry{{Name: "a/b"}, {Name: "a/b/../c"}}
	assert.Equal(t, &InvalidPathError{"a/b/../c"}, checkNames(bad))
	bad = []Entry{{Name: "a/.gis"}, {Name: "a/.git"}}
	assert.Equal(t, &InvalidPathError{"a/.git"}, checkNames(bad))
}

func TestOrderIsChecked(t *testing.T) {
	for _, test := range []struct {
		entries []Entry
		want    string
	}{
		{[]Entry{{Name: "b"}, {Name: "a"}}, "unordered stage entries in index"},
		{[]Entry{{Name: "aa"}, {Name: "a"}}, "unordered stage entries in index"},
		{[]Entry{{Name: "a"}, {Name: "a"}}, "multiple stage entries for merged file 'a'"},
		{[]Entry{{Name: "a", Stage: 3}, {Name: "a", Stage: 2}}, "unordered stage entries for 'a'"},
	} {
		assert.EqualError(t, checkNames(test.entries), test.want)
	}
	assert.NoError(t, checkNames([]Entry{{Name: "a"}, {Name: "aa"}, {Name: "b", Stage: 1}, {Name: "b", Stage: 1}}))
}

func TestEncodeIsReadByGit(t *testing.T) {
	for _, version := range []uint32{2, 3, 4} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			dir := build(t, "git rm -q --cached module\n")
			want := gitListing(t, dir)
			x := load(t, dir)
			var out bytes.Buffer
			sum, err := x.Encode(&out, EncodeOptions{Version: version})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".git/index"), out.Bytes(), 0o644))
			assert.Equal(t, want, gitListing(t, dir))
			again := load(t, dir)
			assert.Equal(t, sum, again.Checksum)
			assert.Equal(t, x.CacheTree, again.CacheTree)
			assert.Equal(t, x.ResolveUndo, again.ResolveUndo)
			fixtures.Git(t, dir, "fsck")
		})
	}
}

// TestEncodeBytesEqualGit holds where git has nothing to add of its own.
func TestEncodeBytesEqualGit(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		dir := build(t, "git update-index --index-version "+version+"\n")
		data := readIndex(t, dir)
		var out bytes.Buffer
		_, err := load(t, dir).Encode(&out, EncodeOptions{})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(data, out.Bytes()), "version %s", version)
	}
}

func TestVarint(t *testing.T) {
	for _, value := range []uint64{0, 1, 127, 128, 129, 16511, 16512, 1 << 40} {
		got, n := varint(appendVarint(nil, value))
		assert.Equal(t, value, got)
		assert.Positive(t, n)
	}
	_, n := varint([]byte{0x80, 0x80})
	assert.Zero(t, n)
}

func TestBitmap(t *testing.T) {
	// 130 bits: a run of one full word, one literal word with bits 0 and 63, then a run of zeros.
	data := []byte{0, 0, 0, 130, 0, 0, 0, 2,
		0, 0, 0, 2, 0, 0, 0, 3,
		0x80, 0, 0, 0, 0, 0, 0, 1,
		0, 0, 0, 0}
	b, rest, ok := parseBitmap(data)
	require.True(t, ok)
	assert.Empty(t, rest)
	var got []int
	for pos := range b.ones {
		got = append(got, pos)
	}
	require.Len(t, got, 66)
	assert.Equal(t, []int{63, 64, 127}, got[63:])
}

func FuzzParse(f *testing.F) {
	for _, version := range []uint32{2, 4} {
		x := &Index{Entries: []Entry{{Name: "a"}, {Name: "a.b", IntentToAdd: version == 4}, {Name: "c/d"}}}
		x.CacheTree = &CacheTree{Entries: 3, Children: []CacheTree{{Name: "c", Entries: 1}}}
		x.ResolveUndo = []ResolveUndo{{Name: "x", Modes: [3]uint32{ModeFile, 0, 0}}}
		var out bytes.Buffer
		_, err := x.Encode(&out, EncodeOptions{Version: version})
		require.NoError(f, err)
		f.Add(out.Bytes(), []byte{})
		f.Add(extended(out.Bytes(), "link", strings.Repeat("\x00", 19)+"\x01\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00"), out.Bytes())
	}
	f.Fuzz(func(t *testing.T, data, base []byte) {
		x, err := Parse(data, Options{Shared: func(plumbing.Hash) ([]byte, error) { return base, nil }})
		if err != nil {
			return
		}
		var out bytes.Buffer
		_, err = x.Encode(&out, EncodeOptions{})
		require.NoError(t, err)
		again, err := Parse(out.Bytes(), Options{Verify: true})
		require.NoError(t, err)
		require.Equal(t, len(x.Entries), len(again.Entries))
	})
}

// many is an index of n files in directories of 20.
func many(n int) *Index {
	x := &Index{Version: 2, Entries: make([]Entry, n)}
	for i := range x.Entries {
		x.Entries[i].Name = fmt.Sprintf("some/path/dir%05d/file%02d.go", i/20, i%20)
	}
	return x
}

func BenchmarkParse(b *testing.B) {
	for _, version := range []uint32{2, 4} {
		var out bytes.Buffer
		_, err := many(100_000).Encode(&out, EncodeOptions{Version: version})
		require.NoError(b, err)
		b.Run(fmt.Sprintf("v%d", version), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := Parse(out.Bytes(), Options{})
				require.NoError(b, err)
			}
		})
		b.Run(fmt.Sprintf("v%d verified", version), func(b *testing.B) {
			for b.Loop() {
				_, err := Parse(out.Bytes(), Options{Verify: true})
				require.NoError(b, err)
			}
		})
	}
}
