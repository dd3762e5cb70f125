package odb

import (
	"errors"
	"io"
	"runtime"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/inflate"
	"github.com/ingit-dev/ingit/internal/mapped"
	"github.com/ingit-dev/ingit/sandbox"
)

const (
	wholeObject = -1
	// maxRatio is more than deflate can expand its input.
	maxRatio = 1040
	// maxKept is the largest buffer that a Reader keeps between calls.
	maxKept = 1 << 20
)

var (
	errCycle   = errors.New("delta is based on itself")
	errNoBase  = errors.New("base of delta is missing")
	errClaim   = errors.New("stated size is larger than the data can be")
	errBaseFit = errors.New("delta is for a base of another size")
)

// base is what a chain stands on.
type base struct {
	kind  plumbing.ObjectType
	data  []byte
	place place // zero for a loose object
	owned bool  // data is a buffer of the cache's that is in no cache
}

// packed returns the content of the entry at a place, or its first bytes when
// want is not wholeObject. The result is the caller's to keep if keep is set.
func (r *Reader) packed(at place, want int, keep bool) (kind plumbing.ObjectType, data []byte, err error) {
	err = sandbox.GuardFault(func() error {
		kind, data, err = r.entry(at, want, keep)
		return err
	})
	runtime.KeepAlive(at.pack)
	return kind, data, err
}

func (r *Reader) entry(at place, want int, keep bool) (plumbing.ObjectType, []byte, error) {
	if c := r.cache.get(at); c != nil {
		return c.kind, own(c.data, keep), nil
	}
	e, src, err := r.header(at)
	if err == nil && (want == wholeObject || e.kind.IsDelta()) {
		err = r.limit(e.size)
	}
	if err != nil {
		return 0, nil, err
	}
	if e.kind.IsDelta() {
		return r.delta(at, e, keep)
	}
	if e.kind == plumbing.TreeObject && want == wholeObject {
		data, err := r.inflateEntry(src, e, r.cache.buffers.get(int(e.size), inflate.Slack))
		if err != nil {
			return 0, nil, err
		}
		result := own(data, keep)
		r.cache.put(at, e.kind, data)
		return e.kind, result, nil
	}
	return r.whole(src, e, want, keep)
}

// own returns data, or a copy of it that the caller may keep.
func own(data []byte, keep bool) []byte {
	if keep {
		return append(make([]byte, 0, len(data)), data...)
	}
	return data
}

// whole returns the content of an entry that is no delta, or its first want
// bytes.
func (r *Reader) whole(src *mapped.File, e entry, want int, keep bool) (plumbing.ObjectType, []byte, error) {
	size := int(e.size)
	if want >= 0 && want < size {
		data, err := r.inflatePrefix(src, e, r.output(want))
		return e.kind, data, err
	}
	var dst []byte
	if keep {
		dst = make([]byte, size, size+inflate.Slack)
	} else {
		dst = r.output(size)
	}
	data, err := r.inflateEntry(src, e, dst)
	return e.kind, data, err
}

// output returns a buffer of n bytes, with slack, that lasts until the next
// call.
func (r *Reader) output(n int) []byte {
	if n+inflate.Slack <= cap(r.out) {
		return r.out[:n]
	}
	buf := make([]byte, n, n+n/2+4096)
	if cap(buf) <= maxKept {
		r.out = buf
	}
	return buf
}

// header reads the header of the entry at a place. The size that it states
// may be beyond the limits, but not beyond what the pack can hold.
func (r *Reader) header(at place) (e entry, src *mapped.File, err error) {
	if src, err = at.pack.open(); err != nil {
		return e, nil, err
	}
	if at.off < packHeader || at.off >= src.Size()-int64(idSize) {
		return e, nil, errLargeOffset
	}
	b, window, err := src.At(r.window, at.off, maxEntryHeader)
	r.window = window
	if err != nil {
		return e, nil, err
	}
	if e, err = parseEntry(b, at.off); err != nil {
		return e, nil, err
	}
	return e, src, claim(e.size, src.Size()-e.data)
}

// claim refuses a size that room bytes of zlib data cannot hold, before
// anything of that size is allocated.
func claim(size, room int64) error {
	if size/maxRatio > room {
		return errClaim
	}
	return nil
}

// limit refuses sizes that must not be held in memory.
func (r *Reader) limit(size int64) error {
	if r.most > 0 && size > r.most {
		return &sandbox.LimitError{Limit: unwanted, Max: r.most}
	}
	if max := r.db.limits.ObjectBytes; size > max || size != int64(int(size)) {
		return &sandbox.LimitError{Limit: "ObjectBytes", Max: max}
	}
	return nil
}

