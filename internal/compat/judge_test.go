package compat

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/tools"
)

var (
	states = flag.Int("compat.states", 2000, "how many random states to compare")
	seed   = flag.Uint64("compat.seed", 1, "the first seed of random states")
	mixed  = flag.Bool("compat.mixed", false, "random states of every kind together")
	update = flag.Bool("compat.update", false, "write the refs that come out into the scripts")
	only   = flag.String("compat.only", "", "compare this operation alone")
	keep   = flag.String("compat.keep", "", "a folder that keeps a copy of the states that differ")
)

// everyState is what every state is asked.
var everyState = []request{
	{"operation": "status"},
	{"operation": "diff"},
	{"operation": "diff", "cached": true},
	{"operation": "log", "limit": 4},
	{"operation": "branch"},
}

// session is the tool, asked about the repository at dir.
type session struct {
	dir  string
	tool *tools.Tool
}

// open opens the tool on the workspace at dir, where the repository is too.
func open(t testing.TB, dir string) *session {
	t.Helper()
	return openWithin(t, dir, dir)
}

// openWithin opens the tool on a workspace that holds the repository at dir.
func openWithin(t testing.TB, workspace, dir string) *session {
	t.Helper()
	ws, err := sandbox.Open(workspace, sandbox.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	tool, err := tools.New(ws, tools.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tool.Close() })
	return &session{dir: dir, tool: tool}
}

// compare asks the tool and git, and returns what differs, "" when nothing does.
func (s *session) compare(t testing.TB, q request) string {
	t.Helper()
	got := s.tool.Call(context.Background(), q.json(s.dir))
	dir := s.dir
	if sub := q.text("cwd"); sub != "" {
		dir = filepath.Join(dir, sub)
	}
	want := fixtures.Ask(t, dir, q.commandLine()...)
	switch {
	case want.Code == usage && !got.Success:
		return "" // git diff outside a repository means something else
	case want.Code != 0 && !got.Success:
		return differInSentence(string(want.Err), got.Error)
	case want.Code != 0:
		return fmt.Sprintf("git fails: %s\nthe tool answers: %.200q", want.Err, got.Output)
	case !got.Success:
		return fmt.Sprintf("the tool fails: %s\ngit answers: %.200q", got.Error, want.Out)
	}
	if q.text("operation") == "blame" {
		return differ(uncommitted.ReplaceAll(want.Out, nil), uncommitted.ReplaceAll(got.Output, nil))
	}
	return differ(want.Out, []byte(got.Output))
}

// usage is git's exit status when it doesn't know what is meant.
const usage = 129

// differInSentence shows both error texts unless the tool's first line is one
// of git's: git often says what is wrong, and then what it could not do for it.
func differInSentence(want, got string) string {
	first, _, _ := strings.Cut(got, "\n")
	for line := range strings.Lines(want) {
		if strings.TrimRight(line, "\n") == first {
			return ""
		}
	}
	return fmt.Sprintf("git fails: %s\nthe tool fails: %s", want, got)
}

// differ shows the first line that two answers do not share.
func differ(want, got []byte) string {
	if bytes.Equal(want, got) {
		return ""
	}
	w, g := bytes.SplitAfter(want, []byte("\n")), bytes.SplitAfter(got, []byte("\n"))
	i := 0
	for i < len(w) && i < len(g) && bytes.Equal(w[i], g[i]) {
		i++
	}
	show := func(lines [][]byte) string {
		var b strings.Builder
		for _, l := range lines[min(max(i-2, 0), len(lines)):min(i+3, len(lines))] {
			fmt.Fprintf(&b, "    %.300q\n", l)
		}
		return b.String()
	}
	return fmt.Sprintf("line %d differs; git:\n%sthe tool:\n%s", i+1, show(w), show(g))
}

// check compares all requests, and reports each difference.
func (s *session) check(t testing.TB, what fmt.Stringer, requests ...request) bool {
	t.Helper()
	equal := true
	for _, q := range requests {
		if *only != "" && q.text("operation") != *only {
			continue
		}
		if d := s.compare(t, q); d != "" {
			t.Errorf("%s\nrequest %s\n%s%s", what, q.json(s.dir), d, s.keepCopy(t))
			equal = false
		}
	}
	return equal
}

// keepCopy keeps the state where the flag asks for it, and tells where.
func (s *session) keepCopy(t testing.TB) string {
	if *keep == "" {
		return ""
	}
	to := filepath.Join(*keep, strings.ReplaceAll(t.Name(), "/", "_"))
	if err := os.MkdirAll(*keep, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", s.dir, to).CombinedOutput(); err != nil {
		t.Logf("%s", out)
	}
	return "kept in " + to
}

// stateName is a state that needs no more to be found again.
type stateName string

func (n stateName) String() string { return string(n) }
