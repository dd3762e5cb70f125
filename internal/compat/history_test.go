package compat

import (
	"bytes"
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	published "github.com/go-git/go-git-fixtures/v4"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/tools"
)

var (
	history   = flag.String("compat.history", "", "a repository with a work tree whose history is compared")
	within    = flag.String("compat.within", "", "the workspace that holds it and the objects it borrows; else itself")
	commits   = flag.Int("compat.commits", 5000, "how many commits of it")
	algorithm = flag.Int("compat.algorithms", 1000, "how many of them with histogram and patience, too")
)

// diffFormats are the parameters of diff, and git's options, that commits are
// compared in with their first parents.
var diffFormats = []struct {
	params request
	option string
}{
	{request{}, "--patch"},
	{request{"stat": true}, "--stat"},
	{request{"numstat": true}, "--numstat"},
	{request{"shortstat": true}, "--shortstat"},
	{request{"summary": true}, "--summary"},
	{request{"name_status": true}, "--name-status"},
	{request{"name_only": true}, "--name-only"},
	{request{"algorithm": "histogram"}, "--diff-algorithm=histogram"},
	{request{"algorithm": "patience"}, "--diff-algorithm=patience"},
	{request{"ignore_whitespace": "all"}, "-w"},
	{request{"function_context": true}, "-W"},
	{request{"unified": 0}, "-U0"},
	{request{"word_diff": "plain"}, "--word-diff"},
	{request{"find_copies": true}, "--find-copies"},
}

// historian compares commits of one repository, many at once.
type historian struct {
	dir  string
	tool *tools.Tool
	env  []string
}

// newHistorian opens the repository at dir with a user's configuration.
func newHistorian(t testing.TB, workspace, dir, config string) *historian {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(path, []byte(config), 0o666))
	ws, err := sandbox.Open(workspace, sandbox.Policy{Limits: sandbox.Limits{OutputBytes: -1}})
	require.NoError(t, err)
	tool, err := tools.New(ws, tools.Options{User: &reader.User{GlobalConfig: []string{path}, ReadFile: os.ReadFile}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = tool.Close() })
	return &historian{dir: dir, tool: tool, env: []string{"GIT_CONFIG_GLOBAL=" + path, "GIT_OPTIONAL_LOCKS=0"}}
}

// batch is how many commits one git is asked about.
const batch = 100

// shows compares show of the commits, and returns how many differ.
func (h *historian) shows(t testing.TB, ids []string, format string) (differing int) {
	for chunk := range slices.Chunk(ids, batch) {
		args, params := []string{"show"}, request{"operation": "show", "rev": chunk}
		if format != "" {
			args = append(args, "--"+strings.ReplaceAll(format, "_", "-"))
			params[format] = true
		}
		want := fixtures.Command{Dir: h.dir, Env: h.env}.Must(t, append(append(args, chunk...), "--")...)
		got := h.tool.Call(context.Background(), params.json(h.dir))
		require.True(t, got.Success, "show %s of %s…: %s", format, chunk[0], got.Error)
		if bytes.Equal(want, []byte(got.Output)) {
			continue
		}
		wants, gots := byCommit(want), byCommit([]byte(got.Output))
		before := differing
		for _, id := range chunk {
			if d := differ(wants[id], gots[id]); d != "" {
				differing++
				t.Errorf("show %s %s: %s", format, id, d)
			}
		}
		require.NotEqual(t, before, differing, "the output differs between the commits from %s on", chunk[0])
	}
	return differing
}

// diffs compares each commit with its first parent.
func (h *historian) diffs(t testing.TB, ids []string, params request, option string) {
	for chunk := range slices.Chunk(ids, batch) {
		args := append([]string{"show", "-m", "--first-parent", "--format=commit %H", option}, chunk...)
		want := byCommit(fixtures.Command{Dir: h.dir, Env: h.env}.Must(t, append(args, "--")...))
		for _, id := range chunk {
			q := request{"operation": "diff", "from": id + "^", "to": id}
			for k, v := range params {
				q[k] = v
			}
			got := h.tool.Call(context.Background(), q.json(h.dir))
			if !got.Success && strings.Contains(got.Error, "unknown revision") {
				continue // it has no parent
			}
			require.True(t, got.Success, "diff of %s: %s", id, got.Error)
			require.Contains(t, want, id)
			_, diff, _ := bytes.Cut(want[id], []byte("\n\n"))
			if d := differ(diff, []byte(got.Output)); d != "" {
				t.Errorf("diff %v %s: %s", params, id, d)
			}
		}
	}
}

