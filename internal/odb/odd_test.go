package odb_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/sandbox"
)

// only returns the one file that matches the pattern.
func only(t testing.TB, pattern string) string {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Chmod(files[0], 0o644))
	return files[0]
}

func ids(t testing.TB, dir string) []plumbing.Hash {
	var all []plumbing.Hash
	for _, digits := range strings.Fields(git(t, dir, "", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")) {
		all = append(all, plumbing.NewHash(digits))
	}
	return all
}

func TestLeftovers(t *testing.T) {
	dir := history(t, 20)
	git(t, filepath.Dir(dir), "", "repack", "-qadf")
	pack := only(t, dir+"/objects/pack/pack-*.pack")
	data, err := os.ReadFile(pack)
	require.NoError(t, err)
	index, err := os.ReadFile(strings.TrimSuffix(pack, ".pack") + ".idx")
	require.NoError(t, err)
	for name, content := range map[string][]byte{
		"pack/pack-1234567890123456789012345678901234567890.pack": data,
		"pack/pack-0987654321098765432109876543210987654321.idx":  index,
		"pack/tmp_pack_abc123": data[:100],
		"pack/pack-fedcba9876fedcba9876fedcba9876fedcba9876.keep": nil,
		"zz": []byte("x"), "aa": []byte("a file where a directory could be"),
	} {
		require.NoError(t, os.WriteFile(dir+"/objects/"+name, content, 0o644))
	}
	require.NoError(t, os.MkdirAll(dir+"/objects/ab/"+strings.Repeat("c", 38), 0o755))
	db := open(t, dir, odb.Options{})
	equalsGit(t, dir, db)
	assert.False(t, db.Has(plumbing.NewHash("ab"+strings.Repeat("c", 38))))
	assert.False(t, db.Has(plumbing.NewHash("aa"+strings.Repeat("c", 38))))
}

func TestNotFound(t *testing.T) {
	id := plumbing.NewHash("1234567890123456789012345678901234567890")
	dir := history(t, 3)
	_, _, err := open(t, dir, odb.Options{}).Read(id)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorIs(t, err, plumbing.ErrObjectNotFound)
	_, _, err = open(t, dir, odb.Options{PartialClone: true}).Header(id)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.EqualError(t, err, "object 1234567890123456789012345678901234567890 is missing (this is a partial clone; nothing is fetched)")
}

func TestReplacements(t *testing.T) {
	dir := history(t, 10)
	top := filepath.Dir(dir)
	all := strings.Fields(git(t, top, "", "rev-list", "HEAD"))
	db := open(t, dir, odb.Options{})
	replace := map[plumbing.Hash]plumbing.Hash{}
	for i := range 5 {
		replace[plumbing.NewHash(all[i])] = plumbing.NewHash(all[i+1])
	}
	db.SetReplacements(replace)
	_, data, err := db.Read(plumbing.NewHash(all[0]))
	require.NoError(t, err)
	assert.Equal(t, git(t, top, "", "cat-file", "-p", all[5]), string(data))
	replace[plumbing.NewHash(all[5])] = plumbing.NewHash(all[6])
	db.SetReplacements(replace)
	_, _, err = db.Read(plumbing.NewHash(all[0]))
	assert.EqualError(t, err, "replace depth too high for object "+all[0])
}

// TestAppearing: objects that are written after the packs were listed.
func TestAppearing(t *testing.T) {
	dir := history(t, 5)
	top := filepath.Dir(dir)
	db := open(t, dir, odb.Options{})
	old := ids(t, top)
	require.True(t, db.Has(old[0]))
	id := strings.TrimSpace(git(t, top, "new blob", "hash-object", "-w", "--stdin"))
	_, data, err := db.Read(plumbing.NewHash(id))
	require.NoError(t, err)
	assert.Equal(t, "new blob", string(data))
	id = strings.TrimSpace(git(t, top, "another blob", "hash-object", "-w", "--stdin"))
	git(t, top, id, "pack-objects", "-q", dir+"/objects/pack/pack")
	git(t, top, "", "prune-packed", "-q")
	_, data, err = db.Read(plumbing.NewHash(id))
	require.NoError(t, err)
	assert.Equal(t, "another blob", string(data))
}

// TestVanishing: git repacks and prunes while objects are read.
func TestVanishing(t *testing.T) {
	dir := history(t, 50)
	top := filepath.Dir(dir)
	git(t, top, "", "repack", "-qadf")
	for _, noMap := range []bool{false, true} {
		db := open(t, dir, odb.Options{NoMap: noMap})
		all := ids(t, top)
		stop := make(chan struct{})
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				r := db.NewReader()
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					if _, _, err := r.Read(all[i%len(all)]); err != nil {
						assert.NoError(t, err)
						return
					}
					_, _, err := db.Read(all[(i*7)%len(all)])
					assert.NoError(t, err)
				}
			})
		}
		for i := range 3 {
			git(t, top, fmt.Sprint("blob ", i), "hash-object", "-w", "--stdin")
			git(t, top, "", "-c", fmt.Sprintf("pack.compression=%d", i), "repack", "-qadfk")
			git(t, top, "", "multi-pack-index", "write")
		}
		close(stop)
		group.Wait()
	}
}