// inflateAt hands decode the zlib data that begins at off. Without a mapping
// it is as much as size bytes of output usually need, and more as long as the
// stream goes on.
func (r *Reader) inflateAt(src *mapped.File, off, size int64, decode func(data []byte) error) (err error) {
	defer runtime.KeepAlive(src)
	for room := size + size/1000 + 256; ; room *= 4 {
		var data []byte
		if data, r.window, err = src.At(r.window, off, int(min(room, src.Size()))); err != nil {
			return err
		}
		if err = decode(data); err != io.ErrUnexpectedEOF || int64(len(data)) >= src.Size()-off {
			return err
		}
	}
}

// inflateEntry inflates an entry into dst, which is as long as the content.
func (r *Reader) inflateEntry(src *mapped.File, e entry, dst []byte) ([]byte, error) {
	room := dst[:min(cap(dst), len(dst)+inflate.Slack)]
	return dst, r.inflateAt(src, e.data, e.size, func(data []byte) error {
		_, err := r.inflate.Inflate(room, len(dst), data)
		return err
	})
}

// inflatePrefix inflates the first bytes of an entry into dst.
func (r *Reader) inflatePrefix(src *mapped.File, e entry, dst []byte) ([]byte, error) {
	return dst, r.inflateAt(src, e.data, int64(len(dst)), func(data []byte) error {
		n, _, err := r.inflate.Prefix(dst, data)
		if err == nil && n < len(dst) {
			err = inflate.ErrShort
		}
		return err
	})
}

// delta returns the content of a delta: it walks down to the base, inflating
// the deltas, and then builds up from it.
func (r *Reader) delta(at place, e entry, keep bool) (plumbing.ObjectType, []byte, error) {
	r.chain, r.deltas = r.chain[:0], r.deltas[:0]
	b, err := r.descend(at, e)
	if err == nil {
		err = r.fits(int64(len(b.data)))
	}
	if err != nil {
		return 0, nil, err
	}
	data, err := r.build(b, keep)
	if cap(r.deltas) > maxKept {
		r.deltas = nil
	}
	return b.kind, data, err
}

// descend follows the chain of the delta at a place to its base and fills
// r.chain and r.deltas.
func (r *Reader) descend(at place, e entry) (base, error) {
	for {
		next, loose, err := r.push(at, e)
		if err != nil {
			return base{}, err
		}
		if loose != nil {
			return *loose, nil
		}
		at = next
		if c := r.cache.get(at); c != nil {
			return base{kind: c.kind, data: c.data, place: at}, nil
		}
		var src *mapped.File
		if e, src, err = r.header(at); err == nil {
			err = r.limit(e.size)
		}
		if err != nil {
			return base{}, err
		}
		if !e.kind.IsDelta() {
			data, err := r.inflateEntry(src, e, r.cache.buffers.get(int(e.size), inflate.Slack))
			return base{kind: e.kind, data: data, place: at, owned: true}, err
		}
	}
}

// push appends the delta at a place to the chain and returns where its base
// is: in a pack, or a loose object.
func (r *Reader) push(at place, e entry) (place, *base, error) {
	if max := r.db.limits.DeltaDepth; len(r.chain) >= max {
		return place{}, nil, &sandbox.LimitError{Limit: "DeltaDepth", Max: int64(max)}
	}
	if err := r.pushDelta(at, e); err != nil {
		return place{}, nil, err
	}
	if e.kind == plumbing.OFSDeltaObject {
		return place{at.pack, e.base}, nil, nil
	}
	return r.refBase(at.pack, e.ref)
}

// pushDelta inflates a delta and appends it to the chain. Its result's size is
// bounded here, before anything is built.
func (r *Reader) pushDelta(at place, e entry) error {
	src, err := at.pack.open()
	if err != nil {
		return err
	}
	from := len(r.deltas)
	to := from + int(e.size)
	if err := r.limit(int64(to)); err != nil {
		return err
	}
	if to+inflate.Slack > cap(r.deltas) {
		grown := make([]byte, from, to+to/2+4096)
		copy(grown, r.deltas)
		r.deltas = grown
	}
	r.deltas = r.deltas[:to]
	if _, err := r.inflateEntry(src, e, r.deltas[from:to]); err != nil {
		return err
	}
	baseSize, size, ops, err := deltaSizes(r.deltas[from:to])
	if err == nil {
		err = r.limit(size)
	}
	r.chain = append(r.chain, link{place: at, from: to - len(ops), to: to, base: baseSize, size: size})
	return err
}

