package inflate_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/inflate"
)

// standard is the answer of compress/zlib: output, input used, verdict.
func standard(src []byte) (out []byte, used int, err error) {
	in := bytes.NewReader(src)
	z, err := zlib.NewReader(in)
	if err != nil {
		return nil, 0, err
	}
	out, err = io.ReadAll(z)
	return out, len(src) - in.Len(), err
}

func pack(t testing.TB, level int, data []byte) []byte {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, level)
	require.NoError(t, err)
	_, err = z.Write(data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// samples are contents of very different statistics.
func samples(r *rand.Rand) map[string][]byte {
	random := make([]byte, 70_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	skewed := make([]byte, 50_000)
	for i := range skewed {
		skewed[i] = byte(r.ExpFloat64() * 8)
	}
	words := []byte{}
	for len(words) < 200_000 {
		words = fmt.Appendf(words, "%d word%d\n", r.IntN(1000), r.IntN(50))
	}
	source, _ := os.ReadFile("inflate.go")
	far := bytes.Repeat(append(bytes.Clone(random[:32768-5]), "abcde"...), 3)
	return map[string][]byte{
		"empty": {}, "one": {'x'}, "zeros": make([]byte, 100_000), "pairs": bytes.Repeat([]byte("ab"), 999),
		"random": random, "skewed": skewed, "words": words, "source": source, "far": far,
	}
}

func TestInflateEqualsStandard(t *testing.T) {
	for name, data := range samples(rand.New(rand.NewPCG(1, 2))) {
		for _, level := range []int{flate.HuffmanOnly, -1, 0, 1, 6, 9} {
			for _, size := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 100, 1000, len(data)} {
				data := data[:min(size, len(data))]
				src := pack(t, level, data)
				for _, tail := range []int{0, 1, 7, 8, 30} {
					in := append(bytes.Clone(src), bytes.Repeat([]byte{0xa5}, tail)...)
					dst := make([]byte, len(data))
					n, err := inflate.Inflate(dst, in)
					require.NoError(t, err, "%s level %d size %d", name, level, size)
					require.Equal(t, len(src), n)
					require.True(t, bytes.Equal(data, dst), "%s level %d size %d", name, level, size)
				}
				checkPrefixes(t, data, src)
			}
		}
	}
}

func checkPrefixes(t *testing.T, data, src []byte) {
	for _, n := range []int{0, 1, 5, 50, len(data) / 2, len(data), len(data) + 1, len(data) + 20} {
		dst := make([]byte, n)
		got, err := inflate.Prefix(dst, src)
		require.NoError(t, err)
		require.Equal(t, min(n, len(data)), got)
		require.True(t, bytes.Equal(data[:got], dst[:got]))
	}
}

func TestStatedSizeMustBeRight(t *testing.T) {
	src := pack(t, 6, bytes.Repeat([]byte("hello "), 20))
	_, err := inflate.Inflate(make([]byte, 119), src)
	assert.ErrorIs(t, err, inflate.ErrLong)
	_, err = inflate.Inflate(make([]byte, 121), src)
	assert.ErrorIs(t, err, inflate.ErrShort)
	_, err = inflate.Inflate(nil, src)
	assert.ErrorIs(t, err, inflate.ErrLong)
}

func TestDamage(t *testing.T) {
	src := pack(t, 6, []byte("some text, some text, some more text"))
	flip := func(at int, mask byte) []byte { b := bytes.Clone(src); b[at] ^= mask; return b }
	for name, c := range map[string]struct {
		src  []byte
		want error
	}{
		"empty":      {nil, io.ErrUnexpectedEOF},
		"method":     {flip(0, 1), inflate.ErrHeader},
		"window":     {flip(0, 0x80), inflate.ErrHeader},
		"check bits": {flip(1, 1), inflate.ErrHeader},
		"dictionary": {[]byte{0x78, 0x20 | 0x9b, 0, 0, 0, 1, 3, 0, 0, 0, 0, 1}, inflate.ErrHeader},
		"checksum":   {flip(len(src)-1, 1), inflate.ErrChecksum},
		"cut":        {src[:len(src)-1], io.ErrUnexpectedEOF},
		"block 3":    {[]byte{0x78, 0x9c, 7, 0, 0, 0, 0, 0}, inflate.ErrCorrupt},
	} {
		_, err := inflate.Inflate(make([]byte, 36), c.src)
		assert.ErrorIs(t, err, c.want, name)
	}
}

// TestSlackOnly proves that nothing is written behind size + Slack.
func TestSlackOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, data := range samples(r) {
		src := pack(t, 6, data)
		dst := bytes.Repeat([]byte{0x5a}, len(data)+inflate.Slack+32)
		_, err := new(inflate.Decoder).Inflate(dst, len(data), src)
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, dst[:len(data)]))
		require.Equal(t, bytes.Repeat([]byte{0x5a}, 32), dst[len(data)+inflate.Slack:])
		_, err = inflate.Inflate(dst[:len(data)], src)
		require.NoError(t, err)
	}
}

