package index

import (
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// EncodeOptions of Encode.
type EncodeOptions struct {
	// Version is 2, 3 or 4; 0 keeps the index's own. 2 and 3 are chosen by need, as git does.
	Version uint32
	// SkipHash writes a zero checksum (index.skipHash).
	SkipHash bool
}

// Encode writes the index as one whole file: sorted entries, the cache tree, the resolve-undo records and the sparse mark.
// The untracked cache, the monitor's state and a split are left out; git does without them.
// It returns the checksum that it wrote.
func (x *Index) Encode(w io.Writer, opts EncodeOptions) (plumbing.Hash, error) {
	version := x.encodeVersion(opts.Version)
	out := make([]byte, 0, headerSize+len(x.Entries)*128)
	out = append(out, "DIRC"...)
	out = binary.BigEndian.AppendUint32(out, version)
	out = binary.BigEndian.AppendUint32(out, uint32(len(x.Entries)))
	previous := ""
	for i := range x.Entries {
		e := &x.Entries[i]
		if !validFrom(e, 0) {
			return plumbing.ZeroHash, &InvalidPathError{e.Name}
		}
		start := len(out)
		out = e.appendFixed(out)
		if version == 4 {
			out = appendCompressed(out, previous, e.Name)
			previous = e.Name
			continue
		}
		out = append(out, e.Name...)
		size := (len(out) - start + 8) &^ 7
		out = append(out, make([]byte, start+size-len(out))...)
	}
	out = x.appendExtensions(out)
	var sum plumbing.Hash
	if !opts.SkipHash {
		sum = sha1.Sum(out)
	}
	if _, err := w.Write(append(out, sum[:]...)); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write index: %w", err)
	}
	return sum, nil
}

// encodeVersion raises 2 to 3 when an entry has extended flags, and lowers 3 when none has.
func (x *Index) encodeVersion(version uint32) uint32 {
	if version == 0 {
		version = x.Version
	}
	if version == 4 {
		return 4
	}
	for i := range x.Entries {
		if x.Entries[i].extended() {
			return 3
		}
	}
	return 2
}

func (e *Entry) extended() bool { return e.IntentToAdd || e.SkipWorktree }

// appendFixed appends what comes before the name.
func (e *Entry) appendFixed(out []byte) []byte {
	for _, word := range [...]uint32{
		e.CTime.Sec, e.CTime.Nsec, e.MTime.Sec, e.MTime.Nsec, e.Dev, e.Ino, e.Mode, e.UID, e.GID, e.Size,
	} {
		out = binary.BigEndian.AppendUint32(out, word)
	}
	out = append(out, e.ID[:]...)
	flags := uint16(e.Stage)<<stageShift | uint16(min(len(e.Name), nameMask))
	if e.AssumeValid {
		flags |= flagAssumeValid
	}
	if !e.extended() {
		return binary.BigEndian.AppendUint16(out, flags)
	}
	var more uint16
	if e.IntentToAdd {
		more |= extIntentToAdd
	}
	if e.SkipWorktree {
		more |= extSkipWorktree
	}
	out = binary.BigEndian.AppendUint16(out, flags|flagExtended)
	return binary.BigEndian.AppendUint16(out, more)
}

// appendCompressed appends a name of version 4: what to take off its predecessor, what to put on, NUL.
func appendCompressed(out []byte, previous, name string) []byte {
	common := commonPrefix(previous, name)
	out = appendVarint(out, uint64(len(previous)-common))
	return append(append(out, name[common:]...), 0)
}

// appendVarint is the inverse of varint.
func appendVarint(out []byte, value uint64) []byte {
	var buf [10]byte
	at := len(buf) - 1
	buf[at] = byte(value & 0x7f)
	for value >>= 7; value != 0; value >>= 7 {
		value--
		at--
		buf[at] = 0x80 | byte(value&0x7f)
	}
	return append(out, buf[at:]...)
}

func (x *Index) appendExtensions(out []byte) []byte {
	if x.CacheTree != nil {
		out = appendExtension(out, "TREE", x.CacheTree.append)
	}
	if len(x.ResolveUndo) > 0 {
		out = appendExtension(out, "REUC", x.appendResolveUndo)
	}
	if x.Sparse {
		out = appendExtension(out, "sdir", func(out []byte) []byte { return out })
	}
	return out
}

// appendExtension appends the name, the size and the body.
func appendExtension(out []byte, name string, body func([]byte) []byte) []byte {
	out = append(append(out, name...), 0, 0, 0, 0)
	start := len(out)
	out = body(out)
	binary.BigEndian.PutUint32(out[start-4:], uint32(len(out)-start))
	return out
}

func (t *CacheTree) append(out []byte) []byte {
	out = append(append(out, t.Name...), 0)
	out = append(strconv.AppendInt(out, int64(max(t.Entries, -1)), 10), ' ')
	out = append(strconv.AppendInt(out, int64(len(t.Children)), 10), '\n')
	if t.Valid() {
		out = append(out, t.ID[:]...)
	}
	for i := range t.Children {
		out = t.Children[i].append(out)
	}
	return out
}

func (x *Index) appendResolveUndo(out []byte) []byte {
	for i := range x.ResolveUndo {
		r := &x.ResolveUndo[i]
		out = append(append(out, r.Name...), 0)
		for _, mode := range r.Modes {
			out = append(strconv.AppendUint(out, uint64(mode), 8), 0)
		}
		for k, mode := range r.Modes {
			if mode != 0 {
				out = append(out, r.IDs[k][:]...)
			}
		}
	}
	return out
}
