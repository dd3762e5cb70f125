package object

import (
	"encoding/binary"

	"github.com/go-git/go-git/v5/plumbing"
)

// AppendID appends an id in hexadecimal digits, eight of them at once.
func AppendID(dst []byte, id plumbing.Hash) []byte {
	for i := 0; i < len(id); i += 4 {
		dst = binary.BigEndian.AppendUint64(dst, hexOf(binary.BigEndian.Uint32(id[i:])))
	}
	return dst
}

// hexOf spreads the eight halves of bytes over as many bytes, and makes digits
// of them all together.
func hexOf(x uint32) uint64 {
	const ones = 0x0101010101010101
	d := uint64(x)
	d = (d | d<<16) & 0x0000ffff0000ffff
	d = (d | d<<8) & 0x00ff00ff00ff00ff
	d = (d | d<<4) & 0x0f0f0f0f0f0f0f0f
	letters := (d + 6*ones) >> 4 & ones // which are beyond 9
	return d + '0'*ones + letters*('a'-'0'-10)
}
