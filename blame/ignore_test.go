package blame_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

// ignoring makes a repository ignore the revisions of a file, and show it.
func ignoring(t testing.TB, dir, file string) {
	t.Helper()
	fixtures.Write(t, dir, ".git/ignored", file)
	fixtures.Git(t, dir, "config", "blame.ignoreRevsFile", ".git/ignored")
	fixtures.Git(t, dir, "config", "blame.markIgnoredLines", "true")
	fixtures.Git(t, dir, "config", "blame.markUnblamableLines", "true")
}

func TestIgnoredRevisions(t *testing.T) {
	t.Parallel()
	dir := script(t, `
printf 'int f(int a)\n{\n  return a+1;\n}\n\nint g(void)\n{\n  return f( 3 );\n}\n' >f; ci one
sed -i 's/  return/\treturn/;s/a+1/a + 1/;s/( 3 )/(3)/' f; ci format
sed -i '5i /* about g */\n/* and f */' f; ci add
sed -i 's/int/long/;1,3s/{/{ \/\/ open/' f; sed -i 4d f; ci long
tac f >t; mv t f; ci turn
git tag -a -m x annotated HEAD~1; git tag tree HEAD^{tree}`)
	all := revs(t, dir)
	for mask := range 1 << len(all) {
		var list []string
		for i, id := range all {
			if mask>>i&1 == 1 {
				list = append(list, id)
			}
		}
		ignoring(t, dir, strings.Join(list, "\n")+"\n")
		both(t, dir, question{rev: "HEAD", path: "f"})
	}
	id := strings.TrimSpace(string(fixtures.Git(t, dir, "rev-parse", "annotated")))
	tree := strings.TrimSpace(string(fixtures.Git(t, dir, "rev-parse", "tree")))
	for _, file := range []string{"# nothing\n\n", "  " + id + "  # why\n", tree + "\n", strings.Repeat("1", 40), "nonsense\n", id[:12] + "\n", id + " x\n", ""} {
		ignoring(t, dir, file)
		both(t, dir, question{rev: "HEAD", path: "f"})
		both(t, dir, question{path: "f"})
	}
	fixtures.Git(t, dir, "config", "blame.blankBoundary", "true")
	ignoring(t, dir, strings.Join(all, "\n"))
	both(t, dir, question{rev: "HEAD", path: "f"})
	fixtures.Git(t, dir, "config", "blame.ignoreRevsFile", "nowhere")
	both(t, dir, question{rev: "HEAD", path: "f"})
	fixtures.Git(t, dir, "config", "blame.ignoreRevsFile", "")
	both(t, dir, question{rev: "HEAD", path: "f"})
}

func TestIgnoredAtRandom(t *testing.T) {
	t.Parallel()
	for _, seed := range seeds(t) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			dir := fixtures.EditedHistory(t, seed, 40)
			rng := rand.New(rand.NewPCG(seed, 2))
			var list []string
			for _, id := range revs(t, dir) {
				if rng.IntN(2) == 0 {
					list = append(list, id)
				}
			}
			ignoring(t, dir, strings.Join(list, "\n"))
			everywhere(t, dir, "c39", "HEAD")
			everywhere(t, dir, "c30", "c38")
		})
	}
}
