// Package chunkfile reads the table of contents that multi-pack-indexes and
// commit-graphs begin with.
//
// Format: gitformat-chunk(5).
package chunkfile

import "encoding/binary"

const (
	rowSize  = 12 // an id of four bytes, an offset of eight
	hashSize = 20
)

// Parse returns the chunks of a file by their four-byte ids: count rows lie
// at data[at:], chunks end before the checksum of 20 bytes at the file's end.
// It is false when an offset lies outside the file or before the one in front
// of it, when an id comes twice, or when the table isn't ended as it should.
func Parse(data []byte, at, count int) (map[string][]byte, bool) {
	end := len(data) - hashSize
	first := at + (count+1)*rowSize
	if count < 0 || end < first {
		return nil, false
	}
	chunks := make(map[string][]byte, count)
	for i := range count {
		row := data[at+i*rowSize:]
		from, to := binary.BigEndian.Uint64(row[4:]), binary.BigEndian.Uint64(row[4+rowSize:])
		if from < uint64(first) || to < from || to > uint64(end) {
			return nil, false
		}
		id := string(row[:4])
		if _, twice := chunks[id]; twice || id == "\x00\x00\x00\x00" {
			return nil, false
		}
		chunks[id] = data[from:to:to]
	}
	return chunks, string(data[at+count*rowSize:][:4]) == "\x00\x00\x00\x00"
}
