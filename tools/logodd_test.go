package tools

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// TestLogOfOddHistories asks log and rev_list with all their parameters at
// random for histories with merges, several roots and wrong clocks, which are
// then cut off, grafted, replaced in part, or described by a commit-graph.
func TestLogOfOddHistories(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	for round := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, round))
		top := filepath.Join(fixtures.Build(t, "git init -q -b main repo\n"), "repo")
		h := &history{t: t, top: top, random: random, odd: true}
		for range 30 {
			h.step()
		}
		h.disturb(round)
		tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
		for range 40 {
			params, args := h.walk()
			log := append([]string{"log", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso", "-1000"}, args...)
			want := fixtures.Ask(t, top, log...)
			got := answerIn(t, tool, top, "log", params)
			where := fmt.Sprintf("seed %d round %d: git %q in %s: %s%s", seed, round, log, top, want.Err, got.Error)
			if assert.Equal(t, want.Code == 0, got.Success, where) && got.Success {
				assert.Equal(t, string(want.Out), string(got.Output), where)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// disturb changes what git makes of the history.
func (h *history) disturb(kind uint64) {
	some := func() string { return h.ids[h.random.IntN(len(h.ids))] }
	fixtures.Git(h.t, h.top, "update-ref", "refs/heads/side", some())
	fixtures.Git(h.t, h.top, "update-ref", "refs/remotes/origin/x", some())
	fixtures.Git(h.t, h.top, "tag", "-a", "-m", "t", "tagged", some())
	fixtures.Git(h.t, h.top, "tag", "tree", some()+"^{tree}")
	switch kind {
	case 1:
		fixtures.Git(h.t, h.top, "commit-graph", "write", "--reachable", "--changed-paths")
	case 2:
		fixtures.Write(h.t, h.top, ".git/shallow", h.ids[5]+"\n"+h.ids[9]+"\n")
	case 3:
		// Newer ones get older parents, so that there is no circle.
		at := 10 + h.random.IntN(15)
		fixtures.Write(h.t, h.top, ".git/info/grafts", h.ids[at]+" "+h.ids[h.random.IntN(at)]+" "+h.ids[h.random.IntN(at)]+"\n"+h.ids[at+1]+"\n")
	case 4:
		for range 3 {
			at := 2 + h.random.IntN(25)
			fixtures.Command{Dir: h.top}.Run(h.t, "replace", h.ids[at], h.ids[h.random.IntN(at)])
		}
	}
}

// walk is a request for a log and git's arguments for the same.
func (h *history) walk() (params map[string]any, args []string) {
	r := h.random
	params = map[string]any{"limit": 1000}
	pick := func(n int, name string, value any, options ...string) {
		if _, set := params[name]; !set && r.IntN(n) == 0 {
			params[name] = value
			args = append(args, options...)
		}
	}
	when := fmt.Sprintf("@%d +0000", 1_700_000_000+100*r.IntN(31))
	pick(4, "since", when, "--since="+when)
	pick(5, "until", when, "--until="+when)
	pick(5, "first_parent", true, "--first-parent")
	for _, order := range []string{"date", "topo", "author-date"} {
		if order != "author-date" || params["first_parent"] == nil { // see COMPATIBILITY.md
			pick(5, "order", order, "--"+order+"-order")
		}
	}
	pick(8, "merges", "only", "--merges")
	pick(8, "merges", "none", "--no-merges")
	pick(5, "skip", 2, "--skip=2")
	pick(5, "author", []string{"^Ann", "x)"}, "--author=^Ann", "--author=x)")
	pick(8, "committer", "b@", "--committer=b@")
	pick(5, "grep", []string{"commit 1", "[4-6]$"}, "--grep=commit 1", "--grep=[4-6]$")
	pick(3, "all_match", true, "--all-match")
	pick(5, "invert_grep", true, "--invert-grep")
	pick(4, "ignore_case", true, "-i")
	pick(8, "fixed", true, "-F")
	pick(6, "name_status", true, "--name-status")
	pick(10, "pickaxe", "needle", "-Sneedle")
	one, two := h.ids[r.IntN(len(h.ids))], h.ids[r.IntN(len(h.ids))]
	for _, rev := range []string{"side", one + "..", one + "..." + two, "tagged", "^" + one, "side..main", two + "^!", "tree", two + "^@", two + "^-"} {
		pick(14, "rev", rev, rev)
	}
	pick(6, "all", true, "--all")
	path := append(historyNames, "e", "f", "d/e")[r.IntN(len(historyNames)+3)]
	args = append(args, "--")
	pick(3, "files", []string{path}, path)
	pick(6, "files", []string{path, "e*", ":!f"}, path, "e*", ":!f")
	if files, ok := params["files"].([]string); ok && len(files) == 1 && r.IntN(3) == 0 {
		params["follow"] = true
		args = append([]string{"--follow"}, args...)
	}
	return params, args
}
