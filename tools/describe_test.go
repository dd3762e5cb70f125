package tools

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

func TestDescribe(t *testing.T) {
	seed := fixtures.Seed(t)
	for round := range uint64(2) {
		top, names := tangled(t, seed+round, 30)
		r := rand.New(rand.NewPCG(seed, round))
		var script strings.Builder
		for i, name := range names { // the tags become plain names of commits
			fmt.Fprintf(&script, "git update-ref refs/plain/%s %s; git tag -d %s >/dev/null\n", name, name, name)
			switch r.IntN(9) {
			case 0, 1:
				fmt.Fprintf(&script, "tick; git tag -a -m x v%d refs/plain/%s\n", i, name)
			case 2:
				fmt.Fprintf(&script, "git tag light%d refs/plain/%s\n", i, name)
			case 3:
				fmt.Fprintf(&script, "git branch b%d refs/plain/%s; tick; git tag -a -m x twice%d refs/plain/%s; tick; git tag -a -m x again%d refs/plain/%s; git tag aaa%d refs/plain/%s\n", i, name, i, name, i, name, i, name)
			}
		}
		script.WriteString("tick; git tag -a -m x outer refs/plain/c9; git tag -a -m x nested outer; git update-ref refs/tags/renamed outer; git tag -d outer\n")
		fixtures.BuildAt(t, top, script.String())
		tool := newTool(t, top, sandbox.Policy{})
		type p = map[string]any
		for range 10 {
			rev := "refs/plain/" + names[r.IntN(30)]
			same(t, tool, top, "describe", p{"rev": rev}, "describe", rev)
			same(t, tool, top, "describe", p{"rev": rev, "tags": true}, "describe", "--tags", rev)
			same(t, tool, top, "describe", p{"rev": rev, "all": true}, "describe", "--all", rev)
			same(t, tool, top, "describe", p{"rev": rev, "tags": true, "long": true, "first_parent": true}, "describe", "--tags", "--long", "--first-parent", rev)
			same(t, tool, top, "describe", p{"rev": rev, "always": true, "match": []string{"v*", "t*"}, "exclude": "*2"}, "describe", "--always", "--match=v*", "--match=t*", "--exclude=*2", rev)
			same(t, tool, top, "describe", p{"rev": rev, "all": true, "match": "b*"}, "describe", "--all", "--match=b*", rev)
			same(t, tool, top, "describe", p{"rev": rev, "exact": true, "tags": true}, "describe", "--tags", "--exact-match", rev)
			same(t, tool, top, "describe", p{"rev": rev, "candidates": 1, "tags": true}, "describe", "--tags", "--candidates=1", rev)
		}
		for _, rev := range []string{"nothing", "HEAD^{tree}", "HEAD"} {
			same(t, tool, top, "describe", p{"rev": rev}, "describe", rev)
		}
		same(t, tool, top, "describe", p{"always": true, "dirty": true}, "describe", "--always", "--dirty")
		require.NoError(t, os.WriteFile(top+"/f1", []byte("changed"), 0o644))
		same(t, tool, top, "describe", p{"always": true, "dirty": true}, "describe", "--always", "--dirty")
	}
}
