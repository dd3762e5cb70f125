package blame_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ingit-dev/ingit/blame"
	"github.com/ingit-dev/ingit/fixtures"
)

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
			dir := fixtures.EditedHistory(t, seed, 60)
			everywhere(t, dir, "HEAD", "c30", "c45", "c59")
			r := open(t, dir)
			for _, name := range strings.Fields(string(fixtures.Git(t, dir, "ls-files"))) {
				check(t, dir, r, question{rev: "HEAD", path: name, space: true})
				check(t, dir, r, question{rev: "HEAD", path: name, lines: []string{"3,9", "6,+10"}, text: true})
				check(t, dir, r, question{rev: "c20..HEAD", path: name})
				for copies := range blame.AllFiles + 1 {
					check(t, dir, r, question{rev: "HEAD", path: name, copies: copies})
				}
				check(t, dir, r, question{path: name, copies: blame.FromCreation, space: true, text: true})
			}
			for _, name := range strings.Fields(string(fixtures.Git(t, dir, "ls-tree", "-r", "--name-only", "c20"))) {
				check(t, dir, r, question{rev: "c20..HEAD", path: name, reverse: true})
				check(t, dir, r, question{rev: "c20..c50", path: name, reverse: true, text: true, copies: blame.ChangedFiles})
			}
		})
	}
}
