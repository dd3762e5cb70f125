package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// precious begins all content that no crash may lose.
const precious = "precious"

// crashing is an operation that is interrupted everywhere.
type crashing struct {
	name, script string
	plan         func(ctx context.Context, w *Writer) (*Plan, error)
	again        []error // with which a second call may be refused, when the first had done its work
}

var errCrash = errors.New("crash")

var crashes = []crashing{
	{name: "add", script: "echo precious1 >f; mkdir n; echo precious2 >n/n; rm x",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanAdd(ctx, []string{"."}) }},
	{name: "commit", script: "echo precious1 >f; echo precious2 >d/n; git add f d",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) {
			return w.PlanCommit(ctx, CommitOptions{Message: "m"})
		},
		again: []error{ErrNothingToCommit}},
	{name: "merge commit", script: "git checkout -q -b side; echo precious1 >f; git commit -qam s; git checkout -q main; echo precious2 >f; git commit -qam m; git merge -q side >/dev/null || true; echo precious3 >f; git add f",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) {
			return w.PlanCommit(ctx, CommitOptions{Message: "m"})
		},
		again: []error{ErrNothingToCommit}},
	{name: "checkout", script: "git checkout -q -b side; git rm -q -r d; echo d >d; echo s >f; mkdir n; echo n >n/n; git rm -q l; mkdir l; echo l >l/l; git add .; git commit -qm side; git checkout -q main; echo precious1 >x; echo precious2 >untracked",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanCheckout(ctx, "side") }},
	{name: "tracking checkout", script: "git update-ref refs/remotes/origin/feature HEAD; git config remote.origin.url /nowhere; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'; echo precious1 >f",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanCheckout(ctx, "feature") }},
	{name: "stash push", script: "echo precious1 >f; git add f; echo precious2 >f; echo precious3 >d/g; rm x; echo precious4 >n; git add n; echo precious5 >untracked",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanStashPush(ctx) }},
	{name: "stash pop", script: "echo precious1 >f; echo precious3 >d/g; rm x; echo precious4 >n; git add n; git stash -q; echo precious5 >d/e/h; echo precious6 >untracked",
		plan:  func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanStashPop(ctx) },
		again: []error{ErrNoStash}},
	{name: "stash pop with an older one", script: "echo precious1 >f; git stash -q; echo precious2 >f; git stash -q",
		plan:  func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanStashPop(ctx) },
		again: []error{&OverwriteError{}}}, // the older one's turn
	{name: "stash pop with conflicts", script: "echo precious1 >f; echo precious2 >d/g; git stash -q; echo precious3 >f; git commit -qam c; echo precious4 >x",
		plan:  func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanStashPop(ctx) },
		again: []error{ErrStashConflict, &StashMergeError{}}},
	{name: "stash apply", script: "echo precious1 >f; mkdir n; echo precious2 >n/n; git add n; git stash -q; echo precious3 >x",
		plan:  func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanStashApply(ctx) },
		again: []error{&OverwriteError{}}},
	{name: "stash drop", script: "echo precious1 >f; git stash -q; echo 2 >f; git stash -q; echo precious3 >f",
		plan:  func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanStashDrop(ctx) },
		again: []error{ErrNoStash}},
	{name: "reset of paths", script: "echo staged >f; git add f; echo precious2 >f; echo precious3 >n; git add n",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanReset(ctx, []string{"f", "n"}) }},
	{name: "reset", script: "echo staged >f; git add f; echo precious2 >f; echo precious3 >n; git add n",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanReset(ctx, nil) }},
	{name: "create branch", script: "git update-ref refs/remotes/origin/feature HEAD; git config remote.origin.url /nowhere; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'",
		plan: func(ctx context.Context, w *Writer) (*Plan, error) {
			return w.PlanCreateBranch(ctx, "new", "origin/feature")
		},
		again: []error{&BranchExistsError{}}},
}

// TestCrash stops each operation at each of its writing calls: from there on nothing is written, as if the process were gone,
// or only part of that call's bytes and then nothing.
func TestCrash(t *testing.T) {
	for _, c := range crashes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.everywhere(t, func(at int64) sandbox.Hook {
				var calls atomic.Int64
				return func(call sandbox.Call) error {
					switch n := calls.Add(1); {
					case n == at && call.Op == sandbox.OpWrite:
						return &sandbox.TornWrite{Size: call.Size / 2, Err: errCrash}
					case n >= at:
						return errCrash
					}
					return nil
				}
			})
		})
	}
}

// TestDiskFull lets the disk be full from each writing call on: what is there can still be removed or renamed.
func TestDiskFull(t *testing.T) {
	for _, c := range crashes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.everywhere(t, func(at int64) sandbox.Hook {
				var calls atomic.Int64
				return func(call sandbox.Call) error {
					if n := calls.Add(1); n < at {
						return nil
					}
					switch call.Op {
					case sandbox.OpCreate, sandbox.OpWrite, sandbox.OpMkdir, sandbox.OpSymlink, sandbox.OpLink:
						return syscall.ENOSPC
					}
					return nil
				}
			})
		})
	}
}