// TestNeverOpened: a pack that was listed and is gone before it is opened.
func TestNeverOpened(t *testing.T) {
	dir := history(t, 20)
	top := filepath.Dir(dir)
	db := open(t, dir, odb.Options{})
	all := ids(t, top)
	require.True(t, db.Has(all[0]))
	git(t, top, "", "repack", "-qadf", "--depth=0")
	for _, id := range all {
		_, _, err := db.Read(id)
		require.NoError(t, err)
	}
}

func TestTruncatedBeneathMapping(t *testing.T) {
	dir := history(t, 300)
	top := filepath.Dir(dir)
	git(t, top, "", "repack", "-qadf", "--depth=0")
	db := open(t, dir, odb.Options{})
	all := ids(t, top)
	_, _, err := db.Read(all[0])
	require.NoError(t, err)
	require.NoError(t, os.Truncate(only(t, dir+"/objects/pack/*.pack"), 4096))
	failed := 0
	for _, id := range all {
		if _, _, err := db.Read(id); err != nil {
			assert.ErrorContains(t, err, id.String())
			assert.ErrorContains(t, err, "pack-")
			failed++
		}
	}
	assert.Positive(t, failed)
	require.NoError(t, os.Truncate(only(t, dir+"/objects/pack/*.idx"), 0))
	for _, id := range all {
		_, _, err := db.Read(id)
		require.Error(t, err)
	}
}

// TestOtherCopies: a damaged object that is elsewhere too.
func TestOtherCopies(t *testing.T) {
	dir := history(t, 30)
	top := filepath.Dir(dir)
	git(t, top, "", "repack", "-qadf")
	saved := t.TempDir()
	for _, ext := range []string{"pack", "idx"} {
		data, err := os.ReadFile(only(t, dir+"/objects/pack/*."+ext))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(saved+"/pack-whole."+ext, data, 0o644))
	}
	git(t, top, "", "-c", "pack.compression=0", "repack", "-qadfk")
	pack := only(t, dir+"/objects/pack/*.pack")
	data, err := os.ReadFile(pack)
	require.NoError(t, err)
	for i := 200; i < len(data)-40; i += 50 {
		data[i] ^= 0x55
	}
	require.NoError(t, os.WriteFile(pack, data, 0o644))
	damaged := 0
	db := open(t, dir, odb.Options{})
	all := ids(t, top)
	for _, id := range all {
		if err := db.Verify(id); err != nil {
			damaged++
		}
	}
	assert.Positive(t, damaged)
	require.NoError(t, os.Rename(saved+"/pack-whole.pack", dir+"/objects/pack/pack-whole.pack"))
	require.NoError(t, os.Rename(saved+"/pack-whole.idx", dir+"/objects/pack/pack-whole.idx"))
	for _, id := range all {
		_, _, err := db.Read(id)
		require.NoError(t, err)
	}
}

