package fsck_test

import (
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/fsck"
)

const (
	zeros  = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	blob   = "aaaaaaaaaaaaaaaaaaaa"
	person = "A <a@b> 1 +0000\n"
)

// check returns what rules tell of an object.
func check(rules *fsck.Rules, kind plumbing.ObjectType, content string) (told []string) {
	c := fsck.Checker{Rules: rules, Report: func(_ plumbing.Hash, _ plumbing.ObjectType, text string) { told = append(told, text) }}
	c.Object(plumbing.ZeroHash, kind, []byte(content))
	return told
}

// TestRules changes what counts. What each fault is called is compared with git
// in internal/compat.
func TestRules(t *testing.T) {
	const nobody = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A 1 +0000\ncommitter " + person + "\n"
	missingEmail := []string{"missingEmail: invalid author/committer line - missing email"}
	rules := fsck.NewRules(false)
	assert.Equal(t, missingEmail, check(rules, plumbing.CommitObject, nobody))
	require.NoError(t, rules.Set("missingemail", "ignore"))
	assert.Empty(t, check(rules, plumbing.CommitObject, nobody))
	require.NoError(t, rules.Set("MISSINGEMAIL", "error"))
	assert.Equal(t, missingEmail, check(rules, plumbing.CommitObject, nobody))

	null := "100644 a\x00" + zeros
	assert.Empty(t, check(rules, plumbing.TreeObject, null))
	assert.Equal(t, []string{"nullSha1: contains entries pointing to null sha1"}, check(fsck.NewRules(true), plumbing.TreeObject, null))

	assert.EqualError(t, rules.Set("noSuchThing", "warn"), "Unhandled message id: nosuchthing")
	assert.EqualError(t, rules.Set("nullSha1", "maybe"), "Unknown fsck message type: 'maybe'")
	assert.EqualError(t, rules.Set("nulInHeader", "warn"), "Cannot demote nulinheader to warn")
}

func TestSkip(t *testing.T) {
	known := plumbing.NewHash("1111111111111111111111111111111111111111")
	c := fsck.Checker{Rules: fsck.NewRules(false), Skip: map[plumbing.Hash]bool{known: true}, Report: func(plumbing.Hash, plumbing.ObjectType, string) { t.Error("told") }}
	assert.True(t, c.Object(known, plumbing.CommitObject, []byte("no commit\n\n")))
}

func TestOrderOfTrees(t *testing.T) {
	duplicate := []string{"duplicateEntries: contains duplicate file entries"}
	for _, c := range []struct {
		tree string
		want []string
	}{
		{"100644 a\x00" + blob + "40000 a.b\x00" + blob + "40000 ab\x00" + blob, nil},
		{"40000 a\x00" + blob + "100644 a.b\x00" + blob, []string{"treeNotSorted: not properly sorted"}},
		{"100644 a\x00" + blob + "100644 a-\x00" + blob + "100644 a.b\x00" + blob + "40000 a\x00" + blob, duplicate},
		{"100644 a\x00" + blob + "100644 a-\x00" + blob + "40000 a-\x00" + blob + "40000 a\x00" + blob, duplicate},
	} {
		assert.Equal(t, c.want, check(fsck.NewRules(false), plumbing.TreeObject, c.tree), "%q", c.tree)
	}
}

func FuzzObject(f *testing.F) {
	f.Add(uint8(1), []byte("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor "+person+"committer "+person+"\n"))
	f.Add(uint8(2), []byte("100644 .gitmodules\x00"+blob+"40000 a\\git~1\x00"+blob))
	f.Add(uint8(4), []byte("object 4b825dc642cb6eb9a060e54bf8d69288fbee4904\ntype tree\ntag a\ntagger "+person+"\n"))
	f.Fuzz(func(t *testing.T, kind uint8, content []byte) {
		told := 0
		c := fsck.Checker{Rules: fsck.NewRules(true), Report: func(plumbing.Hash, plumbing.ObjectType, string) { told++ }}
		ok := c.Object(plumbing.ZeroHash, plumbing.ObjectType(kind%5), content)
		assert.Equal(t, ok, told == 0)
		err := c.Files(func(plumbing.Hash) (plumbing.ObjectType, []byte, error) { return plumbing.BlobObject, content, nil })
		assert.NoError(t, err)
	})
}
