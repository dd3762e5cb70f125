package compat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// hammerRequests are what the goroutines of the hammer test ask.
var hammerRequests = []request{
	{"operation": "status"},
	{"operation": "diff"},
	{"operation": "log", "limit": 5},
	{"operation": "diff", "cached": true},
	{"operation": "status", "format": "long", "untracked": "all"},
	{"operation": "log", "limit": 5, "all": true, "stat": true},
	{"operation": "branch"},
}

// hammerChange is something that real git does while questions are answered.
type hammerChange struct {
	name string
	do   func(h *hammer)
	// steps says that git writes file after file, then the index, HEAD's reflog
	// and HEAD, so that there are states between the one before and the one after.
	steps bool
}

var hammerChanges = []hammerChange{
	{name: "edit", do: func(h *hammer) { h.edit() }},
	{name: "add", do: func(h *hammer) { h.git("add", "-A") }},
	{name: "edit again", do: func(h *hammer) { h.edit() }},
	{name: "commit", do: func(h *hammer) { h.git("commit", "-qm", "change "+strconv.Itoa(h.turn)) }},
	{name: "pack refs", do: func(h *hammer) { h.git("pack-refs", "--all") }},
	{name: "new branch", do: func(h *hammer) { h.git("branch", "side"+strconv.Itoa(h.turn)) }},
	{name: "same commit", do: func(h *hammer) { h.git("checkout", "-q", "side"+strconv.Itoa(h.turn-1)) }},
	{name: "repack", do: func(h *hammer) { h.git("repack", "-adq") }},
	{name: "config", do: func(h *hammer) { h.git("config", "diff.noprefix", strconv.FormatBool(h.turn%2 == 0)) }},
	{name: "checkout", steps: true, do: func(h *hammer) { h.git("checkout", "-qf", "main") }},
	{name: "edit on main", do: func(h *hammer) { h.edit() }},
	{name: "gc", do: func(h *hammer) { h.git("gc", "-q", "--prune=now") }},
	{name: "remove folder", steps: true, do: func(h *hammer) { h.git("rm", "-rqf", "--ignore-unmatch", "d/"+strconv.Itoa(h.turn%8)) }},
	{name: "commit on main", do: func(h *hammer) { h.git("commit", "-q", "--allow-empty", "-m", "main "+strconv.Itoa(h.turn)) }},
	{name: "graph", do: func(h *hammer) { h.git("commit-graph", "write", "--reachable", "--changed-paths") }},
	{name: "restore folder", steps: true, do: func(h *hammer) { h.git("checkout", "-q", "HEAD~1", "--", ".") }},
	{name: "detach", steps: true, do: func(h *hammer) { h.git("checkout", "-qf", "--detach", "HEAD~1") }},
	{name: "multi-pack-index", do: func(h *hammer) { h.git("multi-pack-index", "write") }},
	{name: "reset", steps: true, do: func(h *hammer) { h.git("reset", "-q", "--hard", "main") }},
	{name: "back", steps: true, do: func(h *hammer) { h.git("checkout", "-q", "main") }},
	{name: "edit to stash", do: func(h *hammer) { h.edit() }},
	{name: "stash", steps: true, do: func(h *hammer) { h.git("stash", "push", "-qu") }},
	{name: "drop", do: func(h *hammer) { h.git("stash", "clear") }},
}

// hammer is a repository that real git changes while goroutines ask about it.
type hammer struct {
	t    *testing.T
	s    *session
	turn int
	// between counts the answers that were neither git's before nor after, but
	// one in between.
	between int
}

