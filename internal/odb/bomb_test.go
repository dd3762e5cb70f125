package odb

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/sandbox"
)

// The pieces of a pack, as a hostile writer makes them.

func varint(n uint64) (b []byte) { return binary.AppendUvarint(nil, n) }

func deflated(data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

func entryHead(kind plumbing.ObjectType, size uint64) []byte {
	b := []byte{byte(kind)<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		b[len(b)-1] |= 0x80
		b = append(b, byte(size&0x7f))
	}
	return b
}

func back(n int64) []byte {
	b := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		b = append([]byte{0x80 | byte(n&0x7f)}, b...)
	}
	return b
}

// item is an object of a made-up pack: its id, and its bytes by the place
// where they begin.
type item struct {
	id    string
	bytes func(at int64, places map[string]int64) []byte
}

func plain(size uint64, data []byte) func(int64, map[string]int64) []byte {
	return func(int64, map[string]int64) []byte {
		return append(entryHead(plumbing.BlobObject, size), deflated(data)...)
	}
}

func onOffset(base string, delta []byte) func(int64, map[string]int64) []byte {
	return func(at int64, places map[string]int64) []byte {
		b := append(entryHead(plumbing.OFSDeltaObject, uint64(len(delta))), back(at-places[base])...)
		return append(b, deflated(delta)...)
	}
}

func onRef(base string, delta []byte) func(int64, map[string]int64) []byte {
	return func(int64, map[string]int64) []byte {
		id := plumbing.NewHash(base + "000000000000000000000000000000000000")
		b := append(entryHead(plumbing.REFDeltaObject, uint64(len(delta))), id[:]...)
		return append(b, deflated(delta)...)
	}
}

// makePack writes a pack with an index of version 2, whose ids are the given
// four digits and zeros, and opens it.
func makePack(t *testing.T, opts Options, items ...item) *Database {
	pack := []byte("PACK\x00\x00\x00\x02")
	pack = binary.BigEndian.AppendUint32(pack, uint32(len(items)))
	places := map[string]int64{}
	for _, it := range items {
		at := int64(len(pack))
		pack = append(pack, it.bytes(at, places)...)
		places[it.id] = at
	}
	sum := sha1.Sum(pack)
	pack = append(pack, sum[:]...)
	slices.SortFunc(items, func(x, y item) int { return bytes.Compare([]byte(x.id), []byte(y.id)) })
	index := []byte("\xfftOc\x00\x00\x00\x02")
	for b := range 256 {
		n := 0
		for _, it := range items {
			if first, _ := hex.DecodeString(it.id); int(first[0]) <= b {
				n++
			}
		}
		index = binary.BigEndian.AppendUint32(index, uint32(n))
	}
	for _, it := range items {
		first, _ := hex.DecodeString(it.id)
		index = append(append(index, first...), make([]byte, 18)...)
	}
	index = append(index, make([]byte, 4*len(items))...)
	for _, it := range items {
		index = binary.BigEndian.AppendUint32(index, uint32(places[it.id]))
	}
	index = append(append(index, sum[:]...), make([]byte, 20)...)
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "objects/pack"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "objects/pack/pack-x.pack"), pack, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "objects/pack/pack-x.idx"), index, 0o644))
	ws, err := sandbox.Open(dir, sandbox.Policy{})
	require.NoError(t, err)
	top, err := ws.Resolve("")
	require.NoError(t, err)
	objects, err := top.OpenDir("objects")
	require.NoError(t, err)
	db, err := Open(objects, opts)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close(); objects.Close(); top.Close() })
	return db
}

func at(id string) plumbing.Hash {
	return plumbing.NewHash(id + "000000000000000000000000000000000000")
}

// copies is a delta that copies the first 0xffff bytes of its base n times.
func copies(base uint64, n int) []byte {
	d := slices.Concat(varint(base), varint(uint64(n)*0xffff))
	for range n {
		d = append(d, 0x80|0x30, 0xff, 0xff)
	}
	return d
}

func TestBombs(t *testing.T) {
	three := slices.Concat(varint(3), varint(3), []byte{0x90, 3})
	for _, noMap := range []bool{false, true} {
		db := makePack(t, Options{NoMap: noMap, Limits: sandbox.Limits{ObjectBytes: 64 << 20}},
			item{"b000", plain(0xffff, make([]byte, 0xffff))},
			item{"b001", onOffset("b000", copies(0xffff, 100))},
			item{"b002", onOffset("b001", copies(0xffff*100, 1025))},
			item{"b003", onOffset("b002", copies(0xffff*1025, 100))},
			item{"c000", onRef("c000", three)},
			item{"c001", onRef("c002", three)},
			item{"c002", onRef("c001", three)},
			item{"c003", onRef("1234", three)},
			item{"d000", plain(1<<40, []byte("abc"))},
			item{"d001", plain(50<<20, []byte("abc"))},
			item{"d002", plain(2, []byte("abc"))},
			item{"d003", plain(4, []byte("abc"))},
			item{"d004", plain(3, []byte("abc"))},
			item{"d005", onOffset("d004", slices.Concat(varint(4), varint(3), []byte{0x90, 3}))},
			item{"d006", onOffset("d004", slices.Concat(varint(3), varint(4), []byte{0x90, 4}))},
			item{"d007", onOffset("d004", slices.Concat(varint(3), varint(4), []byte{0x90, 3}))},
			item{"d008", onOffset("d004", slices.Concat(varint(3), varint(3), []byte{0}))},
			item{"d009", func(at int64, _ map[string]int64) []byte {
				return append(append(entryHead(plumbing.OFSDeltaObject, 5), back(at+100)...), deflated(three)...)
			}},
			item{"d00a", func(int64, map[string]int64) []byte { return []byte{0x80, 0x80} }},
		)
		for _, id := range []string{"b000", "b001", "d004"} {
			_, _, err := db.Read(at(id))
			assert.NoError(t, err, id)
		}
		for _, id := range []string{"b002", "b003"} {
			var limit *sandbox.LimitError
			_, _, err := db.Read(at(id))
			require.ErrorAs(t, err, &limit, id)
			assert.Equal(t, "ObjectBytes", limit.Limit)
		}
		for _, id := range []string{"c000", "c001", "c002", "c003", "d000", "d001", "d002", "d003", "d005", "d006", "d007", "d008", "d009", "d00a"} {
			var corrupt *CorruptError
			_, _, err := db.Read(at(id))
			require.ErrorAs(t, err, &corrupt, id)
			assert.Contains(t, err.Error(), id)
			_, _, err = db.NewReader().Prefix(at(id), 2)
			if id != "d002" && id != "d003" {
				assert.Error(t, err, id)
			}
			_, _, _ = db.Header(at(id))
		}
	}
}

func TestDeltaDepth(t *testing.T) {
	same := slices.Concat(varint(3), varint(3), []byte{0x90, 3})
	items := []item{{"0000", plain(3, []byte("abc"))}}
	for i := 1; i <= 60; i++ {
		id := func(n int) string { return hex.EncodeToString([]byte{0, byte(n)}) }
		items = append(items, item{id(i), onOffset(id(i-1), same)})
	}
	db := makePack(t, Options{Limits: sandbox.Limits{DeltaDepth: 50}}, items...)
	_, data, err := db.NewReader().Read(at("0032"))
	require.NoError(t, err)
	assert.Equal(t, "abc", string(data))
	var limit *sandbox.LimitError
	_, _, err = db.NewReader().Read(at("0033"))
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, "DeltaDepth", limit.Limit)
	_, _, err = db.Header(at("0033"))
	require.ErrorAs(t, err, &limit)
}
