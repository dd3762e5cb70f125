package odb

import (
	"crypto/sha1"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/chunkfile"
	"github.com/ingit-dev/ingit/internal/idtable"
	"github.com/ingit-dev/ingit/internal/mapped"
)

var errMidx = errors.New("multi-pack-index is damaged")

// midx is a multi-pack-index, looked up in place. It is an aid only: whatever
// is wrong with it, the packs' own indexes answer.
type midx struct {
	*idtable.Table
	data    []byte
	src     *mapped.File // keeps the mapping alive
	names   []string
	packs   []*pack // by number; set when the store is scanned
	offsets []byte  // pack number and offset of each id
	large   []byte

	bad     atomic.Bool // found to lie: no longer consulted
	checked sync.Once
}

// parseMidx reads version 1 with SHA-1 ids and without a base chain.
func parseMidx(src *mapped.File) (*midx, error) {
	data, err := src.All()
	if err != nil {
		return nil, err
	}
	const header = 12
	if len(data) < header+idSize || string(data[:4]) != "MIDX" || data[4] != 1 || data[5] != 1 || data[7] != 0 {
		return nil, errMidx
	}
	chunks, ok := chunkfile.Parse(data, header, int(data[6]))
	if !ok || len(chunks["OIDF"]) != idtable.FanoutSize {
		return nil, errMidx
	}
	m := &midx{src: src, data: data, offsets: chunks["OOFF"], large: chunks["LOFF"]}
	if m.Table, ok = idtable.New(chunks["OIDF"], chunks["OIDL"], idSize); !ok || len(m.offsets) != 8*m.Len() {
		return nil, errMidx
	}
	if m.names, ok = packNames(chunks["PNAM"], be32(data[8:])); !ok {
		return nil, errMidx
	}
	return m, nil
}

// packNames reads count names, each ended by a NUL, as they stand without
// their extension.
func packNames(chunk []byte, count uint32) ([]string, bool) {
	if uint64(count) > uint64(len(chunk)) {
		return nil, false
	}
	text := string(chunk)
	names := make([]string, 0, count)
	for range count {
		name, rest, ok := strings.Cut(text, "\x00")
		if !ok || name == "" {
			return nil, false
		}
		names = append(names, strings.TrimSuffix(strings.TrimSuffix(name, ".idx"), ".pack"))
		text = rest
	}
	return names, true
}

// place returns the pack and offset of the object at pos.
func (m *midx) place(pos int) (place, error) {
	number, off := be32(m.offsets[8*pos:]), be32(m.offsets[8*pos+4:])
	if int64(number) >= int64(len(m.packs)) || m.packs[number] == nil {
		return place{}, errMidx
	}
	p := place{pack: m.packs[number], off: int64(off)}
	if off&(1<<31) != 0 && len(m.large) > 0 {
		var err error
		if p.off, err = largeOffset(m.large, off&^(1<<31)); err != nil {
			return place{}, err
		}
	}
	return p, nil
}

// verify compares the file with its checksum, once: before an id counts as
// missing.
func (m *midx) verify() {
	m.checked.Do(func() {
		end := len(m.data) - idSize
		if sha1.Sum(m.data[:end]) != plumbing.Hash(m.data[end:]) {
			m.bad.Store(true)
		}
	})
}
