package blame_test

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/blame"
	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// open opens the repository in a directory.
func open(t testing.TB, dir string) *reader.Repository {
	t.Helper()
	ws, err := sandbox.Open(dir, sandbox.Policy{})
	require.NoError(t, err)
	t.Cleanup(func() { ws.Close() })
	root, err := ws.Resolve("")
	require.NoError(t, err)
	now := func() time.Time { return time.Unix(fixtures.Clock, 0) }
	r, err := reader.Open(context.Background(), root, reader.Options{Now: now})
	require.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

// question is what both git and this package are asked.
type question struct {
	rev, path string
	lines     []string
	space     bool
	text      bool
	copies    blame.Copies
	reverse   bool
}

// args is the question as git takes it.
func (q question) args() []string {
	args := []string{"blame"}
	if !q.text {
		args = append(args, "--porcelain")
	}
	for _, lines := range q.lines {
		args = append(args, "-L", lines)
	}
	if q.space {
		args = append(args, "-w")
	}
	args = append(args, [][]string{nil, {"-M"}, {"-C"}, {"-C", "-C"}, {"-C", "-C", "-C"}}[q.copies]...)
	if q.reverse {
		args = append(args, "--reverse")
	}
	if q.rev != "" {
		args = append(args, q.rev)
	}
	return append(args, "--", q.path)
}

// answer is this package's.
func (q question) answer(r *reader.Repository) ([]byte, error) {
	ctx := context.Background()
	var id plumbing.Hash
	opts := blame.Options{Lines: q.lines, IgnoreWhitespace: q.space, Name: q.rev, Copies: q.copies}
	if q.rev != "" {
		s, err := r.ResolveRange(ctx, sandbox.Rev(q.rev))
		if err != nil {
			return nil, err
		}
		if len(s.Tips) > 0 {
			id = s.Tips[0]
		}
		opts.Exclude = s.Exclude
		if q.reverse {
			id, opts.Reverse, opts.Exclude = s.Exclude[0], s.Tips, nil
		}
	}
	result, err := blame.File(ctx, r, id, q.path, opts)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if q.text {
		err = blame.Text(ctx, &out, r, result)
	} else {
		err = blame.Porcelain(ctx, &out, r, result)
	}
	return out.Bytes(), err
}

// usage is git's exit status when it does not know what is meant.
const usage = 129

// check asks both and compares the answers, or the errors.
func check(t testing.TB, dir string, r *reader.Repository, q question) {
	t.Helper()
	want := fixtures.Ask(t, dir, q.args()...)
	got, err := q.answer(r)
	if want.Code != 0 {
		require.Error(t, err, "git %v: %s", q.args(), want.Err)
		if want.Code == usage {
			return
		}
		require.Contains(t, string(want.Err), err.Error(), "git %v", q.args())
		return
	}
	require.NoError(t, err, "git %v in %s", q.args(), dir)
	require.Equal(t, still(string(want.Out)), still(string(got)), "git %v in %s", q.args(), dir)
}

// still hides when uncommitted lines were looked at, but not how many columns
// that takes: some days have two digits, and the column is as wide as ever.
func still(text string) string {
	text = uncommittedTime.ReplaceAllString(text, "${1}TIME")
	return uncommittedLine.ReplaceAllStringFunc(text, func(line string) string {
		part := uncommittedLine.FindStringSubmatch(line)
		return fmt.Sprintf("%sTIME in %d columns%s", part[1], len(part[2]), part[3])
	})
}

var (
	uncommittedTime = regexp.MustCompile(`(?m)^((?:author|committer)-mail <not.committed.yet>\n(?:author|committer)-time )\d+`)
	uncommittedLine = regexp.MustCompile(`(?m)^(0+ .*\((?:Not Committed Yet|<not.committed.yet>))(.*? +)(\d+\) )`)
)

// script runs commands of a shell in a new repository.
func script(t testing.TB, commands string) string {
	t.Helper()
	dir := fixtures.Init(t)
	run(t, dir, commands)
	return dir
}

// prelude gives scripts a clock: tick NAME commits everything, a minute later.
const prelude = `set -e
NOW=$(cat .git/clock 2>/dev/null || echo 1700000000)
tick() { NOW=$((NOW + ${STEP:-60})); echo $NOW >.git/clock; export GIT_AUTHOR_DATE="$NOW +0130" GIT_COMMITTER_DATE="$NOW -0800"; }
ci() { tick; git add -A; git commit -q --allow-empty -m "$1"; }
merge() { tick; git merge -q --no-edit "$@" >/dev/null 2>&1; }
`

func run(t testing.TB, dir, commands string) {
	t.Helper()
	fixtures.RequireGit(t)
	cmd := exec.Command("bash", "-c", prelude+commands)
	cmd.Dir, cmd.Env = dir, fixtures.Env()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// both checks the two formats.
func both(t testing.TB, dir string, q question) {
	t.Helper()
	r := open(t, dir)
	q.text = false
	check(t, dir, r, q)
	q.text = true
	check(t, dir, r, q)
}

// everywhere checks every file of some revisions, and of the work tree.
func everywhere(t testing.TB, dir string, revs ...string) {
	t.Helper()
	r := open(t, dir)
	for i, rev := range append(revs, "") {
		list := []string{"ls-files", "-z"}
		if rev != "" {
			list = []string{"ls-tree", "-rz", "--name-only", rev}
		}
		for _, path := range strings.Split(string(fixtures.Git(t, dir, list...)), "\x00") {
			if path != "" {
				check(t, dir, r, question{rev: rev, path: path, text: i%2 == 1})
			}
		}
	}
}
