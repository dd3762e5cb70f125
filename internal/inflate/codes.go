package inflate

import "io"

// fixedTables sets the tables of a block with the fixed codes.
func (d *Decoder) fixedTables() {
	if d.fixed {
		return
	}
	lengths := d.lengths[:numLiterals]
	for i := range lengths {
		lengths[i] = 8
	}
	for i := 144; i < 256; i++ {
		lengths[i] = 9
	}
	for i := 256; i < 280; i++ {
		lengths[i] = 7
	}
	c := counts{7: 24, 8: 152, 9: 112}
	d.literalWidth, _ = d.build(d.literals[:], literalBits, &c, lengths, literalEntries[:])
	lengths = d.lengths[:numOffsets]
	for i := range lengths {
		lengths[i] = 5
	}
	c = counts{5: 32}
	d.offsetWidth, _ = d.build(d.offsets[:], offsetBits, &c, lengths, offsetEntries[:])
	d.fixed = true
}

// codeOrder is the order in which a dynamic block lists the lengths of the
// codes for code lengths.
var codeOrder = [numCodes]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamicTables reads the codes at the head of a dynamic block.
func (d *Decoder) dynamicTables(s *state) error {
	d.fixed = false
	nlit, ndist, ncode := int(s.take(5))+257, int(s.take(5))+1, int(s.take(4))+4
	if nlit > 286 || ndist > 30 {
		return ErrCorrupt
	}
	clear(d.lengths[:24])
	var c counts
	for _, symbol := range codeOrder[:ncode] {
		if s.nbits < 3 {
			s.refill()
		}
		n := uint8(s.take(3))
		d.lengths[symbol] = n
		c[n]++
	}
	width, ok := d.build(d.codes[:], codeBits, &c, d.lengths[:24], codeEntries[:])
	if !ok {
		return ErrCorrupt
	}
	var literal, offset counts
	if err := d.readLengths(s, width, nlit, ndist, &literal, &offset); err != nil {
		return err
	}
	// The distances' lengths follow the literals': build them first, so that
	// the literals' can be padded with zeros.
	var dist [numOffsets]uint8
	copy(dist[:], d.lengths[nlit:nlit+ndist])
	clear(d.lengths[nlit : nlit+8])
	if d.literalWidth, ok = d.build(d.literals[:], literalBits, &literal, d.lengths[:(nlit+7)&^7], literalEntries[:]); !ok {
		return ErrCorrupt
	}
	if d.offsetWidth, ok = d.build(d.offsets[:], offsetBits, &offset, dist[:], offsetEntries[:]); !ok {
		return ErrCorrupt
	}
	return nil
}

// readLengths reads the lengths of nlit literal and ndist distance codes into
// d.lengths and counts them.
func (d *Decoder) readLengths(s *state, width, nlit, ndist int, literal, offset *counts) error {
	total := nlit + ndist
	mask := uint64(1)<<width - 1
	count := literal
	buf, nbits := s.bits, s.nbits
	for i := 0; i < total; {
		if nbits < codeBits+7 {
			s.bits, s.nbits = buf, nbits
			if s.refill(); s.overrun() {
				return io.ErrUnexpectedEOF
			}
			buf, nbits = s.bits, s.nbits
		}
		e := d.codes[buf&mask&(codeSize-1)]
		buf >>= e & 63
		nbits -= uint(e & 63)
		if i >= nlit {
			count = offset
		}
		if e < 16<<16 && e != 0 {
			n := uint8(e >> 16)
			d.lengths[i] = n
			count[n&maxBits]++
			i++
			continue
		}
		n, base, extra := repeated(e)
		times := base + int(buf&(1<<(extra&63)-1))
		buf >>= extra & 63
		nbits -= extra
		if n == again {
			if i == 0 {
				return ErrCorrupt
			}
			n = d.lengths[i-1]
		}
		if base == 0 || i+times > total {
			return ErrCorrupt
		}
		if n != 0 {
			inLiterals := max(0, min(times, nlit-i))
			literal[n&maxBits] += uint16(inLiterals)
			offset[n&maxBits] += uint16(times - inLiterals)
		}
		run := d.lengths[i : i+times]
		for k := range run {
			run[k] = n
		}
		i += times
	}
	s.bits, s.nbits = buf, nbits
	return nil
}

// again stands for the length before.
const again = 0xff

// repeated returns which length a code repeats, how often at least, and how
// many bits say how often more. base is 0 for what is no code.
func repeated(e entry) (n uint8, base int, extra uint) {
	if e == 0 {
		return 0, 0, 0
	}
	switch e >> 16 {
	case 16:
		return again, 3, 2
	case 17:
		return 0, 3, 3
	}
	return 0, 11, 7
}
