package index

import (
	"bytes"
	"encoding/binary"
	"unsafe"

	"github.com/go-git/go-git/v5/plumbing"
)

// manyEntries is from how many entries on a second goroutine pays.
const manyEntries = 1 << 14

// inHalves calls do for the entries [0, n), for each half at the same time when they are many, and returns the earlier
// half's error.
func inHalves(n int, do func(from, to int) error) error {
	if n < manyEntries {
		return do(0, n)
	}
	later := make(chan error, 1)
	go func() { later <- do(n/2, n) }()
	err := do(0, n/2)
	if failed := <-later; err == nil {
		err = failed
	}
	return err
}

// parsePadded reads entries of versions 2 and 3: names in full, padded with NULs to a multiple of eight. lent is that of
// Options.
func parsePadded(entries []Entry, data []byte, lent func(func() error) error) (rest []byte, err error) {
	err = inHalves(len(entries), func(from, to int) error {
		read := func() error {
			begin, err := skipPadded(from, data)
			if err != nil {
				return err
			}
			end, err := parseRun(entries[from:to], begin, lent != nil)
			if to == len(entries) {
				rest = end
			}
			return err
		}
		if lent == nil {
			return read()
		}
		return lent(read)
	})
	return rest, err
}

// skipPadded returns what follows n entries, by nothing but their lengths.
func skipPadded(n int, data []byte) ([]byte, error) {
	for range n {
		if len(data) < minEntrySize {
			return nil, corrupt("index file corrupt")
		}
		flags, name := binary.BigEndian.Uint16(data[fixedSize-2:]), fixedSize
		if flags&flagExtended != 0 {
			name += 2
		}
		length := int(flags & nameMask)
		if length == nameMask {
			length = bytes.IndexByte(data[name:], 0)
		}
		size := paddedSize(name, length)
		if length < 0 || size > len(data) {
			return nil, corrupt("index file corrupt")
		}
		data = data[size:]
	}
	return data, nil
}

// paddedSize is the size of an entry whose name begins after so many bytes.
func paddedSize(name, length int) int { return (name + length + 8) &^ 7 }

func parseRun(entries []Entry, data []byte, lent bool) ([]byte, error) {
	var names arena
	for i := range entries {
		rest, length, err := parseFixed(&entries[i], data)
		if err != nil {
			return nil, err
		}
		if length < 0 {
			length = bytes.IndexByte(rest, 0)
		}
		size := paddedSize(len(data)-len(rest), length)
		if length < 0 || size > len(data) {
			return nil, corrupt("index file corrupt")
		}
		if lent {
			entries[i].Name = names.join("", rest[:length])
		} else {
			entries[i].Name = stringOf(rest[:length])
		}
		data = data[size:]
	}
	return data, nil
}

// parseCompressed reads entries of version 4: each name says how much of its predecessor's end to take off,
// and what to put on.
func parseCompressed(entries []Entry, data []byte) ([]byte, error) {
	var names arena
	previous := ""
	for i := range entries {
		rest, _, err := parseFixed(&entries[i], data)
		if err != nil {
			return nil, err
		}
		strip, n := varint(rest)
		end := bytes.IndexByte(rest[n:], 0)
		if n == 0 || end < 0 {
			return nil, corrupt("index file corrupt")
		}
		if strip > uint64(len(previous)) {
			return nil, corrupt("malformed name field in the index, near path '%s'", previous)
		}
		previous = names.join(previous[:len(previous)-int(strip)], rest[n:n+end])
		entries[i].Name = previous
		data = rest[n+end+1:]
	}
	return data, nil
}

// parseFixed fills an entry from what comes before its name and returns the name with all that follows,
// and the name's length if the flags hold it, else -1.
func parseFixed(e *Entry, data []byte) (rest []byte, length int, err error) {
	if len(data) < fixedSize {
		return nil, 0, corrupt("index file corrupt")
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(data[at:]) }
	e.CTime, e.MTime = Time{word(0), word(4)}, Time{word(8), word(12)}
	e.Dev, e.Ino, e.Mode, e.UID, e.GID, e.Size = word(16), word(20), word(24), word(28), word(32), word(36)
	e.ID = plumbing.Hash(data[40:60])
	flags := binary.BigEndian.Uint16(data[60:])
	e.AssumeValid = flags&flagAssumeValid != 0
	e.Stage = uint8(flags>>stageShift) & 3
	rest = data[fixedSize:]
	if flags&flagExtended != 0 {
		if len(rest) < 2 {
			return nil, 0, corrupt("index file corrupt")
		}
		more := binary.BigEndian.Uint16(rest)
		if more&^(extIntentToAdd|extSkipWorktree) != 0 {
			return nil, 0, corrupt("unknown index entry format 0x%08x", uint32(more)<<16)
		}
		e.IntentToAdd, e.SkipWorktree = more&extIntentToAdd != 0, more&extSkipWorktree != 0
		rest = rest[2:]
	}
	if length = int(flags & nameMask); length == nameMask {
		length = -1
	}
	return rest, length, nil
}

// arena makes strings out of large blocks, so that a name costs no allocation of its own.
type arena struct{ free []byte }

const arenaBlock = 64 << 10

func (a *arena) join(head string, tail []byte) string {
	size := len(head) + len(tail)
	if size > cap(a.free)-len(a.free) {
		a.free = make([]byte, 0, max(arenaBlock, size))
	}
	start := len(a.free)
	a.free = append(append(a.free, head...), tail...)
	return stringOf(a.free[start : start+size])
}

// stringOf returns data as a string without copying; data must not change.
func stringOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }
