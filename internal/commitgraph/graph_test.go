package commitgraph_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/sandbox"
)

// openGraph opens the graph of a work tree's repository.
func openGraph(t testing.TB, top string, noMap bool) *commitgraph.Graph {
	ws, err := sandbox.Open(top, sandbox.Policy{})
	require.NoError(t, err)
	dir, err := ws.Resolve("")
	require.NoError(t, err)
	objects, err := dir.OpenDir(".git/objects")
	require.NoError(t, err)
	t.Cleanup(func() { objects.Close(); dir.Close() })
	return commitgraph.Open([]*sandbox.Dir{objects}, noMap)
}

const script = `
git init -q -b main .
for i in 1 2 3 4 5 6 7 8; do
	mkdir -p d/e; echo $i >f$((i % 3)); echo $i >d/e/g$((i % 4)); commit "c$i"
done
printf x >"$(printf 'caf\303\251')"; commit utf8
for b in one two three; do git checkout -q -b $b main~2; echo $b >$b; commit $b; done
git checkout -q main; git merge -q -m octopus one two three
git checkout -q --orphan other; git rm -rqf .; echo r >r; commit root
git checkout -q main; git merge -q --allow-unrelated-histories -m join other
i=0; while [ $i -lt 520 ]; do echo $i >many$i; i=$((i + 1)); done; commit many
git commit -q --allow-empty -m empty
`

// checkCommits compares every commit of the repository with the graph.
func checkCommits(t *testing.T, top string, g *commitgraph.Graph) {
	lines := strings.Split(strings.TrimSpace(string(fixtures.Git(t, top, "log", "--all", "--format=%H %T %ct %P"))), "\n")
	assert.Equal(t, len(lines), g.Len())
	for _, line := range lines {
		f := strings.Fields(line)
		pos, ok := g.Find(plumbing.NewHash(f[0]))
		require.True(t, ok)
		id, err := g.ID(pos)
		require.NoError(t, err)
		require.Equal(t, f[0], id.String())
		c, err := g.Commit(pos, nil)
		require.NoError(t, err)
		require.Equal(t, f[1], c.Tree.String())
		require.Equal(t, f[2], strconv.FormatInt(c.Date, 10))
		require.Len(t, c.Parents, len(f)-3)
		for i, p := range c.Parents {
			id, err := g.ID(p)
			require.NoError(t, err)
			require.Equal(t, f[3+i], id.String())
			parent, err := g.Commit(p, nil)
			require.NoError(t, err)
			require.Greater(t, c.Generation, parent.Generation)
		}
		if g.Dated() {
			require.GreaterOrEqual(t, c.Generation, uint64(c.Date))
		}
	}
	_, ok := g.Find(plumbing.NewHash("1234567890123456789012345678901234567890"))
	assert.False(t, ok)
	_, err := g.Commit(uint32(g.Len()), nil)
	assert.ErrorIs(t, err, commitgraph.ErrCorrupt)
}

// checkFilters asks for every path in every commit: "no" must be true, and
// mostly said where it is.
func checkFilters(t *testing.T, top string, g *commitgraph.Graph) {
	paths := strings.Split(strings.TrimSpace(string(fixtures.Git(t, top, "-c", "core.quotePath=false", "ls-tree", "-rt", "--name-only", "HEAD"))), "\n")
	keys := map[string]commitgraph.Key{}
	for _, p := range paths {
		keys[p] = commitgraph.NewKey(p)
	}
	said, wrong := 0, 0
	for _, id := range strings.Fields(string(fixtures.Git(t, top, "rev-list", "--all"))) {
		changed := map[string]bool{}
		args := []string{"-c", "core.quotePath=false", "diff-tree", "-r", "--root", "-t", "--name-only", "--no-commit-id", "--diff-merges=first-parent", id}
		for _, p := range strings.Split(string(fixtures.Git(t, top, args...)), "\n") {
			changed[p] = true
		}
		pos, ok := g.Find(plumbing.NewHash(id))
		require.True(t, ok)
		for p, key := range keys {
			switch g.Changed(pos, key) {
			case commitgraph.No:
				said++
				require.False(t, changed[p], "%s in %s", p, id)
			case commitgraph.Maybe:
				if !changed[p] {
					wrong++
				}
			case commitgraph.Unknown:
				require.Fail(t, "no filter", id)
			}
		}
	}
	assert.Positive(t, said)
	t.Logf("%d times no, %d maybe without a change", said, wrong)
	assert.Less(t, wrong, said/3+700) // the commit with too many paths says maybe to all
}

