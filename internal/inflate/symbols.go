package inflate

import (
	"encoding/binary"
	"io"
)

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
