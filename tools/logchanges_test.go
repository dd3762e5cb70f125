package tools

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// TestLogChanges holds the changes that log shows below commits against git: on
// random histories with merges, renames and folders, in each format, for paths,
// followed ones and the pickaxe.
func TestLogChanges(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(seed, 7))
	top := filepath.Join(fixtures.Build(t, "git init -q -b main repo\n"), "repo")
	h := history{t: t, top: top, random: random}
	for range 25 {
		h.step()
	}
	tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
	for i := range 60 {
		if i == 30 {
			fixtures.WriteAll(t, top, map[string]string{".git/info/attributes": "b binary\ne/* -diff\nf/a diff\n"})
		}
		params, args := h.question()
		want := fixtures.Ask(t, top, args...)
		got := answerIn(t, tool, top, "log", params)
		require.Equal(t, want.Code == 0, got.Success, "seed %d, git %q: %s", seed, args, got.Error)
		require.Equal(t, string(want.Out), string(got.Output), "seed %d, git %q", seed, args)
	}
}

// history grows a repository at random.
type history struct {
	t      *testing.T
	top    string
	random *rand.Rand
	files  map[string]string
	ids    []string
	clock  int
	odd    bool // clocks go wrong, people differ
}

// folders and names of the files; "d" is a file at times, too.
var historyNames = []string{"a", "b", "d", "d/a", "d/b", "d/e/a", "e/x", "e/y", "f/a"}

// step commits a change of the files, at times on another commit or as a merge.
func (h *history) step() {
	if h.files == nil {
		h.files = map[string]string{}
	}
	for range 1 + h.random.IntN(3) {
		h.change()
	}
	tree := h.tree()
	args := []string{"commit-tree", tree, "-m", fmt.Sprintf("commit %d", h.clock)}
	for i := range h.random.IntN(3) {
		if n := len(h.ids); n > 0 {
			args = append(args, "-p", h.ids[max(0, n-1-h.random.IntN(1+2*i))])
		}
	}
	if n := len(h.ids); n > 0 && len(args) == 4 {
		args = append(args, "-p", h.ids[n-1])
	}
	h.clock++
	id := strings.TrimSpace(string(fixtures.Command{Dir: h.top, Env: h.people()}.Must(h.t, args...)))
	h.ids = append(h.ids, id)
	fixtures.Git(h.t, h.top, "update-ref", "refs/heads/main", id)
}

// people are the author and the committer of the next commit, with their dates.
func (h *history) people() (env []string) {
	for _, role := range []string{"AUTHOR", "COMMITTER"} {
		when := 1_700_000_000 + 100*h.clock
		if h.odd {
			name := []string{"Ann", "Bob (x)", "José"}[h.random.IntN(3)]
			env = append(env, "GIT_"+role+"_NAME="+name, "GIT_"+role+"_EMAIL="+name[:1]+"@example.com")
			when -= []int{0, 0, 100, 350, 1000}[h.random.IntN(5)]
		}
		env = append(env, fmt.Sprintf("GIT_%s_DATE=%d +0%d00", role, when, h.clock%3))
	}
	return env
}

// change edits, adds, removes, moves or copies a file.
func (h *history) change() {
	names := slices.Sorted(maps.Keys(h.files))
	to := historyNames[h.random.IntN(len(historyNames))]
	if len(names) == 0 || h.random.IntN(4) == 0 {
		h.put(to, h.text())
		return
	}
	from := names[h.random.IntN(len(names))]
	text := h.files[from]
	switch h.random.IntN(6) {
	case 0:
		delete(h.files, from)
	case 1, 2:
		delete(h.files, from)
		h.put(to, strings.Replace(text, "line 3", "moved", h.random.IntN(2)))
	case 3:
		h.put(to, text+"copied\n")
	default:
		h.files[from] = strings.Replace(text, fmt.Sprintf("line %d\n", h.random.IntN(12)), fmt.Sprintf("needle %d\n", h.clock), 1) + "more\n"
	}
}

// put writes a file where no other one stands in the way.
func (h *history) put(name, text string) {
	for other := range h.files {
		if strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/") {
			delete(h.files, other)
		}
	}
	h.files[name] = text
}

func (h *history) text() string {
	var b strings.Builder
	if h.random.IntN(12) == 0 {
		b.WriteString("binary\x00needle\n")
	}
	for i := range 3 + h.random.IntN(12) {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	fmt.Fprintf(&b, "of %d\n", h.random.IntN(3))
	return b.String()
}

func (h *history) tree() string {
	fixtures.Git(h.t, h.top, "read-tree", "--empty")
	fixtures.Git(h.t, h.top, "clean", "-fdxq")
	fixtures.WriteAll(h.t, h.top, h.files)
	fixtures.Git(h.t, h.top, "add", "-A")
	return strings.TrimSpace(string(fixtures.Git(h.t, h.top, "write-tree")))
}

// question is a request and git's arguments for the same.
func (h *history) question() (params map[string]any, args []string) {
	params = map[string]any{"limit": 1000}
	args = []string{"log", "-1000", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso"}
	set := func(name string, value any, options ...string) {
		params[name] = value
		args = append(args, options...)
	}
	for _, name := range []string{"stat", "patch", "name_status"} {
		if h.random.IntN(3) == 0 {
			set(name, true, "--"+strings.ReplaceAll(name, "_", "-"))
		}
	}
	if h.random.IntN(4) == 0 {
		set("ignore_case", true, "-i")
	}
	if h.random.IntN(3) == 0 {
		set("first_parent", true, "--first-parent")
	}
	switch h.random.IntN(6) {
	case 0:
		text := []string{"needle", "NEEDLE", "more\n", "e", "mm"}[h.random.IntN(5)]
		set("pickaxe", text, "-S"+text)
	case 1:
		expression := []string{"mo[v]ed", "^$", "^of", "[0-3]$", "MORE|COPIED", "e\\s", "3\nl", "."}[h.random.IntN(8)]
		set("pickaxe_regex", expression, "-G"+expression)
	case 2:
		set("merges", "only", "--merges")
	case 3:
		set("merges", "none", "--no-merges")
	}
	path := append(historyNames, "e", "f", "d/e")[h.random.IntN(len(historyNames)+3)]
	switch h.random.IntN(3) {
	case 0:
		set("follow", true, "--follow", "--", path)
		params["path"] = path
	case 1:
		set("files", []string{path, ":(exclude)d/b"}, "--", path, ":(exclude)d/b")
	}
	return params, args
}