func TestGraph(t *testing.T) {
	for name, args := range map[string][]string{
		"plain": {"commit-graph", "write", "--reachable"},
		"paths": {"commit-graph", "write", "--reachable", "--changed-paths"},
		"v1":    {"-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--reachable"},
	} {
		t.Run(name, func(t *testing.T) {
			top := fixtures.Build(t, script)
			fixtures.Git(t, top, args...)
			for _, noMap := range []bool{false, true} {
				g := openGraph(t, top, noMap)
				require.NotNil(t, g)
				assert.Equal(t, name != "v1", g.Dated())
				checkCommits(t, top, g)
				require.Equal(t, name == "paths", g.HasFilters())
				if g.HasFilters() {
					checkFilters(t, top, g)
				}
			}
		})
	}
}

func TestChain(t *testing.T) {
	top := fixtures.Build(t, script)
	revs := strings.Fields(string(fixtures.Git(t, top, "rev-list", "--reverse", "HEAD")))
	for _, n := range []int{5, 10, len(revs)} {
		fixtures.Command{Dir: top, Input: []byte(revs[n-1] + "\n")}.Must(t,
			"commit-graph", "write", "--stdin-commits", "--split=no-merge", "--changed-paths")
	}
	chain := filepath.Join(top, ".git/objects/info/commit-graphs/commit-graph-chain")
	text, err := os.ReadFile(chain)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(text), "\n"))
	g := openGraph(t, top, false)
	require.NotNil(t, g)
	checkCommits(t, top, g)
	checkFilters(t, top, g)

	// Of a chain whose upper layer is missing the lower ones remain.
	lines := strings.SplitAfter(string(text), "\n")
	require.NoError(t, os.WriteFile(chain, []byte(lines[0]+strings.Repeat("1", 40)+"\n"), 0o644))
	lower := openGraph(t, top, false)
	require.NotNil(t, lower)
	assert.Less(t, lower.Len(), g.Len())
	require.NoError(t, os.WriteFile(chain, []byte(lines[1]+lines[0]), 0o644))
	assert.Less(t, openGraph(t, top, false).Len(), g.Len(), "a layer on a base that is not below it")
	require.NoError(t, os.WriteFile(chain, []byte("../../x\n"), 0o644))
	assert.Nil(t, openGraph(t, top, false))
}

// TestOverflow: commits dated far before their parents, whose corrected dates
// do not fit 31 bits.
func TestOverflow(t *testing.T) {
	var in strings.Builder
	for i, date := range []int64{8_000_000_000, 1, 2, 3_000_000_000, 0} {
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter C <c@x> %d +0000\ndata 1\nm\n", i+1, date)
		if i > 0 {
			fmt.Fprintf(&in, "from :%d\n", i)
		}
	}
	top := fixtures.Init(t)
	fixtures.Command{Dir: top, Input: []byte(in.String())}.Must(t, "fast-import", "--quiet")
	fixtures.Git(t, top, "commit-graph", "write", "--reachable")
	g := openGraph(t, top, false)
	require.NotNil(t, g)
	checkCommits(t, top, g)
}

// TestDamage changes and cuts a graph at every place: it is ignored, or its
// answers stay within bounds.
func TestDamage(t *testing.T) {
	top := fixtures.Build(t, script)
	fixtures.Git(t, top, "commit-graph", "write", "--reachable", "--changed-paths")
	name := filepath.Join(top, ".git/objects/info/commit-graph")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(name, 0o644))
	key := commitgraph.NewKey("d/e/g1")
	try := func(data []byte) {
		require.NoError(t, os.WriteFile(name, data, 0o644))
		g := openGraph(t, top, false)
		if g == nil {
			return
		}
		for pos := range uint32(g.Len()) {
			c, _ := g.Commit(pos, nil)
			for _, p := range c.Parents {
				require.Less(t, int(p), g.Len())
			}
			g.Changed(pos, key)
		}
	}
	for i := 0; i < len(data); i += 1 + i/40 {
		for _, b := range []byte{0xff, 0x7f, 0} {
			bad := append([]byte{}, data...)
			bad[i] = b
			try(bad)
		}
		try(data[:i])
	}
	require.NoError(t, os.WriteFile(name, data, 0o644))
	g := openGraph(t, top, false)
	require.NoError(t, os.Truncate(name, 50))
	_, ok := g.Find(plumbing.ZeroHash)
	assert.False(t, ok)
	for pos := range uint32(g.Len()) {
		_, _ = g.Commit(pos, nil)
		g.Changed(pos, key)
	}
}