// sameVerdict fails unless src is accepted or refused as by compress/zlib, and
// with the same output when accepted.
func sameVerdict(t *testing.T, d *inflate.Decoder, src []byte) {
	if len(src) > 1 && src[1]&0x20 != 0 {
		return // preset dictionaries are refused
	}
	want, used, wantErr := standard(src)
	dst := make([]byte, len(want)+inflate.Slack)
	n, err := d.Inflate(dst, len(want), src)
	if wantErr != nil {
		require.Error(t, err, "accepted %x, standard says %v", src, wantErr)
		return
	}
	require.NoError(t, err, "refused %x", src)
	require.Equal(t, used, n)
	require.True(t, bytes.Equal(want, dst[:len(want)]))
}

func TestMutatedStreams(t *testing.T) {
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	d := new(inflate.Decoder)
	for range 30 {
		for _, data := range samples(r) {
			data = data[:min(len(data), 1+r.IntN(3000))]
			src := pack(t, r.IntN(12)-2, data)
			for range 20 {
				bad := bytes.Clone(src)
				for range 1 + r.IntN(3) {
					bad[r.IntN(min(len(bad), 1+r.IntN(200)))] ^= 1 << r.IntN(8)
				}
				fixChecksum(bad)
				sameVerdict(t, d, bad)
				sameVerdict(t, d, src[:r.IntN(len(src))])
			}
		}
	}
}

// fixChecksum gives a damaged stream the checksum of what it now says, so that
// damage elsewhere has to be found by other means.
func fixChecksum(src []byte) {
	if out, used, _ := standard(src); used == len(src) && used > 6 {
		binary.BigEndian.PutUint32(src[len(src)-4:], adler32.Checksum(out))
	}
}

func FuzzInflate(f *testing.F) {
	for _, data := range samples(rand.New(rand.NewPCG(5, 6))) {
		for _, level := range []int{-2, 0, 1, 6} {
			f.Add(pack(f, level, data[:min(len(data), 500)]))
		}
	}
	d := new(inflate.Decoder)
	f.Fuzz(func(t *testing.T, src []byte) {
		sameVerdict(t, d, src)
		if len(src) > 2 {
			src = append([]byte{0x78, 0x9c}, src[2:]...)
			sameVerdict(t, d, src)
			fixChecksum(src)
			sameVerdict(t, d, src)
		}
	})
}

func BenchmarkInflate(b *testing.B) {
	source, err := os.ReadFile("inflate.go")
	require.NoError(b, err)
	for _, size := range []int{50, 500, 5000, len(source)} {
		data := source[:size]
		src := append(pack(b, 6, data), make([]byte, 8)...)
		b.Run(fmt.Sprintf("ours/%d", size), func(b *testing.B) {
			d, dst := new(inflate.Decoder), make([]byte, size+inflate.Slack)
			b.SetBytes(int64(size))
			for b.Loop() {
				_, _ = d.Inflate(dst, size, src)
			}
		})
		b.Run(fmt.Sprintf("standard/%d", size), func(b *testing.B) {
			in, dst := bytes.NewReader(src), make([]byte, size)
			z, _ := zlib.NewReader(in)
			b.SetBytes(int64(size))
			for b.Loop() {
				in.Reset(src)
				_ = z.(zlib.Resetter).Reset(in, nil)
				_, _ = io.ReadFull(z, dst)
				_, _ = z.Read(make([]byte, 1))
			}
		})
	}
}
