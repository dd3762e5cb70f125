package inflate

import (
	"encoding/binary"
	"math/bits"
)

const (
	maxBits     = 15 // longest code
	literalBits = 10 // width of the first table
	offsetBits  = 8
	codeBits    = 7

	numLiterals = 288
	numOffsets  = 32
	numCodes    = 19

	// The most entries that a table and its sub-tables can take for the
	// numbers of symbols and widths above.
	literalSize = 1334
	offsetSize  = 402
	codeSize    = 1 << codeBits
)

// An entry says what the next bits mean:
//
//	bits  0–5   how many bits to drop: the code (of a sub-table: what is left
//	            of it) and the extra bits after it
//	bits  8–12  how many of them are the code
//	bits 13–15  flags, below
//	bits 16–31  literal byte, base of the length or distance, or the index of
//	            a sub-table whose width stands in bits 8–12
//
// Zero is no code.
type entry = uint32

const (
	flagLiteral entry = 1 << 15
	flagTable   entry = 1 << 14
	flagEnd     entry = 1 << 13
)

// extra makes the entry of a length or distance, without its code's length.
func extra(base, bits uint32) entry { return base<<16 | bits }

var (
	literalEntries = makeLiteralEntries()
	offsetEntries  = makeOffsetEntries()
	codeEntries    = makeCodeEntries()
)

func makeLiteralEntries() (e [numLiterals]entry) {
	for i := range 256 {
		e[i] = uint32(i)<<16 | flagLiteral
	}
	e[256] = flagEnd
	base := uint32(3)
	for i := range 28 {
		n := uint32(max(0, i/4-1))
		e[257+i] = extra(base, n)
		base += 1 << n
	}
	e[285] = extra(258, 0)
	return e // 286 and 287 have codes and no meaning
}

func makeOffsetEntries() (e [numOffsets]entry) {
	base := uint32(1)
	for i := range 30 {
		n := uint32(max(0, i/2-1))
		e[i] = extra(base, n)
		base += 1 << n
	}
	return e
}

func makeCodeEntries() (e [numCodes]entry) {
	for i := range e {
		e[i] = uint32(i)<<16 | flagLiteral
	}
	return e
}

// counts holds how many codes have each length.
type counts [maxBits + 1]uint16

// complete reports whether a code with these lengths uses every bit string
// exactly once. As in compress/flate, no code at all and a single one of one
// bit pass too: the missing strings are an error only when they turn up.
func (c *counts) complete() bool {
	space := 0
	total := 0
	for n := 1; n <= maxBits; n++ {
		space = space<<1 + int(c[n])
		total += int(c[n])
	}
	return space == 1<<maxBits || total == 0 || total == 1 && c[1] == 1
}

// longest returns the length of the longest code, at least 1.
func (c *counts) longest() int {
	n := maxBits
	for n > 1 && c[n] == 0 {
		n--
	}
	return n
}

// sort lists the symbols by the length of their codes, then by number. The
// lengths beyond the last symbol, up to a multiple of eight, must be zero.
func (c *counts) sort(sorted *[numLiterals]uint16, lengths []uint8) {
	var at [maxBits + 1]uint16
	for n := 1; n < maxBits; n++ {
		at[n+1] = at[n] + c[n]
	}
	for i := 0; i+8 <= len(lengths); i += 8 {
		word := binary.LittleEndian.Uint64(lengths[i:])
		for word != 0 {
			k := bits.TrailingZeros64(word) &^ 7
			n := uint8(word>>k) & maxBits
			sorted[at[n]] = uint16(i + k>>3)
			at[n]++
			word &^= 0xff << k
		}
	}
}

// build fills table for the code with the given lengths and returns the width
// of its first part; false when the code is not complete. meaning has an
// entry per symbol.
func (d *Decoder) build(table []entry, width int, c *counts, lengths []uint8, meaning []entry) (int, bool) {
	if !c.complete() {
		return 0, false
	}
	longest := c.longest()
	width = min(width, longest)
	c.sort(&d.sorted, lengths)
	if c.single() {
		table[0], table[1] = 0, 0
		if c[1] == 1 {
			table[0] = coded(meaning[d.sorted[0]], 1)
		}
		return 1, true
	}
	code, next := 0, 0 // the code's bits as the stream has them; index in sorted
	table[0] = 0
	for n := 1; n <= width; n++ {
		copy(table[1<<(n-1):1<<n], table[:1<<(n-1)])
		for range c[n] {
			table[code] = coded(meaning[d.sorted[next]], uint32(n))
			next++
			code = successor(code, n)
		}
	}
	if longest > width {
		d.buildLong(table, width, c, code, next, meaning)
	}
	return width, true
}

// single reports whether there is at most one code.
func (c *counts) single() bool {
	total := 0
	for _, n := range c[1:] {
		total += int(n)
	}
	return total <= 1
}

// coded completes a symbol's entry by the length of its code.
func coded(meaning entry, n uint32) entry {
	if meaning == 0 {
		return 0
	}
	return meaning + (n<<8 | n)
}

// successor returns the code of n bits that follows code; bits are reversed,
// so the carry runs downwards. After the last code it is 0.
func successor(code, n int) int {
	free := ^code & (1<<n - 1) // zero bits, the highest of them takes the carry
	if free == 0 {
		return 0
	}
	top := bits.Len(uint(free)) - 1
	return code&(1<<top-1) | 1<<top
}

// buildLong fills the sub-tables for the codes longer than width.
func (d *Decoder) buildLong(table []entry, width int, c *counts, code, next int, meaning []entry) {
	free := 1 << width // where the next sub-table goes
	mask := 1<<width - 1
	prefix, sub, subBits := -1, 0, 0
	for n := width + 1; n <= maxBits; n++ {
		for left := int(c[n]); left > 0; left-- {
			if code&mask != prefix {
				prefix, sub = code&mask, free
				subBits = subWidth(c, n, left, width)
				free += 1 << subBits
				table[prefix] = uint32(sub)<<16 | flagTable | uint32(subBits)<<8 | uint32(width)
			}
			e := coded(meaning[d.sorted[next]], uint32(n-width))
			for i := code >> width; i < 1<<subBits; i += 1 << (n - width) {
				table[sub+i] = e
			}
			next++
			code = successor(code, n)
		}
	}
}

// subWidth returns how wide the sub-table is that starts with a code of n
// bits, left of that length not yet placed: it takes longer codes until the
// strings behind its prefix are used up.
func subWidth(c *counts, n, left, width int) int {
	w := n - width
	for used := left; used < 1<<w && width+w < maxBits; {
		w++
		used = used<<1 + int(c[width+w])
	}
	return w
}
