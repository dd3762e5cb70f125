package odb

import (
	"encoding/binary"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/idtable"
	"github.com/ingit-dev/ingit/internal/mapped"
)

const (
	idSize      = len(plumbing.Hash{})
	indexMagic  = 0xff744f63
	indexHeader = 8
)

// git's sentences about damaged pack indexes, without the file's name.
var (
	errIndexSmall    = errors.New("index file is too small")
	errIndexVersion  = errors.New("index file has an unknown version")
	errIndexSize     = errors.New("wrong index file size")
	errIndexFanout   = errors.New("non-monotonic index")
	errLargeOffset   = errors.New("pack offset out of bounds")
	errPackMismatch  = errors.New("packfile does not match index")
	errPackSignature = errors.New("file is not a GIT packfile")
	errPackVersion   = errors.New("packfile is of a version that is not supported (not 2 or 3)")
)

// packIndex is a pack index of version 1 or 2, looked up in place.
type packIndex struct {
	*idtable.Table
	src      *mapped.File // keeps the mapping alive
	version  int
	sums     []byte // version 2: CRC-32 of the entries
	offsets  []byte // version 1: records of offset and id; version 2: offsets
	large    []byte // version 2: offsets beyond 2 GiB
	checksum plumbing.Hash
}

// parseIndex checks sizes and order; ids and offsets are looked at when they
// are used.
func parseIndex(src *mapped.File) (*packIndex, error) {
	data, err := src.All()
	if err != nil {
		return nil, err
	}
	if len(data) < idtable.FanoutSize+2*idSize {
		return nil, errIndexSmall
	}
	x := &packIndex{src: src, version: 1, checksum: plumbing.Hash(data[len(data)-2*idSize:])}
	body := data[:len(data)-2*idSize]
	if be32(data) == indexMagic {
		if be32(data[4:]) != 2 {
			return nil, errIndexVersion
		}
		return x, x.parseV2(body[indexHeader:])
	}
	return x, x.parseV1(body)
}

func (x *packIndex) parseV1(body []byte) (err error) {
	count := int64(be32(body[idtable.FanoutSize-4:]))
	x.offsets = body[idtable.FanoutSize:]
	if int64(len(x.offsets)) != count*int64(4+idSize) {
		return errIndexSize
	}
	return x.setTable(body, x.offsets[min(4, len(x.offsets)):], 4+idSize)
}

func (x *packIndex) parseV2(body []byte) error {
	if len(body) < idtable.FanoutSize {
		return errIndexSmall
	}
	count := int64(be32(body[idtable.FanoutSize-4:]))
	rest := body[idtable.FanoutSize:]
	fixed := count * int64(idSize+4+4)
	if large := int64(len(rest)) - fixed; large < 0 || large > max(0, count-1)*8 {
		return errIndexSize
	}
	x.version = 2
	x.sums = rest[count*int64(idSize) : count*int64(idSize+4)]
	x.offsets = rest[count*int64(idSize+4) : fixed]
	x.large = rest[fixed:]
	return x.setTable(body, rest[:count*int64(idSize)], idSize)
}

func (x *packIndex) setTable(fanout, ids []byte, stride int) error {
	table, ok := idtable.New(fanout, ids, stride)
	if !ok {
		return errIndexFanout
	}
	x.Table = table
	return nil
}

// offset returns where the object at pos begins in the pack.
func (x *packIndex) offset(pos int) (int64, error) {
	if x.version == 1 {
		return int64(be32(x.offsets[pos*(4+idSize):])), nil
	}
	off := be32(x.offsets[4*pos:])
	if off&(1<<31) == 0 {
		return int64(off), nil
	}
	return largeOffset(x.large, off&^(1<<31))
}

// largeOffset returns the n-th of a table of 64-bit offsets.
func largeOffset(table []byte, n uint32) (int64, error) {
	if int64(n)*8+8 > int64(len(table)) {
		return 0, errLargeOffset
	}
	off := be64(table[8*n:])
	if off>>63 != 0 {
		return 0, errLargeOffset
	}
	return int64(off), nil
}

func be32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func be64(b []byte) uint64 { return binary.BigEndian.Uint64(b) }
