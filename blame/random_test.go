package blame_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

// world makes up a history: lines come from a small vocabulary, so that there
// are many equal ones; files are edited, renamed, copied and removed; merges
// take lines from both sides; dates stand still or run back.
type world struct {
	*rand.Rand
	stream  bytes.Buffer
	commits []map[string][]string // files of each, by mark - 1
	clock   int
}

// random builds a history of some commits in a new repository.
func random(t testing.TB, seed uint64, commits int) string {
	t.Helper()
	w := &world{Rand: rand.New(rand.NewPCG(seed, 1)), clock: 1700000000}
	for range commits {
		w.step()
	}
	dir := fixtures.Init(t)
	fmt.Fprintf(&w.stream, "reset refs/heads/main\nfrom :%d\n\n", len(w.commits))
	fixtures.Command{Dir: dir, Input: w.stream.Bytes()}.Must(t, "fast-import", "--quiet", "--force")
	fixtures.Git(t, dir, "reset", "-q", "--hard")
	return dir
}

func (w *world) line() string {
	switch w.IntN(4) {
	case 0:
		return []string{"", "}", "{", "\treturn", "  x", " x"}[w.IntN(6)]
	case 1:
		return fmt.Sprintf("line %d", w.IntN(40))
	}
	return fmt.Sprintf("unique %d", w.IntN(1<<30))
}

func (w *world) step() {
	parents := w.parents()
	files := map[string][]string{}
	for i, p := range parents {
		for name, lines := range w.commits[p] {
			if have, ok := files[name]; ok && i > 0 {
				lines = w.mix(have, lines)
			}
			files[name] = lines
		}
	}
	for range 1 + w.IntN(2) {
		w.change(files)
	}
	w.commits = append(w.commits, files)
	w.write(parents, files)
}

// parents are mostly recent commits, the last one first.
func (w *world) parents() []int {
	n := len(w.commits)
	if n == 0 || w.IntN(40) == 0 {
		return nil
	}
	recent := func() int { return n - 1 - min(n-1, w.IntN(6)) }
	parents := []int{recent()}
	for w.IntN(3) == 0 && len(parents) < 4 {
		p := recent()
		fresh := true
		for _, have := range parents {
			fresh = fresh && have != p
		}
		if fresh {
			parents = append(parents, p)
		}
	}
	return parents
}

// mix takes lines from two files in turn.
func (w *world) mix(one, two []string) []string {
	switch w.IntN(4) {
	case 0:
		return one
	case 1:
		return two
	}
	var mixed []string
	for i := 0; i < len(one) || i < len(two); {
		n := 1 + w.IntN(8)
		from := one
		if w.IntN(2) == 0 {
			from = two
		}
		mixed = append(mixed, from[min(i, len(from)):min(i+n, len(from))]...)
		i += n
	}
	return mixed
}

var names = []string{"f", "g", "dir/f", "dir/sub/h", "x"}

func (w *world) change(files map[string][]string) {
	name := names[w.IntN(len(names))]
	lines, ok := files[name]
	switch other := names[w.IntN(len(names))]; {
	case !ok:
		for range w.IntN(40) {
			lines = append(lines, w.line())
		}
		files[name] = lines
	case w.IntN(8) == 0 && other != name:
		files[other] = w.edit(lines)
		delete(files, name)
	case w.IntN(12) == 0:
		files[other] = w.edit(lines)
	case w.IntN(20) == 0:
		delete(files, name)
	default:
		files[name] = w.edit(lines)
	}
}

func (w *world) edit(lines []string) []string {
	lines = append([]string{}, lines...)
	for range 1 + w.IntN(3) {
		at := w.IntN(len(lines) + 1)
		switch end := min(len(lines), at+w.IntN(4)); w.IntN(4) {
		case 0:
			lines = append(lines[:at:at], lines[end:]...)
		case 1:
			lines = append(append(append([]string{}, lines[end:]...), lines[at:end]...), lines[:at]...)
		case 2:
			for i := at; i < end; i++ {
				lines[i] = strings.ReplaceAll(lines[i], " ", "  ")
			}
		default:
			lines = append(lines[:at:at], append([]string{w.line()}, lines[at:]...)...)
		}
	}
	return lines
}

func (w *world) write(parents []int, files map[string][]string) {
	w.clock += []int{60, 60, 60, 0, 0, -500}[w.IntN(6)]
	mark := len(w.commits)
	fmt.Fprintf(&w.stream, "commit refs/heads/c%d\nmark :%d\n", mark, mark)
	for _, role := range []string{"author", "committer"} {
		fmt.Fprintf(&w.stream, "%s P%d <p@x> %d +0000\n", role, w.IntN(5), w.clock)
	}
	fmt.Fprintf(&w.stream, "data <<EOT\ncommit %d\nEOT\n", mark)
	for i, p := range parents {
		fmt.Fprintf(&w.stream, "%s :%d\n", []string{"from", "merge"}[min(i, 1)], p+1)
	}
	fmt.Fprintf(&w.stream, "deleteall\n")
	for _, name := range names {
		if lines, ok := files[name]; ok {
			text := strings.Join(lines, "\n")
			if len(lines)%3 > 0 {
				text += "\n"
			}
			fmt.Fprintf(&w.stream, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
		}
	}
}

// seeds are a few fixed ones and a new one. INGIT_BLAME_SEEDS=FROM-TO are others.
func seeds(t *testing.T) []uint64 {
	from, to, ok := strings.Cut(os.Getenv("INGIT_BLAME_SEEDS"), "-")
	if !ok {
		return []uint64{1, 2, fixtures.Seed(t)}
	}
	var list []uint64
	first, _ := strconv.ParseUint(from, 10, 64)
	last, _ := strconv.ParseUint(to, 10, 64)
	for seed := first; seed <= last; seed++ {
		list = append(list, seed)
	}
	return list
}

// TestRandom compares made-up histories.
func TestRandom(t *testing.T) {
	t.Parallel()
	for _, seed := range seeds(t) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			dir := random(t, seed, 60)
			everywhere(t, dir, "HEAD", "c30", "c45", "c59")
			r := open(t, dir)
			for _, name := range strings.Fields(string(fixtures.Git(t, dir, "ls-files"))) {
				check(t, dir, r, question{rev: "HEAD", path: name, space: true})
				check(t, dir, r, question{rev: "HEAD", path: name, lines: []string{"3,9", "6,+10"}, text: true})
				check(t, dir, r, question{rev: "c20..HEAD", path: name})
			}
		})
	}
}
