package tools

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const revisionsFixture = `
git init -q -b main repo
cd repo
git config core.abbrev 4
for i in 1 2 3 4 5; do echo $i > f; mkdir -p d/e; echo $i > d/e/g; commit "c$i subject"; done
git checkout -q -b topic HEAD~2; echo t > t; commit "topic one

with a body"; git tag light; git tag -a -m annotated v1.0; git tag -a -m nested vv v1.0; git tag blob HEAD:f; git tag -a -m tree ofatree HEAD^{tree}
echo t2 > t; commit "!odd topic"
git checkout -q main; tick; git merge -q --no-ff -m "merge topic" topic; git tag -a -m x v2.0-rc
echo last > f; commit "after the merge"
git branch topic-2; git branch HEADS; git branch deadbeef HEAD~1; git tag topic HEAD~3; git branch v1.0 HEAD~2
git remote add origin ../nowhere; git remote add fork ../elsewhere
git update-ref refs/remotes/origin/main HEAD~1; git update-ref refs/remotes/origin/topic topic; git update-ref refs/remotes/fork/main HEAD~2; git update-ref refs/remotes/fork/topic HEAD~3
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
git config branch.main.remote origin; git config branch.main.merge refs/heads/main
git config branch.topic.remote origin; git config branch.topic.merge refs/heads/topic; git config branch.topic.pushRemote fork
git config branch.topic-2.remote .; git config branch.topic-2.merge refs/heads/main
git config branch.HEADS.remote origin; git config branch.HEADS.merge refs/heads/gone
git config branch.deadbeef.remote gone; git config branch.deadbeef.merge refs/heads/main
git checkout -q topic-2; tick 100000; git checkout -q heads/topic; tick 5000000; git checkout -q main; git reset -q --hard HEAD~1; tick; git reset -q --hard HEAD@{1}
echo s > f; git stash -q
git checkout -q -b clash main~1; echo c > f; commit clash; git merge -q main >/dev/null 2>&1 || true
git worktree add -q ../wt heads/topic; git -C ../wt bisect start -q HEAD HEAD~2 >/dev/null 2>&1 || true
i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo "blob
mark :$i
data <<E
b$i
E
"; done | git fast-import --quiet
`

// revisionText makes a revision of names and suffixes, most of which go
// together.
func revisionText(r *rand.Rand, ids []string) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	date := func() string {
		return pick("2023-11-16 01:50", "yesterday", "1.day.ago", "2023-12-01T00:00:00Z", "now", "3 weeks ago", "@1700100000", "tea", "never", "1700099999 +0000", "Nov 17 2023", "x")
	}
	id := ids[r.IntN(len(ids))]
	rev := pick("HEAD", "@", "main", "heads/main", "topic", "heads/topic", "tags/topic", "refs/heads/topic-2", "topic-2", "v1.0", "vv", "v2.0-rc", "light", "blob", "ofatree", "origin", "origin/topic", "remotes/fork/main",
		"stash", "clash", "HEADS", "deadbeef", "ORIG_HEAD", "MERGE_HEAD", "main-worktree/HEAD", "worktrees/wt/HEAD", "worktrees/wt/refs/bisect/bad", "nothing", "", "FETCH_HEAD",
		id, id[:4], id[:5], id[:8], strings.ToUpper(id[:10]), "v1.0-3-g"+id[:7], "x-g"+id[:4])
	for range r.IntN(4) {
		rev += pick("^", "~", "^0", "^1", "^2", "^3", "~1", "~2", "~0", "~100", "^{}", "^{commit}", "^{tree}", "^{tag}", "^{blob}", "^{object}", "^{nope}", "^{/topic}", "^{/^c[0-9]}", "^{/!-merge}", "^{/!!odd}", "^{/!x}", "^{/}",
			"@{0}", "@{1}", "@{2}", "@{40}", "@{-1}", "@{-2}", "@{-1}-2", "@{u}", "@{upstream}", "@{UPSTREAM}", "@{push}", "@{Push}", fmt.Sprintf("@{%s}", date()), "@{}", "@{", "^^", "^{", "}")
	}
	switch r.IntN(12) {
	case 0:
		rev += pick(":f", ":d/e/g", ":d", ":", ":./f", ":../f", ":./e", ":nothing", ":d/e/", ":t")
	case 1:
		rev = pick(":/c3", ":/!-merge", ":/!!odd", ":/^topic", ":/(", ":/body", ":/nothing at all", ":/!", ":f", ":0:f", ":1:f", ":2:f", ":3:f", ":4:f", ":d/e/g", ":./f", ":../f", ":2:./f", ":nothing", ":/", ":", ":0:")
	case 2:
		rev += pick("^!", "^@", "^-", "^-1", "^-2", "^-0", "^-x", "^!x")
	case 3:
		rev += pick("..", "...") + pick("main", "heads/topic", "light", "HEAD~2", "nothing", "", "blob", "vv")
	case 4:
		rev = "^" + rev
	}
	return rev
}

// TestRevisionsAtRandom asks rev_parse for made-up revisions and compares the
// ids, and the sentences where there are none.
func TestRevisionsAtRandom(t *testing.T) {
	base := fixtures.Build(t, revisionsFixture)
	top := filepath.Join(base, "repo")
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 3))
	ids := strings.Fields(string(fixtures.Git(t, top, "rev-list", "--all", "--objects", "--no-object-names")))
	tool := newTool(t, base, sandbox.Policy{Validation: sandbox.Literal})
	for i := range 400 {
		rev := revisionText(r, ids)
		if rev == "" || rev[0] == '-' {
			continue
		}
		dir := []string{top, filepath.Join(top, "d"), filepath.Join(base, "wt")}[i%3]
		want := fixtures.Ask(t, dir, "rev-parse", rev, "--")
		got := answerIn(t, tool, dir, "rev_parse", map[string]any{"rev": rev})
		if want.Code == 0 {
			assert.Equal(t, string(want.Out), string(got.Output)+"--\n", "seed %d: %q in %s: %s", seed, rev, dir, got.Error)
		} else {
			assert.False(t, got.Success, "seed %d: %q in %s: git says %s", seed, rev, dir, want.Err)
		}
	}
}