func (h *hammer) git(args ...string) {
	env := []string{fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", fixtures.Clock+60*h.turn)}
	fixtures.Command{Dir: h.s.dir, Env: env}.Must(h.t, args...)
}

// edit puts a new version of a file in the old one's place, by one rename.
func (h *hammer) edit() {
	name := filepath.Join(h.s.dir, "d", strconv.Itoa(h.turn%5), "file"+strconv.Itoa(h.turn%3))
	require.NoError(h.t, os.MkdirAll(filepath.Dir(name), 0o777))
	fresh := filepath.Join(h.s.dir, ".git", "edit")
	require.NoError(h.t, os.WriteFile(fresh, []byte(fmt.Sprintf("first\nturn %d\nlast\n", h.turn)), 0o666))
	require.NoError(h.t, os.Rename(fresh, name))
}

// judge returns git's answers about a repository.
func (h *hammer) judge(dir string) []fixtures.Answer {
	answers := make([]fixtures.Answer, len(hammerRequests))
	for i, q := range hammerRequests {
		answers[i] = fixtures.Ask(h.t, dir, q.commandLine()...)
	}
	return answers
}

// seen is an answer of the tool and the request that it belongs to.
type seen struct {
	request int
	output  string
	fault   string
	typed   bool // the fault says that something changed meanwhile
}

// during collects the different answers that goroutines get while change runs.
func (h *hammer) during(goroutines int, change func()) (map[seen]int, int) {
	var mu sync.Mutex
	all, calls := map[seen]int{}, 0
	var done atomic.Bool
	var workers, started sync.WaitGroup
	for g := range goroutines {
		workers.Add(1)
		started.Add(1)
		go func() {
			defer workers.Done()
			for i := g; i == g || !done.Load(); i++ {
				n := i % len(hammerRequests)
				if i == g {
					started.Done()
				}
				r := h.s.tool.Call(context.Background(), hammerRequests[n].json(h.s.dir))
				mu.Lock()
				all[seen{n, string(r.Output), r.Error, errors.Is(r.Err, reader.ErrChanged)}]++
				calls++
				mu.Unlock()
			}
		}()
	}
	started.Wait()
	change()
	done.Store(true)
	workers.Wait()
	return all, calls
}

// TestHammer asks from many goroutines while real git changes the repository
// beneath: an answer is git's from before a change or from after it, or made of
// git's in the stages between, and after each change the open repository has
// noticed it. INGIT_HAMMER is how long, as
// a duration (default 10s), INGIT_HAMMER_GOROUTINES how many ask (default 8).
func TestHammer(t *testing.T) {
	fixtures.RequireGit(t)
	length, err := time.ParseDuration(settingOr("INGIT_HAMMER", "10s"))
	require.NoError(t, err)
	goroutines, err := strconv.Atoi(settingOr("INGIT_HAMMER_GOROUTINES", "8"))
	require.NoError(t, err)
	if testing.Short() {
		length = min(length, 2*time.Second)
	}
	h := newHammer(t)
	before, total := h.judge(h.s.dir), 0
	for end := time.Now().Add(length); time.Now().Before(end) && !t.Failed(); h.turn++ {
		change := hammerChanges[h.turn%len(hammerChanges)]
		between := h.copyBefore(change)
		answers, calls := h.during(goroutines, func() { change.do(h) })
		total += calls
		after := h.judge(h.s.dir)
		legitimate := legitimateAnswers(append(h.stages(between), before, after))
		for a, times := range answers {
			h.check(change, a, times, before[a.request], after[a.request], legitimate[a.request])
		}
		h.s.check(t, stateName(fmt.Sprintf("turn %d, after %s", h.turn, change.name)), hammerRequests...)
		before = after
	}
	t.Logf("%d changes, %d answers, %d in between", h.turn, total, h.between)
}

func settingOr(name, def string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return def
}

func newHammer(t *testing.T) *hammer {
	h := &hammer{t: t, s: open(t, fixtures.Init(t))}
	for i := range 200 {
		fixtures.Write(t, h.s.dir, fmt.Sprintf("d/%d/file%d", i%8, i/8), fmt.Sprintf("file %d\n", i))
	}
	fixtures.Write(t, h.s.dir, ".gitattributes", "file1 text eol=crlf\n")
	fixtures.Write(t, h.s.dir, ".gitignore", "*.o\n")
	fixtures.Write(t, h.s.dir, "untracked.o", "")
	h.git("add", "-A")
	h.git("commit", "-qm", "first")
	h.git("commit", "-qm", "second", "--allow-empty")
	h.git("config", "gc.auto", "0")
	return h
}

// check reports an answer that is neither git's before nor git's after, nor one
// that git gives in between.
func (h *hammer) check(change hammerChange, a seen, times int, before, after fixtures.Answer, between legitimate) {
	q := hammerRequests[a.request]
	if a.fault != "" {
		if before.Code == 0 && after.Code == 0 && !(change.steps && a.typed) {
			h.t.Errorf("turn %d, %s: %v fails (%d times): %s", h.turn, change.name, q, times, a.fault)
		}
		return
	}
	if a.output == string(before.Out) || a.output == string(after.Out) {
		return
	}
	if !change.steps || q.text("operation") == "log" {
		h.t.Errorf("turn %d, %s: %v (%d times) is neither git's answer before,\n%sor after,\n%s", h.turn, change.name, q, times,
			differ(before.Out, []byte(a.output)), differ(after.Out, []byte(a.output)))
		return
	}
	h.between += times
	if why := between.refuse(a.output); why != "" {
		h.t.Errorf("turn %d, %s: %v (%d times) %s:\n%s", h.turn, change.name, q, times, why, a.output)
	}
}
