package odb

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/mapped"
)

func FuzzEntry(f *testing.F) {
	f.Add([]byte{0x95, 0x0a, 0x78}, int64(12))
	f.Add([]byte{0xe5, 0x0a, 0x81, 0x01, 0x78}, int64(1000))
	f.Add(append([]byte{0x75}, make([]byte, 30)...), int64(50))
	f.Fuzz(func(t *testing.T, b []byte, off int64) {
		e, err := parseEntry(b, off)
		if err != nil || off < packHeader || off > 1<<40 {
			return
		}
		require.GreaterOrEqual(t, e.size, int64(0))
		require.LessOrEqual(t, e.data, off+int64(len(b)))
		if e.kind == plumbing.OFSDeltaObject {
			require.Positive(t, e.base)
			require.Less(t, e.base, off)
		}
	})
}

// FuzzDelta compares applyDelta with go-git's.
func FuzzDelta(f *testing.F) {
	base := bytes.Repeat([]byte("0123456789"), 30)
	f.Add(base, []byte{0xac, 2, 5, 0x90, 5})
	f.Add(base, []byte{0xac, 2, 8, 3, 'a', 'b', 'c', 0x91, 7, 5})
	f.Add(base, []byte{0xac, 2, 0x80, 0x80, 4, 0x80})
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		baseSize, size, ops, err := deltaSizes(delta)
		if err != nil || baseSize != int64(len(base)) || size > 1<<20 {
			return
		}
		result := make([]byte, size)
		err = applyDelta(result, base, ops)
		if want, theirs := packfile.PatchDelta(base, delta); theirs == nil && err == nil {
			require.True(t, bytes.Equal(want, result))
		}
	})
}

// FuzzIndex looks everything up that a damaged pack index offers.
func FuzzIndex(f *testing.F) {
	v2 := binary.BigEndian.AppendUint32(nil, indexMagic)
	v2 = append(v2, 0, 0, 0, 2)
	v2 = append(v2, bytes.Repeat([]byte{0, 0, 0, 1}, 256)...)
	v2 = append(v2, make([]byte, 28+40)...)
	f.Add(v2)
	v1 := bytes.Repeat([]byte{0, 0, 0, 1}, 256)
	f.Add(append(v1, make([]byte, 24+40)...))
	f.Fuzz(func(_ *testing.T, data []byte) {
		x, err := parseIndex(mapped.Bytes(data))
		if err != nil {
			return
		}
		for pos := range x.Len() {
			_, _ = x.offset(pos)
			x.Find(x.ID(pos))
		}
	})
}

func FuzzMidx(f *testing.F) {

	seed, err := os.ReadFile(filepath.Join("testdata", "multi-pack-index"))
	require.NoError(f, err)
	f.Add(seed)
	f.Fuzz(func(_ *testing.T, data []byte) {
		m, err := parseMidx(mapped.Bytes(data))
		if err != nil {
			return
		}
		m.packs = make([]*pack, len(m.names))
		for i := range m.packs {
			m.packs[i] = &pack{}
		}
		for pos := range m.Len() {
			_, _ = m.place(pos)
			m.Find(m.ID(pos))
		}
		m.verify()
	})
}

func FuzzLooseHeader(f *testing.F) {
	f.Add([]byte("blob 12\x00"))
	f.Add([]byte("commit 0\x00x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		kind, size, skip, err := parseLooseHeader(b)
		if err == nil {
			require.True(t, bytes.HasPrefix(b, append([]byte(kind.String()+" "), appendInt(size)...)))
			require.Equal(t, byte(0), b[skip-1])
		}
	})
}

func FuzzAlternates(f *testing.F) {
	f.Add("# c\n../a\n\"b\\061\\n\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range parseAlternates(text) {
			require.NotEmpty(t, p)
		}
	})
}

func TestBufferClasses(t *testing.T) {
	for n := 1; n <= maxClassed; n += 1 + n/17 {
		i, size := class(n)
		require.GreaterOrEqual(t, size, n)
		if n > smallestBuffer {
			require.LessOrEqual(t, size, n+n/4+8)
		}
		j, same := class(size)
		require.Equal(t, i, j)
		require.Equal(t, size, same)
	}
}

func TestCacheStaysInBudget(t *testing.T) {
	var c baseCache
	c.init(1 << 20)
	for i := range 5000 {
		kind := plumbing.TreeObject
		if i%3 == 0 {
			kind = plumbing.BlobObject
		}
		p := place{off: int64(i % 700)}
		if e := c.get(p); e != nil {
			require.Equal(t, byte(i%700), e.data[0])
			continue
		}
		data := c.buffers.get(100+i*37%9000, 0)
		data[0] = byte(i % 700)
		c.put(p, kind, data)
		for l := range c.lists {
			require.LessOrEqual(t, c.lists[l].used, c.lists[l].budget)
		}
	}
}

func appendInt(n int64) []byte { return []byte(strconv.FormatInt(n, 10)) }