// refBase finds the base that a delta of p names by its id: in the same pack,
// in another one, or loose.
func (r *Reader) refBase(p *pack, id plumbing.Hash) (place, *base, error) {
	at, ok := p.find(id)
	if !ok {
		set, err := r.db.packs()
		if err != nil {
			return place{}, nil, err
		}
		if at, ok = set.find(id); !ok {
			b, err := r.looseBase(set, id)
			return place{}, b, err
		}
	}
	for _, l := range r.chain {
		if l.place == at {
			return place{}, nil, errCycle
		}
	}
	return at, nil, nil
}

// find returns a place of id in any pack.
func (set *packSet) find(id plumbing.Hash) (place, bool) {
	for _, p := range set.packs {
		if at, ok := p.find(id); ok {
			return at, true
		}
	}
	return place{}, false
}

func (r *Reader) looseBase(set *packSet, id plumbing.Hash) (*base, error) {
	for _, s := range set.stores {
		if kind, data, err := r.looseObject(s, id, true); err == nil {
			return &base{kind: kind, data: data}, nil
		}
	}
	return nil, errNoBase
}

// fits checks that each delta of the chain is for the size of what is below.
func (r *Reader) fits(size int64) error {
	for i := len(r.chain) - 1; i >= 0; i-- {
		if r.chain[i].base != size {
			return errBaseFit
		}
		size = r.chain[i].size
	}
	return nil
}

// build applies the deltas of the chain to b, the lowest first. What is below
// another goes to the cache, the result too unless it is to be kept by the
// caller.
func (r *Reader) build(b base, keep bool) ([]byte, error) {
	for i := len(r.chain) - 1; i >= 0; i-- {
		l := r.chain[i]
		direct := i == 0 && keep && b.kind != plumbing.TreeObject
		var result []byte
		if direct {
			result = make([]byte, l.size)
		} else {
			result = r.cache.buffers.get(int(l.size), 0)
		}
		err := applyDelta(result, b.data, r.deltas[l.from:l.to])
		r.keepBase(b)
		if err != nil || direct {
			return result, err
		}
		b = base{kind: b.kind, data: result, place: l.place, owned: true}
	}
	return own(r.keepResult(b), keep), nil
}

// keepBase gives a buffer of the chain to the cache, or back.
func (r *Reader) keepBase(b base) {
	if b.owned {
		r.keep(b, !r.scattered)
	}
}

func (r *Reader) keep(b base, cached bool) {
	if cached {
		r.cache.put(b.place, b.kind, b.data)
	} else {
		r.cache.buffers.free(b.data)
	}
}

// keepResult is keepBase for a result that must last until the next call: it
// may go back, or the cache may refuse it, but nothing asks for a buffer before
// that.
func (r *Reader) keepResult(b base) []byte {
	r.keep(b, !r.scattered || b.kind == plumbing.TreeObject)
	return b.data
}

// packedHeader returns type and size of the entry at a place.
func (r *Reader) packedHeader(at place) (kind plumbing.ObjectType, size int64, err error) {
	err = sandbox.GuardFault(func() error {
		kind, size, err = r.entryHeader(at)
		return err
	})
	runtime.KeepAlive(at.pack)
	return kind, size, err
}

func (r *Reader) entryHeader(at place) (plumbing.ObjectType, int64, error) {
	r.chain = r.chain[:0]
	e, src, err := r.header(at)
	if err != nil {
		return 0, 0, err
	}
	size, err := r.statedSize(src, e)
	for err == nil && e.kind.IsDelta() {
		if max := r.db.limits.DeltaDepth; len(r.chain) >= max {
			return 0, 0, &sandbox.LimitError{Limit: "DeltaDepth", Max: int64(max)}
		}
		r.chain = append(r.chain, link{place: at})
		next, loose := place{at.pack, e.base}, (*base)(nil)
		if e.kind == plumbing.REFDeltaObject {
			if next, loose, err = r.refBase(at.pack, e.ref); err != nil {
				break
			}
		}
		if loose != nil {
			return loose.kind, size, nil
		}
		at = next
		e, _, err = r.header(at)
	}
	return e.kind, size, err
}

// maxDeltaHeader is the most bytes that the two sizes at a delta's head take.
const maxDeltaHeader = 20

// statedSize returns the size of the object that an entry makes.
func (r *Reader) statedSize(src *mapped.File, e entry) (int64, error) {
	if !e.kind.IsDelta() {
		return e.size, nil
	}
	head, err := r.inflatePrefix(src, e, r.output(int(min(e.size, maxDeltaHeader))))
	if err != nil {
		return 0, err
	}
	_, size, _, err := deltaSizes(head)
	return size, err
}
