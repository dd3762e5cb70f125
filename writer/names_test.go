package writer

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// TestTrapsLikeGit checks out commits whose trees have names that some file
// system takes for the git directory or a file of git's: as files, links and
// directories.
func TestTrapsLikeGit(t *testing.T) {
	names := []string{
		".git", ".GIT", ".gIt ", ".git.", ".git::$INDEX_ALLOCATION", "git~1", "GIT~1", "git~2", ".git\u200c", ".g\u200dit", ".g\u0130t",
		`a\.git`, `a\git~1\b`, `a\b`, ".gitmodules", ".GITMODULES", ".gitmodules .", "gitmod~1", "gitmod~5", "gi7eba~1", "gi7eba~01",
		".git\u200cmodules", "gi7d29~1", "..", ".", "con", "aux.txt", "a:b", "a.", "~1234567",
	}
	tw := newTwins(t, "git init -q -b main\necho one >f\ncommit first")
	commits := map[string]string{} // the same in both
	for _, name := range names {
		for _, mode := range []string{"100644", "120000", "40000"} {
			for _, dir := range []string{tw.git, tw.ours} {
				commits[mode+" "+name] = commitOf(t, dir, mode, name)
			}
		}
	}
	for _, settings := range [][]string{{}, {"core.protectNTFS", "false"}, {"core.protectHFS", "true"}} {
		for what, commit := range commits {
			for _, dir := range []string{tw.git, tw.ours} {
				fixtures.Git(t, dir, "-c", "core.protectNTFS=false", "checkout", "-qf", "main")
				if len(settings) > 0 {
					fixtures.Git(t, dir, append([]string{"config"}, settings...)...)
				}
			}
			want := fixtures.Command{Dir: tw.git}.Run(t, "checkout", "-q", commit)
			w, done := opened(t, tw.ours, "", sandbox.Policy{})
			err := apply(w.PlanCheckout(context.Background(), sandbox.Branch(commit)))
			done()
			assert.Equal(t, want.Code == 0, err == nil, "%v %q: git: %s, ingit: %v", settings, what, want.Err, err)
			assert.Empty(t, differences(files(t, tw.git), files(t, tw.ours)), "%v %q", settings, what)
		}
	}
}

// commitOf commits a tree with one entry, whatever its name, on top of main and
// returns the commit.
func commitOf(t *testing.T, dir, mode, name string) string {
	t.Helper()
	write := func(kind, content string) string {
		id := fixtures.Command{Dir: dir, Input: []byte(content)}.Must(t, "hash-object", "-w", "-t", kind, "--literally", "--stdin")
		return strings.TrimSpace(string(id))
	}
	entry := func(mode, name, id string) string {
		raw, err := hex.DecodeString(id)
		require.NoError(t, err)
		return fmt.Sprintf("%s %s\x00%s", mode, name, raw)
	}
	blob := write("blob", "text")
	target := blob
	if mode == "40000" {
		target = write("tree", entry("100644", "inside", blob))
	}
	tree := write("tree", entry(mode, name, target))
	id := fixtures.Git(t, dir, "commit-tree", "-p", "main", "-m", "trap", tree)
	return strings.TrimSpace(string(id))
}
