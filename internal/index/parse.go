package index

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"

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
	// Lent is set when data goes away after Parse, as a mapping does: what the result needs of it is copied. Goroutines beside
	// the caller's read it inside this function.
	Lent func(read func() error) error
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
		rest, err = parsePadded(x.Entries, rest, opts.Lent)
	}
	if err != nil {
		return nil, nil, err
	}
	if opts.Lent != nil {
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