func TestAlternates(t *testing.T) {
	root := t.TempDir()
	last := ""
	for i := range 8 {
		dir := filepath.Join(root, fmt.Sprint("r", i))
		fixtures.InitAt(t, dir)
		last = strings.TrimSpace(git(t, dir, fmt.Sprint("blob of ", i), "hash-object", "-w", "--stdin"))
		if i > 0 {
			require.NoError(t, os.MkdirAll(dir+"/.git/objects/info", 0o755))
			text := fmt.Sprintf("# comment\n\n../../../r%d/.git/objects\n/nonexistent/objects\n", i-1)
			if i == 2 {
				text = fmt.Sprintf("\"../../../r\\061/.git/objects\"\n../../.git/objects\n../../../r%d/.git/objects\n", i)
			}
			require.NoError(t, os.WriteFile(dir+"/.git/objects/info/alternates", []byte(text), 0o644))
		}
	}
	require.NotEmpty(t, last)
	blob := func(i int) plumbing.Hash {
		return plumbing.ComputeHash(plumbing.BlobObject, []byte(fmt.Sprint("blob of ", i)))
	}
	for top := range 8 {
		dir := filepath.Join(root, fmt.Sprint("r", top))
		db := open(t, filepath.Join(dir, ".git"), odb.Options{}, root)
		for i := range 8 {
			err := fixtures.Ask(t, dir, "cat-file", "-e", blob(i).String())
			assert.Equal(t, err.Code == 0, db.Has(blob(i)), "blob %d seen from %d", i, top)
		}
	}
}

func TestAlternateOutside(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"in", "out"} {
		fixtures.InitAt(t, filepath.Join(root, name))
		git(t, filepath.Join(root, name), name, "hash-object", "-w", "--stdin")
	}
	dir := filepath.Join(root, "in/.git")
	require.NoError(t, os.MkdirAll(dir+"/objects/info", 0o755))
	require.NoError(t, os.WriteFile(dir+"/objects/info/alternates", []byte("../../../out/.git/objects\n"), 0o644))
	db := open(t, dir, odb.Options{})
	_, _, err := db.Read(plumbing.ComputeHash(plumbing.BlobObject, []byte("in")))
	require.NoError(t, err)
	_, _, err = db.Read(plumbing.ComputeHash(plumbing.BlobObject, []byte("out")))
	var outside *sandbox.OutsideError
	require.True(t, errors.As(err, &outside), "%v", err)
	assert.ErrorIs(t, err, fs.ErrPermission)
	assert.ErrorContains(t, err, "../../../out/.git/objects")
}

func TestExpand(t *testing.T) {
	dir := history(t, 100)
	top := filepath.Dir(dir)
	git(t, top, "", "repack", "-qad")
	var paths strings.Builder
	for i := range 400 {
		name := filepath.Join(t.TempDir(), fmt.Sprint(i))
		require.NoError(t, os.WriteFile(name, fmt.Append(nil, "loose ", i), 0o644))
		fmt.Fprintln(&paths, name)
	}
	git(t, top, paths.String(), "hash-object", "-w", "--stdin-paths")
	db := open(t, dir, odb.Options{})
	all := ids(t, top)
	for i, id := range all {
		if i%29 != 0 {
			continue
		}
		for _, n := range []int{0, 1, 2, 3, 4, 7, 40} {
			got, err := db.Expand(strings.ToUpper(id.String()[:n]))
			require.NoError(t, err)
			want := 0
			for _, other := range all {
				if strings.HasPrefix(other.String(), id.String()[:n]) {
					want++
				}
			}
			require.Len(t, got, want)
		}
		short := strings.TrimSpace(git(t, top, "", "rev-parse", "--short=4", id.String()))
		require.Equal(t, short, id.String()[:db.AbbrevLen(id, 4)])
	}
	for _, bad := range []string{"xyz", "12g", strings.Repeat("0", 41)} {
		got, err := db.Expand(bad)
		assert.NoError(t, err)
		assert.Empty(t, got)
	}
}
