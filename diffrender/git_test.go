package diffrender_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

func open(t testing.TB, dir string) *reader.Repository {
	t.Helper()
	r, err := tryOpen(t, dir)
	require.NoError(t, err)
	return r
}

func tryOpen(t testing.TB, dir string) (*reader.Repository, error) {
	t.Helper()
	ws, err := sandbox.Open(dir, sandbox.Policy{})
	require.NoError(t, err)
	at, err := ws.Resolve("")
	require.NoError(t, err)
	r, err := reader.Open(t.Context(), at, reader.Options{})
	if err == nil {
		t.Cleanup(func() { r.Close() })
	}
	return r, err
}

// comparison is a pair of sides and git's arguments for it.
type comparison struct {
	args     []string
	what     diffrender.Comparison
	old, new reader.Side
}

func comparisons(t testing.TB, r *reader.Repository) []comparison {
	list := []comparison{{nil, diffrender.IndexToWorkTree, reader.IndexSide, reader.WorkTreeSide}}
	head, err := r.Head()
	require.NoError(t, err)
	if head.Unborn {
		return append(list, comparison{[]string{"--cached"}, diffrender.TreeToIndex, reader.Empty, reader.IndexSide})
	}
	tree := reader.Tree(treeOf(t, r, head.ID))
	return append(list, comparison{[]string{"--cached"}, diffrender.TreeToIndex, tree, reader.IndexSide},
		comparison{[]string{"HEAD"}, diffrender.TreeToWorkTree, tree, reader.WorkTreeSide})
}

func treeOf(t testing.TB, r *reader.Repository, commit diffrender.Hash) diffrender.Hash {
	_, data, err := r.Objects().Read(commit)
	require.NoError(t, err)
	tree, _, err := object.CommitTree(commit, data)
	require.NoError(t, err)
	return tree
}

// render writes c in one of the formats, an argument of git diff.
func render(t testing.TB, w io.Writer, r *reader.Repository, c comparison, format string, opts diffrender.Options, changes reader.ChangeOptions) error {
	return diffrender.Write(t.Context(), w, r, diffrender.Request{
		Old: c.old, New: c.new, Changes: changes, Formats: formats[format], Options: opts,
	})
}

var formats = map[string]diffrender.Formats{
	"-p": {Patch: true}, "--stat": {Stat: true}, "--numstat": {NumStat: true}, "--shortstat": {ShortStat: true},
	"--summary": {Summary: true}, "--name-status": {NameStatus: true}, "--name-only": {NameOnly: true},
	"--patch-with-stat": {Patch: true, Stat: true},
}

func TestRandomStates(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	for i := range uint64(stateCount()) {
		dir := fixtures.RandomState(t, seed+i)
		compareAll(t, dir, fmt.Sprintf("state %d", seed+i))
	}
}

// compareAll holds every comparison in every format against git.
func compareAll(t *testing.T, dir, what string) {
	t.Helper()
	r := open(t, dir)
	for _, c := range comparisons(t, r) {
		opts, err := diffrender.OptionsFromConfig(r, c.what)
		require.NoError(t, err)
		for format := range formats {
			args := append([]string{"diff", format}, c.args...)
			want := string(fixtures.Git(t, dir, args...))
			var got bytes.Buffer
			err := render(t, &got, r, c, format, opts, reader.ChangeOptions{Renames: true})
			require.NoError(t, err, "%s: git %s", what, strings.Join(args, " "))
			require.Equal(t, want, got.String(), "%s: git %s", what, strings.Join(args, " "))
		}
	}
}

// stateCount is the number of random states; DIFFRENDER_STATES sets another.
func stateCount() int {
	n := 12
	fmt.Sscan(os.Getenv("DIFFRENDER_STATES"), &n)
	return n
}
