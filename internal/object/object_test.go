package object_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/object"
)

const (
	tree  = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	first = "1111111111111111111111111111111111111111"
	other = "2222222222222222222222222222222222222222"
)

var id = plumbing.NewHash("abcdabcdabcdabcdabcdabcdabcdabcdabcdabcd")

func TestParseCommit(t *testing.T) {
	data := []byte("tree " + tree + "\nparent " + first + "\nparent " + other + "\n" +
		"author A <a@x> 1 +0100\ncommitter C <c@x> 1700000000 -0030\nencoding latin1\n" +
		"gpgsig -----BEGIN\n author x\n -----END\nencoding utf-8\n\nsubject\n\nbody\n")
	c, err := object.ParseCommit(id, data)
	require.NoError(t, err)
	assert.Equal(t, tree, c.Tree.String())
	assert.Equal(t, []plumbing.Hash{plumbing.NewHash(first), plumbing.NewHash(other)}, c.Parents)
	assert.Equal(t, "A <a@x> 1 +0100", string(c.Author))
	assert.Equal(t, "C <c@x> 1700000000 -0030", string(c.Committer))
	assert.Equal(t, "latin1", c.Encoding)
	assert.Equal(t, "subject\n\nbody\n", string(c.Message))
	date, err := object.CommitDate(data)
	require.NoError(t, err)
	assert.Equal(t, int64(1700000000), date)
}

func TestCommitErrors(t *testing.T) {
	for data, want := range map[string]string{
		"":                          "bogus commit object %s",
		"tree " + tree:              "bogus commit object %s",
		"tree " + tree + "\n":       "bogus commit object %s",
		"trie " + tree + "\nx":      "bogus commit object %s",
		"tree " + tree[1:] + "g\nx": "bad tree pointer in commit %s",
		"tree " + tree + "\nparent " + first[1:] + "g\nauthor": "bad parents in commit %s",
		"tree " + tree + "\nparent " + first + "\n":            "bad parents in commit %s",
		"tree " + tree + "\nparent " + first + "x\nauthor":     "bad parents in commit %s",
	} {
		_, err := object.ParseCommit(id, []byte(data))
		assert.EqualError(t, err, fmt.Sprintf(want, id), "%q", data)
	}
	// Anything after the tree line may be missing.
	c, err := object.ParseCommit(id, []byte("tree "+tree+"\n\n"))
	require.NoError(t, err)
	assert.Nil(t, c.Author)
	assert.Empty(t, c.Message)
	_, err = object.ParseCommit(id, []byte("tree "+tree+"\nparent "+first[:30]))
	assert.NoError(t, err, "a cut parent line is no parent line")
}

func TestHeaderDate(t *testing.T) {
	for rest, want := range map[string]int64{
		"author A <a> 5 +0000\ncommitter C <c> 7 +0000\n":     7,
		"author A\ncommitter C <c> \t-7 +0000\n":              -7,
		"author A\ncommitter C <c>x> 9\n":                     0,
		"author A\ncommitter C <c> 9":                         0,
		"author A\ncommitter C\nx <y> 11\n":                   11, // git's search crosses lines
		"author A\ncommitter C <c> 99999999999999999999 +0\n": -1,
		"committer C <c> 7 +0000\nauthor A\n":                 0,
		"author":                                              0,
		"":                                                    0,
	} {
		assert.Equal(t, want, object.HeaderDate([]byte(rest)), "%q", rest)
	}
}

func TestSplitIdent(t *testing.T) {
	for line, want := range map[string][4]string{
		"A U Thor <a@x> 17 +0100": {"A U Thor", "a@x", "17", "+0100"},
		"A<a@x> 17 +0100":         {"A", "a@x", "17", "+0100"},
		"<a@x> 17 -0100":          {"", "a@x", "17", "-0100"},
		"  <a@x> 17 -0100":        {"", "a@x", "17", "-0100"},
		"A <a@x>17 +01":           {"A", "a@x", "17", "+01"},
		"A <a@x> 17":              {"A", "a@x", "", ""},
		"A <a@x>":                 {"A", "a@x", "", ""},
		"A <a@x> -17 +0100":       {"A", "a@x", "", ""},
		"A <a@x> 17 0100":         {"A", "a@x", "", ""},
		"A <a@x> b> 17 +0100":     {"A", "a@x", "17", "+0100"},
		"A <a <b@x> 17 +0100":     {"A", "a <b@x", "17", "+0100"},
		"A <> 17 +0100x":          {"A", "", "17", "+0100"},
	} {
		ident, ok := object.SplitIdent([]byte(line))
		require.True(t, ok, line)
		assert.Equal(t, want, [4]string{string(ident.Name), string(ident.Email), string(ident.Date), string(ident.Zone)}, line)
	}
	for _, line := range []string{"", "A", "A a@x> 1 +0", "A <a@x 1 +0", "A\x00 <a@x> 1 +0"} {
		_, ok := object.SplitIdent([]byte(line))
		assert.False(t, ok, "%q", line)
	}
	assert.Equal(t, int64(1<<63-1), object.Ident{Date: []byte("9223372036854775808")}.When())
}

