package tools

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// tangled makes a history of n commits c0, c1, … (tags) with merges, criss-cross
// and skewed dates, some changed files, and the branches main and side.
func tangled(t *testing.T, seed uint64, n int) (top string, names []string) {
	t.Helper()
	fixtures.RequireGit(t)
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("git init -q -b main .\n")
	for i := range n {
		parents := ""
		for range min(i, []int{1, 1, 1, 2, 2, 3}[r.IntN(6)]) {
			parents += fmt.Sprintf(" -p c%d", max(0, i-1-r.IntN(5)))
		}
		fmt.Fprintf(&b, "echo %d > f%d; git add .; at %d; git tag c%d $(git commit-tree -m 'c%d subject'%s $(git write-tree))\n",
			r.IntN(3), r.IntN(3), 1600000000+i*10-r.IntN(3)*r.IntN(60), i, i, parents)
		names = append(names, fmt.Sprintf("c%d", i))
	}
	fmt.Fprintf(&b, "git update-ref refs/heads/main c%d; git update-ref refs/heads/side c%d; git reset -q --hard\n", n-1, n-3)
	return fixtures.Build(t, b.String()), names
}

// same asks and compares the answer with git's.
func same(t *testing.T, tool *Tool, top, operation string, params map[string]any, args ...string) {
	t.Helper()
	want := fixtures.Ask(t, top, args...)
	got := answerIn(t, tool, top, operation, params)
	if want.Code != 0 && len(want.Err) > 0 {
		assert.False(t, got.Success, "git %q fails: %s", args, want.Err)
		return
	}
	if assert.True(t, got.Success, "git %q: %s", args, got.Error) {
		assert.Equal(t, string(want.Out), string(got.Output), "git %q", args)
	}
}

func TestMergeBaseAndRevList(t *testing.T) {
	seed := fixtures.Seed(t)
	type p = map[string]any
	for round := range uint64(2) {
		top, names := tangled(t, seed+round, 24)
		tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
		r := rand.New(rand.NewPCG(seed, round))
		for range 8 {
			one, two, three := names[r.IntN(24)], names[r.IntN(24)], names[r.IntN(24)]
			same(t, tool, top, "merge_base", p{"revs": []string{one, two}}, "merge-base", one, two)
			same(t, tool, top, "merge_base", p{"revs": []string{one, two, three}, "all": true}, "merge-base", "--all", one, two, three)
			same(t, tool, top, "merge_base", p{"revs": []string{one, two, three}, "octopus": true, "all": true}, "merge-base", "--all", "--octopus", one, two, three)
			same(t, tool, top, "merge_base", p{"revs": []string{one, two, three, one}, "independent": true}, "merge-base", "--independent", one, two, three, one)
			is := fixtures.Ask(t, top, "merge-base", "--is-ancestor", one, two).Code == 0
			got := answerIn(t, tool, top, "merge_base", p{"revs": []string{one, two}, "is_ancestor": true})
			require.Equal(t, fmt.Sprintln(is), string(got.Output), "%s %s", one, two)
			for _, revs := range [][]string{{one}, {one + ".." + two}, {one + "..." + two}, {one + "..." + two, three}, {one, "^" + two, three}, {"^" + one}, {one + "^!"}} {
				args := append(revs, "--")
				same(t, tool, top, "rev_list", p{"rev": revs}, append([]string{"rev-list"}, args...)...)
				same(t, tool, top, "rev_list", p{"rev": revs, "count": true, "left_right": true}, append([]string{"rev-list", "--count", "--left-right"}, args...)...)
				same(t, tool, top, "rev_list", p{"rev": revs, "left_right": true, "order": "topo"}, append([]string{"rev-list", "--topo-order", "--left-right"}, args...)...)
				same(t, tool, top, "rev_list", p{"rev": revs, "files": "f1", "count": true}, append(append([]string{"rev-list", "--count"}, args...), "f1")...)
				same(t, tool, top, "rev_list", p{"rev": revs, "first_parent": true, "limit": 3, "skip": 1, "merges": "none"}, append([]string{"rev-list", "-3", "--skip=1", "--no-merges", "--first-parent"}, args...)...)
			}
		}
		same(t, tool, top, "rev_list", p{"all": true, "count": true}, "rev-list", "--all", "--count")
		same(t, tool, top, "rev_list", p{"reverse": true, "grep": "1 subject"}, "rev-list", "--reverse", "--grep=1 subject", "HEAD")
	}
}

func TestMergeBaseOddities(t *testing.T) {
	top := fixtures.Build(t, `
git init -q -b main .
echo 1 > f; commit one; echo 2 > f; commit two; git checkout -q -b topic; echo 3 > f; commit three
git checkout -q main; git reset -q --hard HEAD~1; echo 4 > f; commit four
git checkout -q --orphan other; commit alone; git tag tree HEAD^{tree}; git tag -a -m x noted main; git checkout -q topic
`)
	tool := newTool(t, top, sandbox.Policy{})
	type p = map[string]any
	for _, revs := range [][]string{{"main"}, {"main", "topic"}, {"main", "HEAD~1"}, {"topic", "other"}, {"nothing"}, {"main", "nothing"}, {"main", "other"}} {
		same(t, tool, top, "merge_base", p{"revs": revs, "fork_point": true}, append([]string{"merge-base", "--fork-point"}, revs...)...)
	}
	for _, revs := range [][]string{{"main", "other"}, {"main", "tree"}, {"main", "nothing"}, {"noted", "topic"}, {"main"}, {"topic", "main", "other"}} {
		same(t, tool, top, "merge_base", p{"revs": revs}, append([]string{"merge-base"}, revs...)...)
		same(t, tool, top, "merge_base", p{"revs": revs, "octopus": true}, append([]string{"merge-base", "--octopus"}, revs...)...)
		same(t, tool, top, "merge_base", p{"revs": revs, "independent": true}, append([]string{"merge-base", "--independent"}, revs...)...)
	}
	assert.False(t, answerIn(t, tool, top, "merge_base", p{"revs": []string{"main", "topic"}, "octopus": true, "fork_point": true}).Success)
	assert.False(t, answerIn(t, tool, top, "merge_base", p{"revs": []string{"main", "--all"}}).Success)
}
