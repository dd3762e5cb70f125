package inflate

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
	"io"
	"sync"
)

// What can be wrong with a stream. A stream that ends too early is
// io.ErrUnexpectedEOF.
var (
	ErrHeader   = errors.New("zlib: invalid header")
	ErrCorrupt  = errors.New("zlib: invalid deflate data")
	ErrChecksum = errors.New("zlib: invalid checksum")
	ErrLong     = errors.New("zlib: stream is longer than its stated size")
	ErrShort    = errors.New("zlib: stream is shorter than its stated size")
)

// Slack is how much room behind the stated size lets Decoder.Inflate run at
// full speed up to the last byte.
const Slack = 16

// Decoder holds the code tables of a decoding. The zero value is ready to
// use; one Decoder must not be used by two goroutines at once.
type Decoder struct {
	literals [literalSize]entry
	offsets  [offsetSize]entry
	codes    [codeSize]entry
	lengths  [numLiterals + numOffsets + 16]uint8
	sorted   [numLiterals]uint16

	literalWidth, offsetWidth int
	fixed                     bool // the tables are those of fixed blocks
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// Inflate decodes the zlib stream at the head of src into dst, which it fills
// exactly, and returns how many bytes of src the stream takes. What follows
// the stream doesn't matter; a few bytes there make it faster. On an error
// the content of dst is undefined.
func Inflate(dst, src []byte) (consumed int, err error) {
	d := decoders.Get().(*Decoder)
	defer decoders.Put(d)
	return d.Inflate(dst, len(dst), src)
}

// Prefix decodes the first len(dst) bytes of the stream at the head of src,
// fewer when the stream is shorter, and returns how many. The checksum is
// examined only when the stream ends there.
func Prefix(dst, src []byte) (n int, err error) {
	d := decoders.Get().(*Decoder)
	defer decoders.Put(d)
	n, _, err = d.Prefix(dst, src)
	return n, err
}

// Inflate is the function Inflate for an output of size bytes, with the
// difference that the bytes of dst beyond size may be overwritten (at most
// Slack of them).
func (d *Decoder) Inflate(dst []byte, size int, src []byte) (consumed int, err error) {
	s, err := start(dst, size, src)
	if err != nil {
		return 0, err
	}
	if err := d.blocks(&s); err != nil {
		if err == errFull {
			err = ErrLong
		}
		return 0, err
	}
	if s.out != size {
		return 0, ErrShort
	}
	return s.finish(dst[:size])
}

// Prefix is the function Prefix; consumed is how long the stream is when it
// ends within dst, else 0.
func (d *Decoder) Prefix(dst, src []byte) (n, consumed int, err error) {
	s, err := start(dst, len(dst), src)
	if err != nil {
		return 0, 0, err
	}
	switch err := d.blocks(&s); err {
	case nil:
		consumed, err = s.finish(dst[:s.out])
		return s.out, consumed, err
	case errFull:
		return s.out, 0, nil
	default:
		return s.out, 0, err
	}
}

// errFull ends a decoding whose output would go past the limit.
var errFull = errors.New("zlib: output full")

// state is the place in input and output.
type state struct {
	src   []byte
	in    int    // next byte of src to load; beyond its end zeros were loaded
	bits  uint64 // loaded bits, the next one lowest
	nbits uint   // how many of them count
	dst   []byte
	limit int // the output may reach up to here
	out   int
}

// start checks the two bytes of the zlib header.
func start(dst []byte, size int, src []byte) (state, error) {
	if len(src) < 2 {
		return state{}, io.ErrUnexpectedEOF
	}
	method, flags := src[0], src[1]
	if method&15 != 8 || method>>4 > 7 || (uint(method)<<8|uint(flags))%31 != 0 || flags&0x20 != 0 {
		return state{}, ErrHeader
	}
	return state{src: src, in: 2, dst: dst, limit: size}, nil
}

// refill loads bits until at least 56 are there. Behind the end of the input
// it loads zeros; overrun tells.
func (s *state) refill() {
	if s.in+8 <= len(s.src) {
		s.bits |= binary.LittleEndian.Uint64(s.src[s.in:]) << (s.nbits & 63)
		s.in += int(63-s.nbits) >> 3
		s.nbits |= 56
		return
	}
	for s.nbits <= 56 {
		if s.in < len(s.src) {
			s.bits |= uint64(s.src[s.in]) << (s.nbits & 63)
		}
		s.in++
		s.nbits += 8
	}
}

// take removes n bits, which must be there.
func (s *state) take(n uint) uint64 {
	v := s.bits & (1<<(n&63) - 1)
	s.bits >>= n & 63
	s.nbits -= n
	return v
}

// position returns how many bytes of input were used, the last one perhaps
// in part.
func (s *state) position() int { return s.in - int(s.nbits>>3) }

// overrun reports whether bits behind the end of the input were used.
func (s *state) overrun() bool { return s.position() > len(s.src) }

// finish checks the Adler-32 of the whole output, which follows the last
// block, and returns how long the stream was.
func (s *state) finish(output []byte) (int, error) {
	at := s.position()
	if at+4 > len(s.src) {
		return 0, io.ErrUnexpectedEOF
	}
	if binary.BigEndian.Uint32(s.src[at:]) != adler32.Checksum(output) {
		return 0, ErrChecksum
	}
	return at + 4, nil
}

// blocks decodes up to the end of the last block.
func (d *Decoder) blocks(s *state) error {
	for last := false; !last; {
		s.refill()
		last = s.take(1) == 1
		var err error
		switch s.take(2) {
		case 0:
			err = s.stored()
		case 1:
			d.fixedTables()
			err = d.compressed(s)
		case 2:
			if err = d.dynamicTables(s); err == nil {
				err = d.compressed(s)
			}
		default:
			err = ErrCorrupt
		}
		// Whatever zeros behind the end seemed to mean, the input was cut.
		if s.overrun() {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stored copies a block without compression.
func (s *state) stored() error {
	at := s.position() // the header's padding ends with its byte
	s.bits, s.nbits = 0, 0
	s.in = at + 4
	if s.in > len(s.src) {
		return io.ErrUnexpectedEOF
	}
	size := binary.LittleEndian.Uint16(s.src[at:])
	if binary.LittleEndian.Uint16(s.src[at+2:]) != ^size {
		return ErrCorrupt
	}
	room := s.limit - s.out
	n := copy(s.dst[s.out:s.out+min(int(size), room)], s.src[s.in:])
	s.in += n
	s.out += n
	switch {
	case n == int(size):
		return nil
	case n == room:
		return errFull
	}
	s.in = len(s.src) + 1
	return io.ErrUnexpectedEOF
}

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

// compressed decodes the symbols of one block.
func (d *Decoder) compressed(s *state) error {
	src, dst, limit := s.src, s.dst, s.limit
	in, buf, nbits, out := s.in, s.bits, s.nbits, s.out
	literals, offsets := &d.literals, &d.offsets
	literalMask, offsetMask := uint64(1)<<d.literalWidth-1, uint64(1)<<d.offsetWidth-1
	var err error
loop:
	for {
		if in+8 <= len(src) {
			buf |= binary.LittleEndian.Uint64(src[in:]) << (nbits & 63)
			in += int(63-nbits) >> 3
			nbits |= 56
		} else {
			if in > len(src)+8 {
				err = io.ErrUnexpectedEOF
				break
			}
			s.in, s.bits, s.nbits = in, buf, nbits
			s.refill()
			in, buf, nbits = s.in, s.bits, s.nbits
		}

		// A literal takes at most 10 bits here, a length with its distance 48:
		// of 56 bits two literals may go before another load is needed.
		e := literals[buf&literalMask]
		if e&flagLiteral != 0 && out+4 <= limit && out+4 <= len(dst) {
			four := dst[out : out+4]
			buf >>= e & 63
			nbits -= uint(e & 63)
			four[0] = byte(e >> 16)
			out++
			if e = literals[buf&literalMask]; e&flagLiteral != 0 {
				buf >>= e & 63
				nbits -= uint(e & 63)
				four[1] = byte(e >> 16)
				out++
				if e = literals[buf&literalMask]; e&flagLiteral != 0 {
					buf >>= e & 63
					nbits -= uint(e & 63)
					four[2] = byte(e >> 16)
					out++
					if e = literals[buf&literalMask]; e&flagLiteral != 0 {
						buf >>= e & 63
						nbits -= uint(e & 63)
						four[3] = byte(e >> 16)
						out++
					}
					continue
				}
			}
		}
		if e&flagTable != 0 {
			buf >>= e & 63
			nbits -= uint(e & 63)
			e = literals[uint64(e>>16)+buf&(1<<(e>>8&31)-1)]
		}
		saved := buf
		buf >>= e & 63
		nbits -= uint(e & 63)
		if e&(flagLiteral|flagEnd) != 0 {
			if e&flagEnd != 0 {
				break
			}
			if out >= limit {
				err = errFull
				break
			}
			dst[out] = byte(e >> 16)
			out++
			continue
		}
		if e == 0 {
			err = ErrCorrupt
			break
		}
		length := int(e>>16) + int(saved&(1<<(e&63)-1)>>(e>>8&31))
		if nbits < maxBits+13 {
			if in+8 <= len(src) {
				buf |= binary.LittleEndian.Uint64(src[in:]) << (nbits & 63)
				in += int(63-nbits) >> 3
				nbits |= 56
			} else {
				s.in, s.bits, s.nbits = in, buf, nbits
				s.refill()
				in, buf, nbits = s.in, s.bits, s.nbits
			}
		}
		e = offsets[buf&offsetMask]
		if e&flagTable != 0 {
			buf >>= e & 63
			nbits -= uint(e & 63)
			e = offsets[uint64(e>>16)+buf&(1<<(e>>8&31)-1)]
		}
		if e == 0 {
			err = ErrCorrupt
			break
		}
		distance := int(e>>16) + int(buf&(1<<(e&63)-1)>>(e>>8&31))
		buf >>= e & 63
		nbits -= uint(e & 63)

		if distance > out {
			err = ErrCorrupt
			break
		}
		if length > limit-out {
			if in-int(nbits>>3) <= len(src) { // not a match made of zeros behind the end
				copyMatch(dst[:limit], out, distance, limit-out)
				out = limit
			}
			err = errFull
			break
		}
		end := out + length
		from := out - distance
		if distance < 8 || end+8 > len(dst) {
			copyMatch(dst, out, distance, length)
			out = end
			continue
		}
		for {
			binary.LittleEndian.PutUint64(dst[out:], binary.LittleEndian.Uint64(dst[from:]))
			out += 8
			from += 8
			if out >= end {
				out = end
				continue loop
			}
		}
	}
	s.in, s.bits, s.nbits, s.out = in, buf, nbits, out
	return err
}

// copyMatch copies length bytes from distance before out; the ranges may
// overlap, which repeats what is there.
func copyMatch(dst []byte, out, distance, length int) {
	from, end := out-distance, out+length
	for out < end {
		// What was copied doubles what can be copied at once.
		out += copy(dst[out:end], dst[from:out])
	}
}
