package commitgraph

import (
	"math/bits"
	"runtime"
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

// Key is a path, hashed for filters. A path below directories has a hash for
// each of them too: all must have changed.
type Key struct {
	hashes [][2]uint32 // by both seeds
	ascii  bool
}

// NewKey returns the key of a path relative to the top of the work tree. A
// slash at its end does not matter.
func NewKey(path string) Key {
	k := Key{ascii: true}
	for i := range len(path) {
		k.ascii = k.ascii && path[i] < 0x80
	}
	for path = strings.TrimRight(path, "/"); path != ""; {
		k.hashes = append(k.hashes, [2]uint32{murmur3(0x293ae76f, path), murmur3(0x7e646e2c, path)})
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return k
}

// Answer is what a filter says of a path.
type Answer int

// A filter's answers.
const (
	Unknown Answer = iota // there is no filter
	No                    // the commit did not change the path against its first parent
	Maybe                 // it may have
)

// Changed returns whether the commit at pos may have changed the key's path
// against its first parent; a root commit changes every path it has.
func (g *Graph) Changed(pos uint32, key Key) (answer Answer) {
	err := sandbox.GuardFault(func() error {
		l, local, err := g.layer(pos)
		if err != nil {
			return err
		}
		if filter := l.filter(local); filter != nil {
			answer = l.ask(filter, key)
		}
		return nil
	})
	runtime.KeepAlive(g)
	if err != nil {
		return Unknown
	}
	return answer
}

// HasFilters reports whether any commit has a filter.
func (g *Graph) HasFilters() bool {
	for _, l := range g.layers {
		if l.filterEnds != nil {
			return true
		}
	}
	return false
}

func (l *layer) ask(filter []byte, key Key) Answer {
	// In version 1 a byte above 127 was hashed as the writer's C compiler
	// takes characters, signed or not: only its maker knows.
	if l.hashVersion == 1 && !key.ascii {
		return Maybe
	}
	for _, h := range key.hashes {
		if !contains(filter, h, l.hashes) {
			return No
		}
	}
	return Maybe
}

// contains reports whether all bits of a path are set.
func contains(filter []byte, h [2]uint32, hashes uint32) bool {
	size := uint64(len(filter)) * 8
	for i := range hashes {
		bit := uint64(h[0]+i*h[1]) % size
		if filter[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
	}
	return true
}

// murmur3 is the 32-bit MurmurHash3.
func murmur3(seed uint32, s string) uint32 {
	mix := func(k uint32) uint32 { return bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593 }
	h := seed
	rest := s
	for ; len(rest) >= 4; rest = rest[4:] {
		k := uint32(rest[0]) | uint32(rest[1])<<8 | uint32(rest[2])<<16 | uint32(rest[3])<<24
		h = bits.RotateLeft32(h^mix(k), 13)*5 + 0xe6546b64
	}
	if rest != "" {
		var k uint32
		for i := range len(rest) {
			k |= uint32(rest[i]) << (8 * i)
		}
		h ^= mix(k)
	}
	h ^= uint32(len(s))
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
