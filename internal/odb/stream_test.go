package odb_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/sandbox"
)

// bigBlob writes a blob of n bytes and returns its content and id.
func bigBlob(t *testing.T, top string, n int) ([]byte, plumbing.Hash) {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	id := git(t, top, string(data), "-c", "core.compression=1", "hash-object", "-w", "--stdin")
	return data, plumbing.NewHash(strings.TrimSpace(id))
}

func TestStream(t *testing.T) {
	for _, noMap := range []bool{false, true} {
		top := fixtures.Init(t)
		small, smallID := bigBlob(t, top, 1000)
		big, bigID := bigBlob(t, top, 10<<20)
		limits := sandbox.Limits{ObjectBytes: 9 << 20}
		for _, packed := range []bool{false, true} {
			if packed {
				git(t, top, smallID.String()+"\n"+bigID.String()+"\n", "pack-objects", "-q", top+"/.git/objects/pack/pack")
				git(t, top, "", "prune-packed", "-q")
			}
			db := open(t, filepath.Join(top, ".git"), odb.Options{NoMap: noMap, Limits: limits})
			for id, want := range map[plumbing.Hash][]byte{smallID: small, bigID: big} {
				kind, size, content, err := db.Stream(id)
				require.NoError(t, err)
				assert.Equal(t, plumbing.BlobObject, kind)
				assert.Equal(t, int64(len(want)), size)
				got, err := io.ReadAll(content)
				require.NoError(t, err)
				require.True(t, bytes.Equal(want, got))
				require.NoError(t, content.Close())
				kind, size, err = db.Header(id)
				require.NoError(t, err)
				assert.Equal(t, plumbing.BlobObject, kind)
				assert.Equal(t, int64(len(want)), size)
			}
			var limit *sandbox.LimitError
			_, _, err := db.Read(bigID)
			require.ErrorAs(t, err, &limit)
			_, data, err := db.NewReader().Prefix(bigID, 100)
			if packed {
				require.NoError(t, err)
				assert.Equal(t, big[:100], data)
			}
		}
		_, _, _, err := open(t, filepath.Join(top, ".git"), odb.Options{}).Stream(plumbing.ZeroHash)
		assert.ErrorIs(t, err, plumbing.ErrObjectNotFound)
	}
}

func TestStreamDamage(t *testing.T) {
	top := fixtures.Init(t)
	_, id := bigBlob(t, top, 10<<20)
	db := open(t, filepath.Join(top, ".git"), odb.Options{})
	name := top + "/.git/objects/" + id.String()[:2] + "/" + id.String()[2:]
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(name, 0o644))
	for _, bad := range [][]byte{data[:len(data)/2], append(bytes.Clone(data[:len(data)-2]), 1, 2)} {
		require.NoError(t, os.WriteFile(name, bad, 0o644))
		_, _, content, err := db.Stream(id)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, content)
		var corrupt *odb.CorruptError
		require.ErrorAs(t, err, &corrupt)
		require.NoError(t, content.Close())
	}
}

func TestStreamTakesLittleMemory(t *testing.T) {
	top := fixtures.Init(t)
	_, id := bigBlob(t, top, 40<<20)
	db := open(t, filepath.Join(top, ".git"), odb.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, content, err := db.Stream(id)
	require.NoError(t, err)
	n, err := io.Copy(io.Discard, content)
	require.NoError(t, err)
	assert.Equal(t, int64(40<<20), n)
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}
