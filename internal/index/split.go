package index

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// link is the extension of a split index: the shared index's id, and which of its entries are deleted or replaced.
type link struct {
	base              plumbing.Hash
	deleted, replaced bitmap
}

func parseLink(data []byte) (*link, error) {
	if len(data) < hashSize {
		return nil, corruptError("corrupt link extension (too short)")
	}
	l := &link{base: plumbing.Hash(data[:hashSize])}
	if data = data[hashSize:]; len(data) == 0 {
		return l, nil
	}
	var ok bool
	if l.deleted, data, ok = parseBitmap(data); !ok {
		return nil, corruptError("corrupt delete bitmap in link extension")
	}
	if l.replaced, data, ok = parseBitmap(data); !ok {
		return nil, corruptError("corrupt replace bitmap in link extension")
	}
	if len(data) != 0 {
		return nil, corruptError("garbage at the end of link extension")
	}
	return l, nil
}

// mergeShared completes a split index: the shared entries, less the deleted ones, with the replaced ones from here,
// and the others from here in their places.
func (x *Index) mergeShared(l *link, opts Options) error {
	if l.base.IsZero() {
		return nil
	}
	shared, err := readShared(l.base, opts)
	if err != nil {
		return err
	}
	own := x.Entries
	entries := slices.Clip(shared.Entries)
	if own, err = replace(entries, own, l); err != nil {
		return err
	}
	if entries, err = remove(entries, l); err != nil {
		return err
	}
	for i := range own {
		if own[i].Name == "" {
			return corrupt("corrupt link extension, entry %d should have non-zero length name", len(x.Entries)-len(own)+i)
		}
	}
	x.Entries, x.SplitBase = mergeSorted(entries, own), l.base
	return nil
}

func readShared(id plumbing.Hash, opts Options) (*Index, error) {
	if opts.Shared == nil {
		return nil, &SharedIndexError{id.String(), "split index without access to its shared index", errors.ErrUnsupported}
	}
	data, err := opts.Shared(id)
	if err != nil {
		return nil, &SharedIndexError{id.String(), "index file open failed", err}
	}
	shared, nested, err := parseFile(data, Options{Name: "sharedindex." + id.String(), Verify: opts.Verify})
	if err != nil {
		return nil, err
	}
	if shared.Checksum != id {
		return nil, &SharedIndexError{id.String(), "broken index, got " + shared.Checksum.String(), nil}
	}
	if nested != nil && !nested.base.IsZero() {
		return nil, &SharedIndexError{id.String(), "is a split index itself", nil}
	}
	return shared, nil
}

// replace puts the nameless entries of own, which come first, over the shared ones that the bitmap names.
func replace(entries, own []Entry, l *link) ([]Entry, error) {
	next := 0
	for pos := range l.replaced.ones {
		if pos >= len(entries) {
			return nil, corrupt("position for replacement %d exceeds base index size %d", pos, len(entries))
		}
		if next >= len(own) {
			return nil, corrupt("too many replacements (%d vs %d)", next+1, len(own))
		}
		if own[next].Name != "" {
			return nil, corrupt("corrupt link extension, entry %d should have zero length name", next)
		}
		name := entries[pos].Name
		entries[pos] = own[next]
		entries[pos].Name = name
		next++
	}
	return own[next:], nil
}

func remove(entries []Entry, l *link) ([]Entry, error) {
	kept, from := entries[:0], 0
	for pos := range l.deleted.ones {
		if pos >= len(entries) {
			return nil, corrupt("position for delete %d exceeds base index size %d", pos, len(entries))
		}
		kept = append(kept, entries[from:pos]...)
		from = pos + 1
	}
	return append(kept, entries[from:]...), nil
}

// mergeSorted merges two sorted lists. An entry of own takes the place of a shared one of the same name and stage,
// and of a shared stage 0 or conflict of the same name, as adding it would.
func mergeSorted(shared, own []Entry) []Entry {
	if len(own) == 0 {
		return shared
	}
	merged := make([]Entry, 0, len(shared)+len(own))
	for len(shared) > 0 && len(own) > 0 {
		s, o := &shared[0], &own[0]
		switch {
		case s.Name == o.Name && (s.Stage == o.Stage || s.Stage == 0 || o.Stage == 0):
			shared = shared[1:]
		case compare(s.Name, s.Stage, o) < 0:
			merged, shared = append(merged, *s), shared[1:]
		default:
			merged, own = append(merged, *o), own[1:]
		}
	}
	return append(append(merged, shared...), own...)
}

// bitmap is an EWAH-compressed bit set: runs of equal words between literal ones (gitformat-bitmap(5)).
type bitmap struct {
	bits  int
	words []byte // big-endian, eight bytes each
}

// parseBitmap reads "bits, number of words, words, position of the last run word".
func parseBitmap(data []byte) (b bitmap, rest []byte, ok bool) {
	if len(data) < 12 {
		return b, nil, false
	}
	b.bits = int(binary.BigEndian.Uint32(data))
	size := int64(binary.BigEndian.Uint32(data[4:])) * 8
	if size > int64(len(data)-12) {
		return b, nil, false
	}
	b.words = data[8 : 8+size]
	return b, data[12+size:], true
}

// ones yields the positions of the set bits in rising order. It ends at the stated number of bits, whatever the runs claim.
func (b bitmap) ones(yield func(int) bool) {
	at, pos := 0, 0
	for at+8 <= len(b.words) && pos < b.bits {
		run := binary.BigEndian.Uint64(b.words[at:])
		at += 8
		length := 64 * int(min(run>>1&0xffffffff, uint64(b.bits/64+1)))
		literals := run >> 33
		if run&1 == 0 {
			pos += length
		}
		for end := pos + length; run&1 == 1 && pos < min(end, b.bits); pos++ {
			if !yield(pos) {
				return
			}
		}
		for ; literals > 0 && at+8 <= len(b.words); literals-- {
			word := binary.BigEndian.Uint64(b.words[at:])
			for bit := 0; bit < 64 && word>>bit != 0; bit++ {
				if word>>bit&1 == 1 && !yield(pos+bit) {
					return
				}
			}
			at, pos = at+8, pos+64
		}
	}
}
