package tools

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// sameLines follows lines as git log -L does.
func sameLines(t *testing.T, tool *Tool, dir string, ranges []string, params map[string]any, args ...string) {
	t.Helper()
	all := []string{"log", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso"}
	if params["limit"] == nil {
		params["limit"] = 1000
	} else {
		all = append(all, fmt.Sprint("-", params["limit"]))
	}
	for _, r := range ranges {
		all = append(all, "-L"+r)
	}
	params["line_range"] = ranges
	all = append(all, args...)
	want := fixtures.Ask(t, dir, all...)
	if strings.Contains(string(want.Err), "Assertion") || want.Code < 0 {
		return // git 2.39 dies of some histories, with or without a word
	}
	got := answerIn(t, tool, dir, "log", params)
	if got.Success != (want.Code == 0) || got.Success && string(got.Output) != string(want.Out) {
		for _, memory := range []string{"MALLOC_PERTURB_=85", "MALLOC_PERTURB_=170"} {
			again := fixtures.Command{Dir: dir, Env: []string{memory}}.Run(t, all...)
			if again.Code != want.Code || string(again.Out) != string(want.Out) {
				return // git shows what its memory happens to hold
			}
		}
	}
	if want.Code != 0 {
		require.False(t, got.Success, "git %q in %s fails: %s", all, dir, want.Err)
		require.Equal(t, strings.TrimSpace(string(want.Err)), got.Error, "git %q", all)
		return
	}
	require.True(t, got.Success, "git %q in %s: %s", all, dir, got.Error)
	require.Equal(t, string(want.Out), string(got.Output), "git %q in %s", all, dir)
}

const linesFixture = `
git init -q -b main repo
cd repo
mkdir d
cat >m.c <<'EOF'
#include <x.h>

int first(int a)
{
	return a;
}

static void second(void)
{
	first(1);
	first(2);
}

int third(int b)
{
	return b;
}
EOF
printf 'one\ntwo\nthree' >d/last
: >empty
echo '*.py diff=python' >.gitattributes
printf 'import x\n\nclass A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n' >p.py
commit first
sed -i 's/return a/return a + 1/' m.c; commit 'first changes'
printf 'one\ntwo\nthree\nfour' >d/last; commit 'last line'
git mv m.c n.c; sed -i 's/first(2)/first(3)/' n.c; commit 'renamed with a change'
git checkout -q -b side HEAD~1
sed -i 's/return b/return 2 * b/' m.c; commit 'on the side'
git checkout -q main
sed -i '1i // head' n.c; sed -i 's/return 1/return 11/' p.py; commit 'a line at the top'
git merge -q --no-edit side; tick
sed -i 's/2 \* b/3 * b/; s/a + 1/a + 2/' n.c; commit 'both functions'
printf 'ONE\ntwo\nthree\nfour\n' >d/last; commit 'with a newline'
git checkout -q -b other HEAD~2; sed -i 's/first(1)/first(9)/' n.c; commit 'other way'
git checkout -q main; sed -i 's/first(1)/first(8)/' n.c; commit 'this way'
git merge -q other >/dev/null 2>&1 || sed -i '/^[<=>]/d' n.c; commit 'by hand'
`

func TestLogFollowsLines(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, linesFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
	type p = map[string]any
	for _, ranges := range []string{
		"1,3:n.c", "5,5:n.c", ":first:n.c", ":second:n.c", ":third:n.c", "/third/,+3:n.c", "/^static/,/^}/:n.c", ":^static:n.c", "^:first:n.c", "5:n.c", ",4:n.c", "4,:n.c", ":n.c",
		"1,1:d/last", "3,4:d/last", "2,+1:d/last", "4,-2:d/last", ":one:p.py", ":two:p.py", ":class A:p.py", ":def:p.py", "1,2:.gitattributes",
		"1,2:empty", ",:empty", "99,100:n.c", "1,99:n.c", "1,2:gone", "1,2:d", "0,1:n.c", "1,2", "x:n.c", ":none:n.c", "/none/,+1:n.c", "1,+0:n.c", ":[:n.c", "/[/:n.c", "/a/,/b:n.c",
		"1,2:n.c 8,9:n.c", "3,5:n.c 4,8:n.c", ":first:n.c :first:n.c", "1,2:n.c /return/,+1:n.c", "1,3:n.c 1,2:d/last", "2,3:p.py 1,1:n.c :second:n.c", "/return/,+1:n.c /return/,+1:n.c /return/,+1:n.c",
	} {
		list := strings.Fields(ranges)
		if strings.Contains(ranges, "class") {
			list = []string{ranges}
		}
		sameLines(t, tool, top, list, p{})
		sameLines(t, tool, top, list, p{"no_patch": true, "limit": 3}, "-s")
	}
	for _, test := range []struct {
		params p
		args   []string
	}{
		{p{"limit": 2, "skip": 1}, []string{"--skip=1"}},
		{p{"rev": "side"}, []string{"side"}},
		{p{"rev": "side..main"}, []string{"side..main"}},
		{p{"rev": "HEAD~3"}, []string{"HEAD~3"}},
		{p{"first_parent": true}, []string{"--first-parent"}},
		{p{"merges": "none"}, []string{"--no-merges"}},
		{p{"merges": "only"}, []string{"--merges"}},
		{p{"order": "date"}, []string{"--date-order"}},
		{p{"order": "author-date"}, []string{"--author-date-order"}},
		{p{"grep": "change"}, []string{"--grep=change"}},
		{p{"patch": true}, []string{"-p"}},
		{p{"stat": true}, []string{"--stat"}},
		{p{"name_status": true}, []string{"--name-status"}},
		{p{"pickaxe": "return"}, []string{"-Sreturn"}},
		{p{"pickaxe": "nowhere"}, []string{"-Snowhere"}},
		{p{"pickaxe_regex": "first.*8"}, []string{"-Gfirst.*8"}},
		{p{"path": "n.c"}, []string{"--", "n.c"}},
	} {
		for _, ranges := range [][]string{{"1,12:n.c"}, {":third:n.c", "1,9:p.py"}} {
			if test.params["rev"] == "side" || test.params["rev"] == "HEAD~3" {
				ranges = []string{"1,2:d/last"}
			}
			sameLines(t, tool, top, ranges, test.params, test.args...)
		}
	}
	sameLines(t, tool, filepath.Join(top, "d"), []string{"1,2:last", "1,4:../n.c"}, p{})
	for _, renames := range []string{"false", "copies"} {
		fixtures.Git(t, top, "config", "diff.renames", renames)
		sameLines(t, newTool(t, top, sandbox.Policy{Validation: sandbox.Literal}), top, []string{":second:n.c"}, p{})
	}
}

// TestLogFollowsLinesThroughMadeUpHistory compares made-up histories, without a
// commit-graph and with one.
func TestLogFollowsLinesThroughMadeUpHistory(t *testing.T) {
	seed := fixtures.Seed(t)
	for round := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, round))
		dir := fixtures.EditedHistory(t, seed+round, 60)
		files := strings.Fields(string(fixtures.Git(t, dir, "ls-files")))
		if len(files) == 0 {
			continue
		}
		switch round {
		case 1:
			fixtures.Git(t, dir, "commit-graph", "write", "--reachable", "--changed-paths")
		case 2:
			fixtures.Git(t, dir, "config", "commitGraph.generationVersion", "1")
			fixtures.Git(t, dir, "commit-graph", "write", "--reachable")
		}
		tool := newTool(t, dir, sandbox.Policy{Validation: sandbox.Literal})
		for range 16 {
			var ranges []string
			for range 1 + r.IntN(3) {
				from := 1 + r.IntN(12)
				ranges = append(ranges, fmt.Sprintf("%d,%d:%s", from, from+r.IntN(10), files[r.IntN(len(files))]))
			}
			params, args := map[string]any{}, []string{}
			pick := func(n int, name string, value any, arg ...string) {
				if r.IntN(n) == 0 {
					params[name], args = value, append(args, arg...)
				}
			}
			pick(4, "no_patch", true, "-s")
			pick(5, "first_parent", true, "--first-parent")
			pick(5, "order", "date", "--date-order")
			pick(6, "pickaxe", "1", "-S1")
			pick(6, "pickaxe_regex", "[02]$", "-G[02]$")
			pick(6, "limit", 1+r.IntN(5))
			pick(6, "merges", "none", "--no-merges")
			pick(6, "since", "@1700001200 +0000", "--since=@1700001200 +0000")
			pick(6, "until", "@1700001200 +0000", "--until=@1700001200 +0000")
			rev := fmt.Sprintf("c%d..main", 20+r.IntN(20))
			pick(5, "rev", rev, rev)
			t.Logf("seed %d round %d: %q %q in %s", seed, round, ranges, args, dir)
			sameLines(t, tool, dir, ranges, params, append(args, "--")...)
		}
	}
}
