package renames

import (
	"bytes"
	"math/bits"
)

const (
	hashValues = 107927 // chunk hashes are below this prime
	chunkSize  = 64     // longer lines are cut into chunks of this many bytes
	probe      = 8000   // bytes that are searched for a NUL
)

// chunk is the number of bytes of a file in chunks of one hash value.
type chunk struct {
	hash  uint32
	bytes uint32
}

// spans is scratch memory to sum bytes by hash value; all zero between uses,
// unless it holds a destination.
type spans struct {
	sum    []uint32
	loaded *file // whose sums are in the table
}

// similarity returns how much of dest comes from source, in 60,000ths.
func (d *detector) similarity(source, dest *file) (int, error) {
	if !source.isRegular() || !dest.isRegular() {
		return 0, nil
	}
	if err := d.measure(source); err != nil {
		return 0, err
	}
	if err := d.measure(dest); err != nil {
		return 0, err
	}
	larger, smaller := max(source.size, dest.size), min(source.size, dest.size)
	if larger*int64(MaxScore-d.opts.MinScore) < (larger-smaller)*MaxScore || dest.size == 0 {
		return 0, nil
	}
	if err := d.count(source); err != nil {
		return 0, err
	}
	if err := d.count(dest); err != nil {
		return 0, err
	}
	return int(d.spans.common(source, dest) * MaxScore / larger), nil
}

// measure finds out the size of f.
func (d *detector) measure(f *file) (err error) {
	if !f.sized {
		f.size, err = d.contents.Size(f.Entry)
		f.sized = true
	}
	return err
}

// count reads f and sums up its chunks.
func (d *detector) count(f *file) error {
	if f.counted {
		return nil
	}
	data, err := d.contents.Read(f.Entry)
	if err != nil {
		return err
	}
	text := !isBinary(data)
	if d.contents.Binary != nil {
		text = !d.contents.Binary(f.Entry, data)
	}
	f.chunks, f.counted = d.spans.count(data, text), true
	return nil
}

// isBinary is the rule for files without attributes.
func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), probe)], 0) >= 0
}

// count cuts data into chunks that end after a line feed or 64 bytes. The
// return in a return and line feed of a text is skipped, and what follows the
// last full chunk is not counted.
func (s *spans) count(data []byte, text bool) []chunk {
	s.unload()
	if s.sum == nil {
		s.sum = make([]uint32, hashValues)
	}
	var seen []chunk
	var state uint64 // two 32-bit accumulators; the bytes are added to the upper one
	n := uint32(0)
	for i, c := range data {
		if c == '\r' && text && i+1 < len(data) && data[i+1] == '\n' {
			continue
		}
		state = bits.RotateLeft64(state, 7) + uint64(c)<<32
		n++
		if n < chunkSize && c != '\n' {
			continue
		}
		hash := (uint32(state>>32) + uint32(state)*0x61) % hashValues
		if s.sum[hash] == 0 {
			seen = append(seen, chunk{hash: hash})
		}
		s.sum[hash] += n
		state, n = 0, 0
	}
	for i := range seen {
		seen[i].bytes = s.sum[seen[i].hash]
		s.sum[seen[i].hash] = 0
	}
	return seen
}

// common returns the number of bytes that dest has in common with source.
func (s *spans) common(source, dest *file) int64 {
	if s.loaded != dest {
		s.unload()
		for _, c := range dest.chunks {
			s.sum[c.hash] = c.bytes
		}
		s.loaded = dest
	}
	copied := int64(0)
	for _, c := range source.chunks {
		copied += int64(min(c.bytes, s.sum[c.hash]))
	}
	return copied
}

// unload clears the table.
func (s *spans) unload() {
	if s.loaded == nil {
		return
	}
	for _, c := range s.loaded.chunks {
		s.sum[c.hash] = 0
	}
	s.loaded = nil
}
