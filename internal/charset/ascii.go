package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// ascii is the 7-bit encoding: other bytes do not fit it, in either direction.
type ascii struct{}

func (ascii) NewDecoder() *encoding.Decoder { return &encoding.Decoder{Transformer: sevenBit{}} }
func (ascii) NewEncoder() *encoding.Encoder { return &encoding.Encoder{Transformer: sevenBit{}} }

type sevenBit struct{ transform.NopResetter }

func (sevenBit) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if src[nSrc] >= 0x80 {
			return nDst, nSrc, encoding.ErrInvalidUTF8
		}
		if nDst == len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		dst[nDst] = src[nSrc]
		nDst, nSrc = nDst+1, nSrc+1
	}
	return nDst, nSrc, nil
}
