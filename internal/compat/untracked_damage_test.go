package compat

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// damaged is an index whose untracked cache is damaged in one place at a time.
type damaged struct {
	path       string
	time       time.Time
	head, tail []byte // of the index, around the extension's content
	body       []byte
	bitmaps    [2]int // where the bitmaps are in body
}

func newDamaged(t *testing.T, dir string) *damaged {
	d := &damaged{path: filepath.Join(dir, ".git", "index")}
	index, err := os.ReadFile(d.path)
	require.NoError(t, err)
	info, err := os.Stat(d.path)
	require.NoError(t, err)
	d.time = info.ModTime()
	start := bytes.LastIndex(index, []byte("UNTR")) + 8
	require.Greater(t, start, 8)
	end := start + int(binary.BigEndian.Uint32(index[start-4:]))
	d.head, d.body, d.tail = index[:start], index[start:end], index[end:]
	d.findBitmaps(t)
	return d
}

// findBitmaps finds the three bitmaps of the directories, one after the other:
// their number of bits, of words, the words of 8 bytes, and 4 bytes more.
func (d *damaged) findBitmaps(t *testing.T) {
	names := bytes.Index(d.body, []byte(".gitignore\x00")) + len(".gitignore\x00")
	first := bytes.Index(d.body[names:], []byte{0, 0, 0, d.body[names], 0, 0, 0})
	require.Positive(t, first)
	d.bitmaps[0] = names + first
	d.bitmaps[1] = d.bitmaps[0]
	for range 3 {
		d.bitmaps[1] += 12 + 8*int(binary.BigEndian.Uint32(d.body[d.bitmaps[1]+4:]))
	}
}

// damage is a shorter or longer extension, or one with another bit. The bitmaps
// stay whole: git reads them without bounds. No name becomes one that leads
// elsewhere: git follows it.
func (d *damaged) damage(rng *rand.Rand) ([]byte, string) {
	body := bytes.Clone(d.body)
	switch rng.IntN(4) {
	case 0:
		n := rng.IntN(len(body))
		return body[:n], fmt.Sprintf("%d bytes of %d", n, len(body))
	case 1:
		c := byte(rng.IntN(2))
		return append(body, c), fmt.Sprintf("one more byte, %d", c)
	}
	for {
		pos, bit := rng.IntN(len(body)-(d.bitmaps[1]-d.bitmaps[0])), rng.IntN(8)
		if pos >= d.bitmaps[0] {
			pos += d.bitmaps[1] - d.bitmaps[0]
		}
		if c := body[pos] ^ 1<<bit; c != '.' && c != '/' {
			body[pos] = c
			return body, fmt.Sprintf("byte %d, bit %d", pos, bit)
		}
	}
}

// write writes the n-th damaged index, with a time of its own.
func (d *damaged) write(t *testing.T, n int, body []byte) {
	index := bytes.Clone(d.head)
	binary.BigEndian.PutUint32(index[len(index)-4:], uint32(len(body)))
	index = append(append(index, body...), d.tail...)
	require.NoError(t, os.WriteFile(d.path, index, 0o666))
	require.NoError(t, os.Chtimes(d.path, d.time, d.time.Add(time.Duration(n)*time.Microsecond)))
}

// memories are two ways to fill memory that git asks for, the first with checks
// for writes beyond it (mallopt(3), M_CHECK_ACTION and M_PERTURB). The limit is
// for damaged counts, by which git allocates.
var memories = [][]string{
	{"GIT_ALLOC_LIMIT=64m", "MALLOC_PERTURB_=85", "MALLOC_CHECK_=3", "LD_PRELOAD=libc_malloc_debug.so.0"},
	{"GIT_ALLOC_LIMIT=64m", "MALLOC_PERTURB_=254"},
}

// defined says whether git's answer follows from what it reads. On some damages
// git frees pointers that it has never set, or writes beyond an array: it dies,
// or answers as chance has it, which shows when memory holds something else.
func defined(t *testing.T, dir string, q request) bool {
	plain := fixtures.Ask(t, dir, q.commandLine()...)
	for _, memory := range memories {
		c := fixtures.Command{Dir: dir, Env: append([]string{"GIT_OPTIONAL_LOCKS=0"}, memory...)}
		if a := c.Run(t, q.commandLine()...); a.Code < 0 || a.Code != plain.Code || !bytes.Equal(a.Out, plain.Out) {
			return false
		}
	}
	return plain.Code == 0
}

// TestUntrackedCacheDamaged compares extensions in which a bit is another one
// or the end is missing. INGIT_DAMAGES is how many (default 40).
func TestUntrackedCacheDamaged(t *testing.T) {
	fixtures.RequireGit(t)
	damages, err := strconv.Atoi(settingOr("INGIT_DAMAGES", "40"))
	require.NoError(t, err)
	seed := fixtures.Seed(t)
	c := newCached(t, seed)
	c.write("a/new", "hidden\n")
	c.write("n/m/new", "hidden\n")
	c.age(c.dir)
	d, s, compared := newDamaged(t, c.dir), open(t, c.dir), 0
	for n := range damages {
		body, what := d.damage(c.rng)
		d.write(t, n, body)
		for _, q := range untrackedRequests[:2] {
			if !defined(t, c.dir, q) {
				continue
			}
			compared++
			if !s.check(t, stateName(fmt.Sprintf("seed %d, damage %d: %s", seed, n, what)), q) {
				return
			}
		}
	}
	t.Logf("%d of %d answers compared", compared, 2*damages)
	require.Greater(t, compared, damages/2, "git answers most damages")
}
