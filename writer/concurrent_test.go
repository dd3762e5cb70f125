package writer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// TestWritersOfOneRepository lets git and ingit add and commit in one repository at the same time, each a file of its own, for
// INGIT_CONCURRENT seconds (default 2): each commit that was said to be made is part of HEAD's history, and each that was
// refused is so for a lock, or for what the locks are there to find.
func TestWritersOfOneRepository(t *testing.T) {
	fixtures.RequireGit(t)
	for _, c := range []struct {
		name      string
		git, ours int
	}{{"git and ingit", 2, 2}, {"ingit alone", 0, 4}} {
		t.Run(c.name, func(t *testing.T) {
			dir := fixtures.Build(t, workTree+"git config gc.autoDetach false")
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(setting("INGIT_CONCURRENT", 2))*time.Second)
			defer cancel()
			all := &crowd{t: t, dir: dir, commits: map[string]string{}, refusals: map[string]int{}}
			for i := range c.git {
				all.join(ctx, fmt.Sprintf("git%d", i), all.commitByGit)
			}
			for i := range c.ours {
				all.join(ctx, fmt.Sprintf("ingit%d", i), all.commitByIngit)
			}
			all.Wait()
			all.check(c.git == 0)
		})
	}
}

// crowd are those who write to one repository.
type crowd struct {
	sync.WaitGroup
	sync.Mutex
	t        *testing.T
	dir      string
	commits  map[string]string // the messages of those that were made, to the file that they changed
	refusals map[string]int
}

// join adds one who commits changes of a file until the context ends.
func (c *crowd) join(ctx context.Context, file string, commit func(file, message string) error) {
	c.Go(func() {
		for n := 1; ctx.Err() == nil; n++ {
			message := fmt.Sprintf("%s %d", file, n)
			fixtures.Write(c.t, c.dir, file, contentOf(message, n))
			err := commit(file, message)
			c.Lock()
			if err == nil {
				c.commits[message] = file
			} else {
				c.refusals[refusalOf(err.Error())]++
			}
			c.Unlock()
		}
	})
}

// contentOf is what is committed with a message. Its length changes: where a file of the same length is written again while
// the index is, and a second ends in between, neither git nor ingit can tell the two apart.
func contentOf(message string, n int) string { return message + strings.Repeat("\n", n%1000) }

// expectedRefusals are for locks, for what changed before a lock was taken, and for what another's commit has taken along.
var expectedRefusals = []string{"index.lock", "cannot lock ref", "changed underneath", "nothing to commit"}

// refusalOf is a refusal's kind; what is no lock's stands as it is.
func refusalOf(text string) string {
	for _, kind := range expectedRefusals {
		if strings.Contains(text, kind) {
			return kind
		}
	}
	return text
}

func (c *crowd) commitByGit(file, message string) error {
	for _, args := range [][]string{{"add", file}, {"commit", "-m", message}} {
		a := fixtures.Command{Dir: c.dir}.Run(c.t, args...)
		switch {
		case a.Code == 1 && args[0] == "commit": // with a status that another's commit may have changed again
			return ErrNothingToCommit
		case a.Code != 0:
			return fmt.Errorf("git %s (%d): %s%s", args[0], a.Code, a.Out, a.Err)
		}
	}
	return nil
}

func (c *crowd) commitByIngit(file, message string) error {
	w, done := opened(c.t, c.dir, "", sandbox.Policy{})
	defer done()
	ctx := context.Background()
	if err := apply(w.PlanAdd(ctx, []string{file})); err != nil {
		return err
	}
	if err := w.repo.Revalidate(); err != nil {
		return err
	}
	return apply(w.PlanCommit(ctx, CommitOptions{Message: message}))
}

// check looks for every commit that was made. With content it also wants each to hold what was committed: git, which reads
// the index before it locks it, may drop what somebody else has just added.
func (c *crowd) check(content bool) {
	for kind := range c.refusals {
		require.Contains(c.t, expectedRefusals, kind)
	}
	c.t.Logf("%d commits, refused: %v", len(c.commits), c.refusals)
	require.NotEmpty(c.t, c.commits)
	fsck := fixtures.Ask(c.t, c.dir, "fsck", "--strict", "--no-dangling")
	require.Equal(c.t, 0, fsck.Code, "fsck: %s%s", fsck.Out, fsck.Err)
	history := strings.Fields(strings.ReplaceAll(string(fixtures.Git(c.t, c.dir, "log", "--format=%s")), " ", "_"))
	for _, message := range slices.Sorted(maps.Keys(c.commits)) {
		require.Contains(c.t, history, strings.ReplaceAll(message, " ", "_"))
	}
	if !content {
		return
	}
	for line := range strings.Lines(string(fixtures.Git(c.t, c.dir, "log", "--format=%H %s"))) {
		id, message, _ := strings.Cut(strings.TrimSpace(line), " ")
		if file := c.commits[message]; file != "" {
			require.Equal(c.t, message, strings.TrimRight(string(fixtures.Git(c.t, c.dir, "show", id+":"+file)), "\n"))
		}
	}
}
