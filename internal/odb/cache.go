package odb

import (
	"math/bits"

	"github.com/go-git/go-git/v5/plumbing"
)

// Budgets of the base cache. A small one is fast: walks read trees nearly in
// the order of their chains, so 4 MiB hits as often as 96 and stays in the
// processor's cache.
const (
	defaultBlobBudget = 16 << 20
	treeShare         = 4 // trees and commits get a quarter of it
)

// baseCache keeps contents of pack entries: trees and commits in one list,
// blobs in another, each with its own budget and the least recently used one
// leaving first. It owns its buffers and recycles them. Not for use by two
// goroutines at once.
type baseCache struct {
	at      map[place]*cached
	lists   [2]cacheList
	buffers buffers
}

// cacheList is a ring of entries, most recent first after the root.
type cacheList struct {
	root         cached
	used, budget int
}

type cached struct {
	place      place
	kind       plumbing.ObjectType
	data       []byte
	list       *cacheList
	prev, next *cached
}

func (c *baseCache) init(budget int64) {
	if budget <= 0 {
		budget = defaultBlobBudget
	}
	c.at = make(map[place]*cached)
	c.lists[0].budget, c.lists[1].budget = int(budget/treeShare), int(budget)
	for i := range c.lists {
		root := &c.lists[i].root
		root.prev, root.next = root, root
	}
}

// get returns the content of the entry at p; nil when it isn't kept.
func (c *baseCache) get(p place) *cached {
	e := c.at[p]
	if e != nil && e.list.root.next != e {
		e.unlink()
		e.list.push(e)
	}
	return e
}

// put keeps data, a buffer of c.buffers, as the content of the entry at p.
// The buffer of an entry that has to leave may be handed out again by the
// next request.
func (c *baseCache) put(p place, kind plumbing.ObjectType, data []byte) {
	list := &c.lists[0]
	if kind == plumbing.BlobObject {
		list = &c.lists[1]
	}
	if cap(data) > list.budget/2 || c.at[p] != nil {
		c.buffers.free(data)
		return
	}
	for list.used+cap(data) > list.budget {
		old := list.root.prev
		old.unlink()
		list.used -= cap(old.data)
		delete(c.at, old.place)
		c.buffers.free(old.data)
	}
	e := &cached{place: p, kind: kind, data: data, list: list}
	c.at[p] = e
	list.used += cap(data)
	list.push(e)
}

func (l *cacheList) push(e *cached) {
	e.prev, e.next = &l.root, l.root.next
	e.prev.next, e.next.prev = e, e
}

func (e *cached) unlink() { e.prev.next, e.next.prev = e.next, e.prev }

// buffers hands out byte slices and takes them back, by size class: four
// classes to a doubling.
type buffers struct {
	classes [4 * 26][][]byte
	held    int
}

const (
	smallestBuffer = 64
	nearClasses    = 4 // a buffer is at most twice as large as what it is used for
	maxHeldBuffers = 8 << 20
	maxClassed     = 8 << 20
)

// class returns the class for n bytes and its buffers' size.
func class(n int) (index, size int) {
	n = max(n, smallestBuffer)
	shift := max(bits.Len(uint(n-1))-3, 0)
	quarter := (n-1)>>shift + 1 // 5..8: the size in quarters of the power below
	return 4*(shift-3) + quarter - 5, quarter << shift
}

// get returns a buffer of n bytes, whose content is anything, with at least
// slack more behind it.
func (b *buffers) get(n, slack int) []byte {
	if n+slack > maxClassed {
		return make([]byte, n, n+slack)
	}
	i, size := class(n + slack)
	// Contents that shrink a little from one to the next must find the buffers
	// of those before them.
	for j := i; j < min(i+nearClasses, len(b.classes)); j++ {
		if free := b.classes[j]; len(free) > 0 {
			buf := free[len(free)-1]
			b.classes[j] = free[:len(free)-1]
			b.held -= cap(buf)
			return buf[:n]
		}
	}
	return make([]byte, n, size)
}

// free takes a buffer back.
func (b *buffers) free(buf []byte) {
	size := cap(buf)
	if size < smallestBuffer || size > maxClassed {
		return
	}
	if b.held+size > maxHeldBuffers {
		*b = buffers{} // sizes that are asked for no more must not keep out those that are
	}
	i, want := class(size)
	if want == size {
		b.classes[i] = append(b.classes[i], buf)
		b.held += size
	}
}
