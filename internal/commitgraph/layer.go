package commitgraph

import (
	"encoding/binary"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/chunkfile"
	"github.com/ingit-dev/ingit/internal/idtable"
	"github.com/ingit-dev/ingit/internal/mapped"
)

const (
	idSize     = len(plumbing.Hash{})
	headerSize = 8
	dataSize   = idSize + 16 // of a commit in CDAT

	noParent  = 0x70000000
	edgeFlag  = 1 << 31
	bloomHead = 12
	maxHashes = 64 // git writes 7
)

// layer is one commit-graph file.
type layer struct {
	*idtable.Table
	file *mapped.File // keeps the mapping alive
	hash plumbing.Hash
	base uint32 // positions of the layers below

	commits  []byte // CDAT
	edges    []byte // EDGE
	offsets  []byte // GDA2, nil without
	overflow []byte // GDO2
	bases    []byte // BASE

	filterEnds  []byte // BIDX, nil without
	filters     []byte // BDAT after its header
	hashVersion uint32
	hashes      uint32 // how many bits a path sets
}

// parse reads a file; false when it cannot be a commit-graph of SHA-1 ids.
func parse(file *mapped.File) (*layer, bool) {
	data, err := file.All()
	if err != nil || len(data) < headerSize+idSize || string(data[:4]) != "CGPH" || data[4] != 1 || data[5] != 1 {
		return nil, false
	}
	chunks, ok := chunkfile.Parse(data, headerSize, int(data[6]))
	if !ok || len(chunks["OIDF"]) != idtable.FanoutSize {
		return nil, false
	}
	l := &layer{
		file:     file,
		hash:     plumbing.Hash(data[len(data)-idSize:]),
		commits:  chunks["CDAT"],
		edges:    chunks["EDGE"],
		offsets:  chunks["GDA2"],
		overflow: chunks["GDO2"],
		bases:    chunks["BASE"],
	}
	if l.Table, ok = idtable.New(chunks["OIDF"], chunks["OIDL"], idSize); !ok {
		return nil, false
	}
	n := l.Len()
	if len(chunks["OIDL"]) != n*idSize || len(l.commits) != n*dataSize || len(l.bases) != int(data[7])*idSize {
		return nil, false
	}
	if l.offsets != nil && len(l.offsets) != 4*n {
		return nil, false
	}
	return l, l.parseFilters(chunks["BIDX"], chunks["BDAT"])
}

// parseFilters takes the filters when both chunks are there.
func (l *layer) parseFilters(ends, data []byte) bool {
	if ends == nil || data == nil {
		return true
	}
	if len(ends) != 4*l.Len() || len(data) < bloomHead {
		return false
	}
	l.hashVersion, l.hashes = be32(data), be32(data[4:])
	if l.hashVersion != 1 && l.hashVersion != 2 || l.hashes == 0 || l.hashes > maxHashes {
		return true // filters of another kind are not used
	}
	l.filterEnds, l.filters = ends, data[bloomHead:]
	return true
}

// filter returns the bytes of a commit's filter; nil when it has none.
func (l *layer) filter(local uint32) []byte {
	if l.filterEnds == nil {
		return nil
	}
	from, to := uint32(0), be32(l.filterEnds[4*local:])
	if local > 0 {
		from = be32(l.filterEnds[4*local-4:])
	}
	if from >= to || uint64(to) > uint64(len(l.filters)) {
		return nil
	}
	return l.filters[from:to]
}

func be32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func be64(b []byte) uint64 { return binary.BigEndian.Uint64(b) }