// byCommit cuts an output into those of its commits. Lines of files begin with
// a sign or a letter, so that only headers begin with "commit" and an id.
func byCommit(out []byte) map[string][]byte {
	texts := map[string][]byte{}
	id, start := "", 0
	at := 0
	for line := range bytes.Lines(out) {
		if name, ok := bytes.CutPrefix(line, []byte("commit ")); ok && len(name) >= 40 && isID(name[:40]) {
			texts[id] = out[start:at]
			id, start = string(name[:40]), at
		}
		at += len(line)
	}
	texts[id] = out[start:]
	return texts
}

func isID(text []byte) bool {
	_, err := hex.Decode(make([]byte, len(text)/2), text)
	return err == nil
}

// sample returns about n of the commits that all refs lead to, evenly, with
// some of the merges among them.
func sample(t testing.TB, dir string, n int) []string {
	t.Helper()
	all := strings.Fields(string(fixtures.Git(t, dir, "rev-list", "--all", "HEAD")))
	merges := strings.Fields(string(fixtures.Git(t, dir, "rev-list", "--all", "HEAD", "--merges")))
	picked := every(all, n-n/4)
	known := make(map[string]bool, n)
	for _, id := range picked {
		known[id] = true
	}
	merges = slices.DeleteFunc(merges, func(id string) bool { return known[id] })
	return append(picked, every(merges, n-len(picked))...)
}

// every returns n of the ids, evenly spread.
func every(ids []string, n int) []string {
	if len(ids) <= n {
		return ids
	}
	picked := make([]string, n)
	for i := range picked {
		picked[i] = ids[i*len(ids)/n]
	}
	return picked
}

// checkHistory compares commits in all formats.
func checkHistory(t *testing.T, workspace, dir string, ids []string) {
	h := newHistorian(t, workspace, dir, "")
	for _, format := range []string{"", "stat", "name_status"} {
		h.shows(t, ids, format)
	}
	for _, f := range diffFormats {
		h.diffs(t, ids, f.params, f.option)
	}
	for _, name := range []string{"histogram", "patience", "minimal"} {
		newHistorian(t, workspace, dir, "[diff]\n\talgorithm = "+name+"\n").shows(t, ids, "")
	}
}

// TestProjectHistory compares the commits of the project's own repository.
func TestProjectHistory(t *testing.T) {
	fixtures.RequireGit(t)
	top, err := filepath.Abs("../..")
	require.NoError(t, err)
	if a := fixtures.Ask(t, top, "rev-parse", "--is-shallow-repository"); string(a.Out) != "false\n" {
		t.Skip("the sources are not a whole repository")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	fixtures.Git(t, dir, "clone", "-q", "--no-local", top, "clone")
	clone := filepath.Join(dir, "clone")
	checkHistory(t, dir, clone, sample(t, clone, 120))
}

// TestPublishedHistory compares the commits of the repositories that go-git is
// tested with.
func TestPublishedHistory(t *testing.T) {
	fixtures.RequireGit(t)
	for _, f := range published.All() {
		t.Run(fixtureName(f), func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, f)
			for _, top := range workTrees(t, dir) {
				if fixtures.Ask(t, top, "rev-list", "--all", "HEAD").Code == 0 {
					checkHistory(t, dir, top, sample(t, top, 20))
				}
			}
		})
	}
}

// TestHistory compares the repository that -compat.history names, by hand:
// show as patch, statistic and names, and with other algorithms.
func TestHistory(t *testing.T) {
	if *history == "" {
		t.Skip("a run by hand: -compat.history names a repository")
	}
	workspace := *within
	if workspace == "" {
		workspace = *history
	}
	ids := sample(t, *history, *commits)
	h := newHistorian(t, workspace, *history, "")
	for _, format := range []string{"", "stat", "name_status"} {
		report(t, "show "+format, len(ids), func() int { return h.shows(t, ids, format) })
	}
	some := every(ids, *algorithm)
	for _, name := range []string{"histogram", "patience"} {
		h := newHistorian(t, workspace, *history, fmt.Sprintf("[diff]\n\talgorithm = %s\n", name))
		report(t, "show with "+name, len(some), func() int { return h.shows(t, some, "") })
	}
}

func report(t *testing.T, what string, n int, run func() int) {
	start := time.Now()
	differing := run()
	t.Logf("%s: %d commits, %d differ, %d s", what, n, differing, int(time.Since(start).Seconds()))
}
