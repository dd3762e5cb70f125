package odb_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/odb"
)

// TestDamagedMidx: whatever a multi-pack-index says, the packs' own indexes
// have the last word.
func TestDamagedMidx(t *testing.T) {
	dir := history(t, 20)
	top := filepath.Dir(dir)
	git(t, top, "", "repack", "-qad")
	git(t, top, "", "tag", "-a", "-m", "x", "t")
	git(t, top, "", "repack", "-qd")
	git(t, top, "", "multi-pack-index", "write")
	want := map[plumbing.Hash][]byte{}
	batch(t, dir, func(id plumbing.Hash, _ string, data []byte) { want[id] = data })
	name := only(t, dir+"/objects/pack/multi-pack-index")
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	check := func(what string, at int) {
		db := open(t, dir, odb.Options{})
		for id, data := range want {
			require.True(t, db.Has(id), "%s %d: %s", what, at, id)
			_, got, err := db.Read(id)
			require.NoError(t, err, "%s %d", what, at)
			require.True(t, bytes.Equal(data, got), "%s %d: %s", what, at, id)
		}
	}
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		at := r.IntN(len(whole))
		bad := bytes.Clone(whole)
		bad[at] ^= 0x80 // an offset far away, not that of another entry
		require.NoError(t, os.WriteFile(name, bad, 0o644))
		check("changed", at)
	}
	for range 20 {
		at := r.IntN(len(whole))
		require.NoError(t, os.WriteFile(name, whole[:at], 0o644))
		check("cut", at)
	}
}

// TestDamagedPacks changes packs and indexes: an error or the right content,
// never a panic. Content that is wrong is what git would give too, and Verify
// finds it.
func TestDamagedPacks(t *testing.T) {
	dir := history(t, 20)
	git(t, filepath.Dir(dir), "", "repack", "-qadf")
	want := map[plumbing.Hash][]byte{}
	batch(t, dir, func(id plumbing.Hash, _ string, data []byte) { want[id] = data })
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, ext := range []string{"pack", "idx"} {
		name := only(t, dir+"/objects/pack/pack-*."+ext)
		whole, err := os.ReadFile(name)
		require.NoError(t, err)
		for i := range 60 {
			bad := bytes.Clone(whole)
			for range 1 + r.IntN(4) {
				bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			}
			require.NoError(t, os.WriteFile(name, bad, 0o644))
			db := open(t, dir, odb.Options{NoMap: i%2 == 0})
			for id, data := range want {
				_, got, err := db.Read(id)
				_, _, _ = db.Header(id)
				if err == nil && !bytes.Equal(data, got) {
					require.Error(t, db.Verify(id), id)
				}
			}
			_, _ = db.Expand("a")
			db.AbbrevLen(plumbing.ZeroHash, 4)
			require.NoError(t, db.Close())
		}
		require.NoError(t, os.WriteFile(name, whole, 0o644))
	}
}