func entry(mode, name string) string { return mode + " " + name + "\x00" + string(id[:]) }

func TestTreeIter(t *testing.T) {
	it := object.NewTreeIter([]byte(entry("100664", "a") + entry("40000", "b") + entry("0100755", "c") + entry("160000", "d")))
	var got []string
	for {
		e, ok, err := it.Next()
		require.NoError(t, err)
		if !ok {
			break
		}
		got = append(got, fmt.Sprintf("%o %o %s", e.Mode, e.Raw, e.Name))
		assert.Equal(t, id, e.ID)
	}
	assert.Equal(t, []string{"100644 100664 a", "40000 40000 b", "100755 100755 c", "160000 160000 d"}, got)
}

func TestTreeErrors(t *testing.T) {
	for data, want := range map[string]error{
		"x":                           object.ErrTreeTooShort,
		entry("100644", "a")[:20]:     object.ErrTreeTooShort,
		entry("100644", "a") + "1":    object.ErrTreeTooShort,
		entry("100648", "a"):          object.ErrTreeMode,
		entry("", "a"):                object.ErrTreeMode,
		"100644a\x00" + string(id[:]): object.ErrTreeMode,
		entry("100644", ""):           object.ErrTreeEmptyName,
	} {
		it := object.NewTreeIter([]byte(data))
		var err error
		for ok := true; ok && err == nil; {
			_, ok, err = it.Next()
		}
		assert.Equal(t, want, err, "%q", data)
		_, ok, err := it.Next()
		assert.False(t, ok)
		assert.NoError(t, err, "after an error the tree has ended")
	}
}

func TestFindEntry(t *testing.T) {
	data := []byte(entry("100644", "a") + entry("100644", "a-b") + entry("40000", "a0") + entry("100644", "ab") + entry("100644", "c"))
	for name, want := range map[string]bool{"a": true, "a-b": true, "a0": true, "ab": true, "c": true, "": false, "a-": false, "b": false, "d": false} {
		_, ok, err := object.FindEntry(data, name)
		require.NoError(t, err)
		assert.Equal(t, want, ok, name)
	}
}

func TestCompareNames(t *testing.T) {
	sorted := []string{"a-b", "a.c", "a/", "a0", "aa", "b", "b/c"}
	for i, x := range sorted {
		for j, y := range sorted {
			xn, xt := bytes.CutSuffix([]byte(x), []byte("/"))
			yn, yt := bytes.CutSuffix([]byte(y), []byte("/"))
			c := object.CompareNames(xn, xt, yn, yt)
			assert.Equal(t, sign(i-j), sign(c), "%s %s", x, y)
		}
	}
}

func sign(n int) int { return max(-1, min(1, n)) }

func TestParseTag(t *testing.T) {
	data := "object " + first + "\ntype commit\ntag v1\ntagger T <t@x> 1 +0000\n\nmessage\n"
	tag, err := object.ParseTag(id, []byte(data))
	require.NoError(t, err)
	assert.Equal(t, first, tag.Target.String())
	assert.Equal(t, plumbing.CommitObject, tag.TargetType)
	assert.Equal(t, "v1", string(tag.Name))
	assert.Equal(t, "T <t@x> 1 +0000", string(tag.Tagger))
	assert.Equal(t, "message\n", string(tag.Message))
	_, err = object.ParseTag(id, []byte("object "+first+"\ntype wombat\ntag v1\n\nmessage\n"))
	assert.EqualError(t, err, "unknown tag type 'wombat' in "+id.String())
	for _, bad := range []string{"", data[:60], "object " + first + "\ntype commit\nno tag line here at all\n"} {
		_, err = object.ParseTag(id, []byte(bad))
		assert.Error(t, err)
	}
}

func FuzzObjects(f *testing.F) {
	f.Add([]byte("tree " + tree + "\nparent " + first + "\nauthor A <a@x> 1 +0100\ncommitter C <c@x> 1 +0\n\nm"))
	f.Add([]byte("object " + first + "\ntype commit\ntag v1\ntagger T <t@x> 1 +0000\n\nmessage\n"))
	f.Add([]byte(entry("100644", "a") + entry("40000", "b")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := object.ParseCommit(id, data); err == nil {
			_, err := object.CommitDate(data)
			require.NoError(t, err)
			object.SplitIdent(c.Author)
		}
		if tag, err := object.ParseTag(id, data); err == nil {
			object.SplitIdent(tag.Tagger)
		}
		object.SplitIdent(data)
		it := object.NewTreeIter(data)
		for used := 0; ; {
			e, ok, err := it.Next()
			if err != nil || !ok {
				break
			}
			used += len(e.Name) + 22
			require.LessOrEqual(t, used, len(data))
			require.NotEmpty(t, e.Name)
		}
		_, _, _ = object.FindEntry(data, "name")
	})
}
