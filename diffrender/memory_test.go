package diffrender_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// heap returns the bytes of the objects on the heap.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// peak runs f and returns by how much the heap grew at most, as far as samples
// show. The collector works harder than usual meanwhile, so that little of it is
// garbage.
func peak(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	debug.FreeOSMemory()
	before, most, done := heap(), uint64(0), make(chan struct{})
	finished := make(chan uint64)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				most = max(most, heap())
			case <-done:
				finished <- most
				return
			}
		}
	}()
	f()
	close(done)
	return max(<-finished, before) - before
}

// manyFiles makes two commits in which n files differ.
func manyFiles(t *testing.T, n int) (r *reader.Repository, old, new reader.Side) {
	dir := fixtures.Init(t)
	var stream bytes.Buffer
	for commit := range 2 {
		fmt.Fprintf(&stream, "commit refs/heads/c%d\ncommitter A <a@example.com> 1700000000 +0000\ndata 0\n\n", commit)
		for i := range n {
			text := fmt.Sprintf("first\nfile %d\ncommit %d\nlast\n", i, commit)
			fmt.Fprintf(&stream, "M 644 inline d%03d/file%06d\ndata %d\n%s\n", i%300, i, len(text), text)
		}
	}
	fixtures.Command{Dir: dir, Input: stream.Bytes()}.Must(t, "-c", "core.compression=0", "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--depth=0")
	r = open(t, dir)
	side := func(branch string) reader.Side {
		ref, err := r.Refs().Resolve("refs/heads/" + branch)
		require.NoError(t, err)
		return reader.Tree(treeOf(t, r, ref.ID))
	}
	return r, side("c0"), side("c1")
}

// TestMemoryOfManyFiles holds a diff of many files to what Write promises.
func TestMemoryOfManyFiles(t *testing.T) {
	fixtures.RequireGit(t)
	if testing.Short() {
		t.Skip("it makes many files")
	}
	const n = 100_000
	r, old, new := manyFiles(t, n)
	for _, name := range []string{"-p", "--stat", "--name-status"} {
		f := formats[name]
		used := peak(func() {
			err := diffrender.Write(t.Context(), io.Discard, r, diffrender.Request{Old: old, New: new, Formats: f, Changes: reader.ChangeOptions{Renames: true}})
			require.NoError(t, err)
		})
		t.Logf("%s: %d bytes for each of %d files", name, used/n, n)
		require.Less(t, used, uint64(diffrender.MemoryPerFile*n+32<<20), name)
	}
}

// TestMemoryOfBigFile does it for one big text.
func TestMemoryOfBigFile(t *testing.T) {
	fixtures.RequireGit(t)
	if testing.Short() {
		t.Skip("it makes a big file")
	}
	const size = 200 << 20
	dir := fixtures.Init(t)
	text := make([]byte, 0, size+100)
	for i := 0; len(text) < size; i++ {
		text = fmt.Appendf(text, "line %d of a long text that has many lines\n", i)
	}
	path := filepath.Join(dir, "big")
	require.NoError(t, os.WriteFile(path, text, 0o666))
	fixtures.Git(t, dir, "-c", "core.compression=0", "add", "big")
	copy(text[size/3:], "changed")
	copy(text[size/2:], "changed")
	require.NoError(t, os.WriteFile(path, text, 0o666))
	text = nil
	r := open(t, dir)
	var out bytes.Buffer
	used := peak(func() {
		require.NoError(t, diffrender.Write(t.Context(), &out, r, diffrender.Request{Old: reader.IndexSide, New: reader.WorkTreeSide, Formats: diffrender.Formats{Patch: true}}))
	})
	t.Logf("%.2f times the size of both sides", float64(used)/(2*size))
	require.Less(t, used, uint64(diffrender.MemoryPerByte*2*size))
	require.Less(t, out.Len(), 2000)
}

// cancelling cancels the context at the first byte.
type cancelling struct {
	cancel context.CancelFunc
	at     time.Time
}

func (c *cancelling) Write(p []byte) (int, error) {
	if c.at.IsZero() {
		c.cancel()
		c.at = time.Now()
	}
	return len(p), nil
}

// TestCancel stops soon after the context is cancelled, whatever is shown.
func TestCancel(t *testing.T) {
	fixtures.RequireGit(t)
	r, old, new := manyFiles(t, 20_000)
	for name, f := range formats {
		ctx, cancel := context.WithCancel(t.Context())
		w := &cancelling{cancel: cancel}
		if !f.Patch {
			time.AfterFunc(time.Millisecond, func() { w.Write(nil) })
		}
		err := diffrender.Write(ctx, w, r, diffrender.Request{Old: old, New: new, Formats: f})
		took := time.Since(w.at)
		cancel()
		if err == nil {
			continue // it was done before
		}
		require.True(t, errors.Is(err, context.Canceled), name)
		t.Logf("%s: %v after the end was asked for", name, took)
		require.Less(t, took, time.Second, "even on a busy machine") // 50 ms of work
	}
}
