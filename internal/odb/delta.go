package odb

import "errors"

// errDelta says that a delta does not fit its base or its stated size.
var errDelta = errors.New("delta is damaged")

// deltaSizes reads the sizes of base and result at the head of a delta and
// returns the instructions after them.
func deltaSizes(delta []byte) (base, result int64, rest []byte, err error) {
	base, rest, ok := deltaSize(delta)
	if !ok {
		return 0, 0, nil, errDelta
	}
	if result, rest, ok = deltaSize(rest); !ok {
		return 0, 0, nil, errDelta
	}
	return base, result, rest, nil
}

func deltaSize(b []byte) (size int64, rest []byte, ok bool) {
	for i, shift := 0, 0; i < len(b) && shift < 63; i, shift = i+1, shift+7 {
		size |= int64(b[i]&0x7f) << shift
		if b[i]&0x80 == 0 {
			return size, b[i+1:], size >= 0
		}
	}
	return 0, nil, false
}

// applyDelta builds result, whose length is the delta's stated one, from base
// by the instructions that follow the sizes.
func applyDelta(result, base, ops []byte) error {
	out := 0
	for len(ops) > 0 {
		op := ops[0]
		ops = ops[1:]
		if op&0x80 == 0 {
			n := int(op)
			if n == 0 || n > len(ops) || n > len(result)-out {
				return errDelta
			}
			copy(result[out:], ops[:n])
			out, ops = out+n, ops[n:]
			continue
		}
		off, size, rest, ok := copyRange(op, ops)
		if !ok || off > len(base) || size > len(base)-off || size > len(result)-out {
			return errDelta
		}
		copy(result[out:], base[off:off+size])
		out, ops = out+size, rest
	}
	if out != len(result) {
		return errDelta
	}
	return nil
}

// copyRange reads the operands of a copy instruction: the low four bits of op
// say which bytes of the offset follow, the next three which of the size.
func copyRange(op byte, ops []byte) (off, size int, rest []byte, ok bool) {
	i := 0
	for bit := range 7 {
		if op>>bit&1 == 0 {
			continue
		}
		if i == len(ops) {
			return 0, 0, nil, false
		}
		if bit < 4 {
			off |= int(ops[i]) << (8 * bit)
		} else {
			size |= int(ops[i]) << (8 * (bit - 4))
		}
		i++
	}
	if size == 0 {
		size = 0x10000
	}
	return off, size, ops[i:], off >= 0
}