// everywhere runs the operation with a hook that interrupts it at one call after the other, until it comes through.
func (c *crashing) everywhere(t *testing.T, hook func(at int64) sandbox.Hook) {
	origin, want := c.prepare(t)
	step := int64(1)
	if testing.Short() {
		step = 7
	}
	for at := int64(1); ; at += step {
		dir := copyOf(t, origin)
		if err := c.run(dir, hook(at)); err == nil || errors.Is(err, ErrStashConflict) {
			require.Greater(t, at, int64(2))
			return
		}
		c.check(t, fmt.Sprintf("call %d", at), dir, want)
		os.RemoveAll(dir)
	}
}

// expected is what must be true of a repository after an interrupted operation was made again.
type expected struct {
	precious map[string]bool // content that nothing may lose
	outcome  string
}

// prepare returns a repository to try the operation in, and what is to be expected of it.
func (c *crashing) prepare(t *testing.T) (origin string, want expected) {
	t.Helper()
	origin = fixtures.Build(t, workTree+c.script)
	done := copyOf(t, origin)
	if err := c.run(done, nil); !errors.Is(err, ErrStashConflict) {
		require.NoError(t, err)
	}
	return origin, expected{preciousIn(t, origin), outcome(t, done)}
}

// check holds an interrupted repository to what must be true of it.
func (c *crashing) check(t *testing.T, when, dir string, want expected) {
	t.Helper()
	removeLocks(t, dir)
	fsck := fixtures.Ask(t, dir, "fsck", "--strict", "--no-dangling")
	require.Equal(t, 0, fsck.Code, "%s: %s%s", when, fsck.Out, fsck.Err)
	got := preciousIn(t, dir)
	for content := range want.precious {
		require.Contains(t, got, content, "%s: lost", when)
	}
	err := c.run(dir, nil)
	if err != nil {
		allowed := slices.ContainsFunc(c.again, func(a error) bool { return errors.Is(err, a) || reflect.TypeOf(err) == reflect.TypeOf(a) })
		require.True(t, allowed, "%s: %v", when, err)
	}
	require.Empty(t, differences(want.outcome, outcome(t, dir)), when)
}

func TestOldLockIsNamed(t *testing.T) {
	dir := fixtures.Build(t, workTree+"echo more >>f; : >.git/index.lock; touch -d '3 hours ago' .git/index.lock")
	err := apply(open(t, dir, "", sandbox.Policy{}).PlanAdd(context.Background(), []string{"."}))
	var held *LockError
	require.ErrorAs(t, err, &held)
	require.Equal(t, fixtures.Ask(t, dir, "add", ".").Err, []byte("fatal: "+strings.TrimSuffix(err.Error(), "\nThe lock is 3h0m0s old.")+"\n"))
	require.ErrorContains(t, err, "The lock is 3h")
}

func (c *crashing) run(dir string, hook sandbox.Hook) error {
	ctx := context.Background()
	ws, err := sandbox.Open(dir, sandbox.Policy{})
	if err != nil {
		return err
	}
	defer ws.Close()
	hooked := ws
	if hook != nil {
		hooked = ws.WithHook(hook)
	}
	cwd, err := hooked.Resolve("")
	if err != nil {
		return err
	}
	defer cwd.Close()
	repo, err := reader.Open(ctx, cwd, reader.Options{Now: people.Now})
	if err != nil {
		return err
	}
	defer repo.Close()
	w, err := New(repo, people)
	if err != nil {
		return err
	}
	plan, err := c.plan(ctx, w)
	return apply(plan, err)
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o777)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			return errors.Join(err, os.Symlink(link, target))
		case strings.HasPrefix(rel, ".git/objects/"):
			return os.Link(path, target)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(target, data, info.Mode().Perm()), os.Chtimes(target, info.ModTime(), info.ModTime()))
	}))
	return to
}

// removeLocks does what a person does after a crash.
func removeLocks(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, ".git"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".lock") {
			return os.Remove(path)
		}
		return err
	}))
}

// preciousIn returns the content that begins so in the work tree, in the index and in all that refs reach.
func preciousIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	entries, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	more, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	deep, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
	for _, path := range append(append(entries, more...), deep...) {
		if data, err := os.ReadFile(path); err == nil && strings.HasPrefix(string(data), precious) {
			found[string(data)] = true
		}
	}
	names := fixtures.Git(t, dir, "rev-list", "--all", "--indexed-objects", "--reflog", "--objects", "--no-object-names")
	objects := fixtures.Command{Dir: dir, Input: names}.Must(t, "cat-file", "--batch")
	for line := range strings.Lines(string(objects)) {
		if strings.HasPrefix(line, precious) {
			found[line] = true
		}
	}
	return found
}

// outcome is what an operation must leave behind, however often it was begun: reflogs and the number of stashes may differ.
func outcome(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	for _, args := range [][]string{
		{"symbolic-ref", "-q", "HEAD"}, {"for-each-ref", "refs/heads"}, {"ls-files", "-s"},
		{"status", "--porcelain=2", "--branch", "--untracked-files=all"}, {"config", "--local", "--list"},
	} {
		a := fixtures.Ask(t, dir, args...)
		fmt.Fprintf(&out, "$ git %s: %d\n%s", strings.Join(args, " "), a.Code, a.Out)
	}
	fmt.Fprintf(&out, "$ files\n%s", files(t, dir))
	return out.String()
}
