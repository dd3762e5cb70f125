package linediff

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// MaxSize is the length, in bytes, of the longest text that can be diffed;
// it is git's own limit.
const MaxSize = 1023 << 20

// Lines is a text with the offsets of its lines.
type Lines struct {
	Data   []byte
	starts []int32 // of each line, and the length of Data at the end
}

// Split finds the lines of data, which must not be longer than MaxSize. It
// reuses the memory of l.
func (l *Lines) Split(data []byte) {
	l.Data = data
	l.starts = append(splitLines(l.starts[:0], data, 0), int32(len(data)))
}

// SplitLike is Split of a text that has much in common with another one, whose
// lines need not be looked for again.
func (l *Lines) SplitLike(data []byte, other *Lines) {
	prefix, suffix := commonEnds(other.Data, data)
	end := len(data) - suffix
	moved := end - (len(other.Data) - suffix)
	starts := append(l.starts[:0], other.starts[:other.startsBefore(prefix)]...)
	starts = splitLines(starts, data[prefix:end], prefix)
	for _, start := range other.starts[other.startsBefore(end-moved):other.Count()] {
		starts = append(starts, start+int32(moved))
	}
	l.Data, l.starts = data, append(starts, int32(len(data)))
}

// startsBefore returns how many lines begin before the offset i.
func (l *Lines) startsBefore(i int) int {
	n, _ := slices.BinarySearch(l.starts[:l.Count()], int32(i))
	return n
}

// until returns the lines up to the offset n, where a line ends. They share
// the memory of l.
func (l *Lines) until(n int) Lines {
	if n == len(l.Data) {
		return *l
	}
	return Lines{l.Data[:n], l.starts[:l.startsBefore(n)+1]}
}

// Count returns the number of lines.
func (l *Lines) Count() int { return max(0, len(l.starts)-1) }

// Line returns line i with its line feed, if it has one.
func (l *Lines) Line(i int) []byte { return l.Data[l.starts[i]:l.starts[i+1]] }

// Range returns lines from..to-1 as they stand in the text.
func (l *Lines) Range(from, to int) []byte { return l.Data[l.starts[from]:l.starts[to]] }

// splitLines appends the offsets of the lines that begin in data to starts,
// each moved by base. It looks at eight bytes at a time.
func splitLines(starts []int32, data []byte, base int) []int32 {
	if len(data) == 0 {
		return starts
	}
	starts = append(starts, int32(base))
	const feeds, low7 = 0x0a0a0a0a0a0a0a0a, 0x7f7f7f7f7f7f7f7f
	last := len(data) - 1 // no line begins after a feed there
	i := 0
	for ; i+8 <= last; i += 8 {
		x := binary.LittleEndian.Uint64(data[i:]) ^ feeds
		zeros := ^((x&low7 + low7) | x | low7)
		for ; zeros != 0; zeros &= zeros - 1 {
			starts = append(starts, int32(base+i+bits.TrailingZeros64(zeros)>>3+1))
		}
	}
	for ; i < last; i++ {
		if data[i] == '\n' {
			starts = append(starts, int32(base+i+1))
		}
	}
	return starts
}

// commonPrefix returns the length of the longest common prefix of a and b.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+256 <= n && bytes.Equal(a[i:i+256], b[i:i+256]); i += 256 {
	}
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)>>3
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// commonSuffix returns the length of the longest common suffix of a and b.
func commonSuffix(a, b []byte) int {
	n := min(len(a), len(b))
	a, b = a[len(a)-n:], b[len(b)-n:]
	i := n
	for ; i >= 256 && bytes.Equal(a[i-256:i], b[i-256:i]); i -= 256 {
	}
	for ; i >= 8; i -= 8 {
		if x := binary.LittleEndian.Uint64(a[i-8:]) ^ binary.LittleEndian.Uint64(b[i-8:]); x != 0 {
			return n - i + bits.LeadingZeros64(x)>>3
		}
	}
	for i > 0 && a[i-1] == b[i-1] {
		i--
	}
	return n - i
}

// commonEnds returns the lengths of the longest common prefix and suffix of
// old and new that consist of whole lines and don't overlap.
func commonEnds(old, new []byte) (prefix, suffix int) {
	prefix = commonPrefix(old, new)
	if prefix == len(old) && prefix == len(new) {
		return prefix, 0
	}
	prefix = bytes.LastIndexByte(old[:prefix], '\n') + 1
	old, new = old[prefix:], new[prefix:]
	suffix = commonSuffix(old, new)
	if lineStart(old, len(old)-suffix) && lineStart(new, len(new)-suffix) {
		return prefix, suffix
	}
	feed := bytes.IndexByte(old[len(old)-suffix:], '\n')
	if feed < 0 {
		return prefix, 0
	}
	return prefix, suffix - feed - 1
}

// lineStart tells whether a line begins at offset i of text.
func lineStart(text []byte, i int) bool { return i == 0 || text[i-1] == '\n' }

// cutCommonTail shortens old and new by what they have in common at the end,
// in whole blocks, up to a line end, as git does before a diff without
// context.
func cutCommonTail(old, new []byte) (o, n []byte) {
	const block = 1024
	o, n = old, new
	for len(o) >= block && len(n) >= block && bytes.Equal(o[len(o)-block:], n[len(n)-block:]) {
		o, n = o[:len(o)-block], n[:len(n)-block]
	}
	cut := len(old) - len(o)
	back := bytes.IndexByte(old[len(o):], '\n') + 1
	if back == 0 {
		back = cut
	}
	return old[:len(o)+back], new[:len(n)+back]
}
