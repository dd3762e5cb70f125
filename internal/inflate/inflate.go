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
