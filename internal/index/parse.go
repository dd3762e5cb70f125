package index

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"unsafe"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	headerSize   = 12
	hashSize     = 20
	fixedSize    = 62 // of an entry before its name
	minEntrySize = 64 // with an empty name, in every version

	flagAssumeValid = 0x8000
	flagExtended    = 0x4000
	stageShift      = 12
	nameMask        = 0x0fff // longer names end at their NUL

	extIntentToAdd  = 0x2000
	extSkipWorktree = 0x4000
)

// Options of Parse.
type Options struct {
	// Name is the file's name for messages; empty means "index".
	Name string
	// MTime is the modification time of the index file, see Index.Racy.
	MTime Time
	// Lent says that data goes away after Parse, such as a mapping: what the result needs of it is copied.
	Lent bool
	// Verify checks the trailing checksum. Git does so in fsck only.
	Verify bool
	// Shared reads the file sharedindex.<id> beside the index; nil refuses a split index.
	Shared func(id plumbing.Hash) ([]byte, error)
}

// Parse reads an index of version 2, 3 or 4. Unless data is lent, names and extensions of the result point into it, and it
// must not change.
// The error is a *CorruptError, *InvalidPathError or *SharedIndexError.
func Parse(data []byte, opts Options) (*Index, error) {
	x, link, err := parseFile(data, opts)
	if err != nil {
		return nil, err
	}
	if link != nil {
		if err := x.mergeShared(link, opts); err != nil {
			return nil, err
		}
	}
	if err := checkNames(x.Entries); err != nil {
		return nil, err
	}
	return x, nil
}

// parseFile reads one file, without the shared index that it may link to.
func parseFile(data []byte, opts Options) (*Index, *link, error) {
	count, err := parseHeader(data, opts)
	if err != nil {
		return nil, nil, err
	}
	x := &Index{Version: binary.BigEndian.Uint32(data[4:]), MTime: opts.MTime, Entries: make([]Entry, count)}
	body := data[:len(data)-hashSize]
	copy(x.Checksum[:], data[len(body):])
	rest := body[headerSize:]
	if x.Version == 4 {
		rest, err = parseCompressed(x.Entries, rest)
	} else {
		rest, err = parseEntries(x.Entries, rest, opts.Lent)
	}
	if err != nil {
		return nil, nil, err
	}
	if opts.Lent {
		rest = bytes.Clone(rest)
	}
	link, err := x.parseExtensions(rest)
	return x, link, err
}

// parseHeader checks what is around the entries and returns their number, which the file's size makes plausible.
func parseHeader(data []byte, opts Options) (int, error) {
	if len(data) < headerSize+hashSize {
		name := opts.Name
		if name == "" {
			name = "index"
		}
		return 0, corrupt("%s: index file smaller than expected", name)
	}
	if string(data[:4]) != "DIRC" {
		return 0, corruptError("bad signature 0x%08x", binary.LittleEndian.Uint32(data)) // git prints its own byte order
	}
	if version := binary.BigEndian.Uint32(data[4:]); version < 2 || version > 4 {
		return 0, corruptError("bad index version %d", int32(version))
	}
	if opts.Verify && !checksumHolds(data) {
		return 0, corruptError("bad index file sha1 signature")
	}
	count := binary.BigEndian.Uint32(data[8:])
	if int64(count) > int64(len(data)-headerSize-hashSize)/minEntrySize {
		return 0, corrupt("index file corrupt")
	}
	return int(count), nil
}

// checksumHolds compares the trailer; all zero means that none was computed (index.skipHash).
func checksumHolds(data []byte) bool {
	end := len(data) - hashSize
	stored := plumbing.Hash(data[end:])
	return stored.IsZero() || stored == plumbing.Hash(sha1.Sum(data[:end]))
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

// parseEntries reads entries of versions 2 and 3: names in full, padded with NULs to a multiple of eight.
func parseEntries(entries []Entry, data []byte, lent bool) ([]byte, error) {
	var names arena
	for i := range entries {
		rest, length, err := parseFixed(&entries[i], data)
		if err != nil {
			return nil, err
		}
		if length < 0 {
			length = bytes.IndexByte(rest, 0)
		}
		size := (len(data) - len(rest) + length + 8) &^ 7
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

// varint reads the big-endian variable-length number of the pack format's offsets; n is 0 when it is cut short or too big.
func varint(data []byte) (value uint64, n int) {
	for n < len(data) && n < 9 {
		c := data[n]
		n++
		value = value<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return value, n
		}
		value++
	}
	return 0, 0
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
