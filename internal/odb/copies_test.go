package odb_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/odb"
)

// TestCopies reads every copy of objects that lie in packs, loose, and both.
func TestCopies(t *testing.T) {
	dir := history(t, 20)
	top := filepath.Dir(dir)
	git(t, top, "", "repack", "-q") // the loose ones stay
	git(t, top, "", "tag", "-am", "x", "t")
	want := map[plumbing.Hash][]byte{}
	batch(t, dir, func(id plumbing.Hash, _ string, data []byte) { want[id] = data })

	for name, opts := range map[string]odb.Options{"mapped": {}, "read by position": {NoMap: true}} {
		t.Run(name, func(t *testing.T) {
			loose, packed, stored := map[plumbing.Hash]bool{}, map[plumbing.Hash]bool{}, 0
			db := open(t, dir, opts)
			for c, err := range db.Copies(t.Context()) {
				require.NoError(t, err)
				require.Empty(t, c.Problem)
				if c.Kind != plumbing.BlobObject {
					assert.True(t, bytes.Equal(want[c.ID], c.Data), c.ID)
				}
				if c.Packed {
					packed[c.ID] = true
				} else {
					loose[c.ID] = true
				}
			}
			for id, err := range db.StoredIDs(t.Context()) {
				require.NoError(t, err)
				require.Contains(t, want, id)
				stored++
			}
			assert.Len(t, loose, len(want))
			assert.Len(t, packed, len(want)-1)
			assert.Equal(t, len(loose)+len(packed), stored)
			assert.True(t, db.Packed(plumbing.NewHash(strings.TrimSpace(git(t, top, "", "rev-parse", "HEAD")))))
		})
	}
}

// TestCopiesOfDamagedPacks finds every changed byte of a pack and its index.
func TestCopiesOfDamagedPacks(t *testing.T) {
	dir := history(t, 10)
	git(t, filepath.Dir(dir), "", "repack", "-qad")
	r := rand.New(rand.NewPCG(fixtures.Seed(t), 0))
	for _, pattern := range []string{"*.pack", "*.idx"} {
		name := only(t, dir+"/objects/pack/"+pattern)
		whole, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.Chmod(name, 0o644))
		for range 40 {
			at := r.IntN(len(whole))
			bad := bytes.Clone(whole)
			bad[at] ^= 1 << r.IntN(8)
			require.NoError(t, os.WriteFile(name, bad, 0o644))
			found := false
			for c, err := range open(t, dir, odb.Options{}).Copies(t.Context()) {
				found = found || err != nil || c.Problem != ""
			}
			assert.True(t, found, "%s, byte %d", pattern, at)
		}
		require.NoError(t, os.WriteFile(name, whole, 0o644))
	}
}

func TestCopiesEnd(t *testing.T) {
	db := open(t, history(t, 10), odb.Options{})
	for range db.Copies(t.Context()) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range db.Copies(ctx) {
		last = err
	}
	assert.ErrorIs(t, last, context.Canceled)
}

// TestCopiesOfBigBlobs checks what is not held in memory, and finds damage in it.
func TestCopiesOfBigBlobs(t *testing.T) {
	dir := history(t, 1)
	top := filepath.Dir(dir)
	git(t, top, "", "config", "core.bigFileThreshold", "1m") // no delta of it
	id := strings.TrimSpace(git(t, top, strings.Repeat("0123456789abcdef\n", 1<<20), "hash-object", "-w", "--stdin"))
	problems := func() (found []string) {
		for c, err := range open(t, dir, odb.Options{}).Copies(t.Context()) {
			require.NoError(t, err)
			if c.Problem != "" {
				found = append(found, c.Problem)
			}
		}
		return found
	}
	assert.Empty(t, problems())
	loose := only(t, dir+"/objects/"+id[:2]+"/"+id[2:])
	whole, err := os.ReadFile(loose)
	require.NoError(t, err)
	bad := bytes.Clone(whole)
	bad[len(bad)/2] ^= 1
	require.NoError(t, os.WriteFile(loose, bad, 0o644))
	assert.Equal(t, []string{id + ": object corrupt or missing: " + loose}, problems())

	require.NoError(t, os.WriteFile(loose, whole, 0o644))
	git(t, top, id, "pack-objects", "-q", dir+"/objects/pack/pack")
	git(t, top, "", "prune-packed", "-q")
	assert.Empty(t, problems())
}
