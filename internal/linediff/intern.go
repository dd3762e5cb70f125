package linediff

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// seed makes bucket numbers unpredictable, so that no text can be written to
// collide. Results don't depend on it.
var seed = maphash.MakeSeed()

// interner gives equal lines one small number, their class.
type interner struct {
	slots []slot // open addressing; length is a power of two
	mask  uint32
	texts [][]byte // by class: the text that was seen first, normalized
	spare []byte   // memory of normalized texts
}

type slot struct {
	hash  uint32
	class int32 // plus 1; 0 means free
}

// reset forgets all classes and makes room for up to n.
func (in *interner) reset(n int) {
	size := 1 << bits.Len(uint(n+n/2+8))
	if cap(in.slots) < size {
		in.slots = make([]slot, size)
	} else {
		in.slots = in.slots[:size]
		clear(in.slots)
	}
	in.mask = uint32(size - 1)
	clear(in.texts)
	in.texts = in.texts[:0]
	in.spare = in.spare[:0]
}

// intern returns the class of text, a new one if need be. Text is kept.
func (in *interner) intern(text []byte) int32 {
	hash := uint32(maphash.Bytes(seed, text))
	at := in.find(hash, text)
	s := &in.slots[at]
	if s.class == 0 {
		in.texts = append(in.texts, text)
		*s = slot{hash, int32(len(in.texts))}
	}
	return s.class - 1
}

// lookup returns the class of text, or -1 if there is none.
func (in *interner) lookup(text []byte) int32 {
	return in.slots[in.find(uint32(maphash.Bytes(seed, text)), text)].class - 1
}

// find returns the slot that holds text, or the free one where it belongs.
func (in *interner) find(hash uint32, text []byte) uint32 {
	for at := hash & in.mask; ; at = (at + 1) & in.mask {
		s := in.slots[at]
		if s.class == 0 || s.hash == hash && bytes.Equal(in.texts[s.class-1], text) {
			return at
		}
	}
}

// internLine is intern for a line under whitespace rules.
func (in *interner) internLine(line []byte, w Whitespace) int32 {
	if w == 0 {
		return in.intern(line)
	}
	from := len(in.spare)
	in.spare = w.normalize(in.spare, line)
	class := in.intern(in.spare[from:len(in.spare):len(in.spare)])
	if int(class) != len(in.texts)-1 {
		in.spare = in.spare[:from]
	}
	return class
}

// len returns the number of classes.
func (in *interner) len() int { return len(in.texts) }
