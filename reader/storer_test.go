package reader_test

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// storerOf opens a repository of some commits, most of them packed.
func storerOf(t *testing.T) (dir string, s *reader.Storer) {
	dir = fixtures.Build(t, `
git init -q -b main .
for i in 1 2 3 4 5 6 7 8 9 10; do
	mkdir -p d/$((i % 3)); seq $i 300 >d/$((i % 3))/f; echo $i >top; commit "c$i"
done
git tag -a -m annotated v1
git repack -qad
echo last >top; commit last
git update-ref refs/heads/broken HEAD; printf x >.git/refs/heads/broken
`)
	ws, err := sandbox.Open(dir, sandbox.Policy{})
	require.NoError(t, err)
	top, err := ws.Resolve("")
	require.NoError(t, err)
	r, err := reader.Open(t.Context(), top, reader.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); top.Close() })
	return dir, r.Storer()
}

func head(t *testing.T, s *reader.Storer) plumbing.Hash {
	ref, err := storer.ResolveReference(s, plumbing.HEAD)
	require.NoError(t, err)
	return ref.Hash()
}

// walk reads every commit from id and every blob of its tree, with go-git's
// own code.
func walk(s *reader.Storer, id plumbing.Hash) (commits, bytes int, err error) {
	c, err := object.GetCommit(s, id)
	if err != nil {
		return 0, 0, err
	}
	err = object.NewCommitPreorderIter(c, nil, nil).ForEach(func(c *object.Commit) error {
		commits++
		files, err := c.Files()
		if err != nil {
			return err
		}
		return files.ForEach(func(f *object.File) error {
			text, err := f.Contents()
			bytes += len(text)
			return err
		})
	})
	return commits, bytes, err
}

func TestStorerServesGoGit(t *testing.T) {
	dir, s := storerOf(t)
	want := 0
	revs := strings.Fields(string(fixtures.Git(t, dir, "rev-list", "HEAD")))
	for _, rev := range revs {
		for _, line := range strings.Split(strings.TrimSpace(string(fixtures.Git(t, dir, "ls-tree", "-lr", rev))), "\n") {
			n, err := strconv.Atoi(strings.Fields(line)[3])
			require.NoError(t, err)
			want += n
		}
	}
	id := head(t, s)
	commits, bytes, err := walk(s, id)
	require.NoError(t, err)
	assert.Equal(t, len(revs), commits)
	assert.Equal(t, want, bytes)

	tag, err := s.Reference("refs/tags/v1")
	require.NoError(t, err)
	annotated, err := object.GetTag(s, tag.Hash())
	require.NoError(t, err)
	assert.Equal(t, "annotated\n", annotated.Message)
}

func TestStorerFromManyGoroutines(t *testing.T) {
	_, s := storerOf(t)
	id := head(t, s)
	commits, bytes, err := walk(s, id)
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 3 {
				c, b, err := walk(s, id)
				assert.NoError(t, err)
				assert.Equal(t, commits, c)
				assert.Equal(t, bytes, b)
			}
		})
	}
	group.Wait()
}

func TestStorerIterates(t *testing.T) {
	dir, s := storerOf(t)
	all := strings.Fields(string(fixtures.Git(t, dir, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)")))
	for kind, name := range map[plumbing.ObjectType]string{
		plumbing.CommitObject: "commit", plumbing.TreeObject: "tree", plumbing.BlobObject: "blob",
		plumbing.TagObject: "tag", plumbing.AnyObject: "",
	} {
		want := 0
		for _, k := range all {
			if name == "" || k == name {
				want++
			}
		}
		it, err := s.IterEncodedObjects(kind)
		require.NoError(t, err)
		got := 0
		require.NoError(t, it.ForEach(func(o plumbing.EncodedObject) error {
			got++
			in, err := o.Reader()
			require.NoError(t, err)
			data, err := io.ReadAll(in)
			require.NoError(t, err)
			assert.Equal(t, o.Size(), int64(len(data)))
			assert.Equal(t, o.Hash(), plumbing.ComputeHash(o.Type(), data))
			size, err := s.EncodedObjectSize(o.Hash())
			assert.Equal(t, o.Size(), size)
			return err
		}))
		assert.Equal(t, want, got, name)
	}
	refs, err := s.IterReferences()
	require.NoError(t, err)
	var names []string
	require.NoError(t, refs.ForEach(func(r *plumbing.Reference) error { names = append(names, r.Name().String()); return nil }))
	assert.Equal(t, []string{"HEAD", "refs/heads/main", "refs/tags/v1"}, names)
}

func TestStorerNotFound(t *testing.T) {
	_, s := storerOf(t)
	missing := plumbing.NewHash("1234567890123456789012345678901234567890")
	_, err := s.EncodedObject(plumbing.AnyObject, missing)
	assert.ErrorIs(t, err, plumbing.ErrObjectNotFound)
	assert.ErrorIs(t, s.HasEncodedObject(missing), plumbing.ErrObjectNotFound)
	_, err = s.EncodedObject(plumbing.TreeObject, head(t, s))
	assert.ErrorIs(t, err, plumbing.ErrObjectNotFound)
	_, err = object.GetCommit(s, missing)
	assert.ErrorIs(t, err, plumbing.ErrObjectNotFound)
	_, err = s.Reference("refs/heads/none")
	assert.ErrorIs(t, err, plumbing.ErrReferenceNotFound)
}

func TestStorerRefusesWrites(t *testing.T) {
	_, s := storerOf(t)
	ref := plumbing.NewHashReference("refs/heads/x", plumbing.ZeroHash)
	_, err := s.SetEncodedObject(s.NewEncodedObject())
	for _, err := range []error{
		err, s.AddAlternate("x"), s.SetReference(ref), s.CheckAndSetReference(ref, ref),
		s.RemoveReference("refs/heads/x"), s.PackRefs(),
	} {
		assert.True(t, errors.Is(err, sandbox.ErrReadOnly), "%v", err)
	}
	o, err := s.EncodedObject(plumbing.AnyObject, head(t, s))
	require.NoError(t, err)
	_, err = o.Writer()
	assert.ErrorIs(t, err, sandbox.ErrReadOnly)
}
