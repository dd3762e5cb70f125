package reader_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// names renders changes as git diff --raw -z does, object ids of the work tree
// apart, which git does not compute there.
func names(t testing.TB, repo *reader.Repository, old, new reader.Side, opts reader.ChangeOptions) []string {
	t.Helper()
	lines := []string{}
	for c, err := range repo.Changes(context.Background(), old, new, opts) {
		if err != nil {
			return append(lines, "error: "+err.Error())
		}
		kind := string(rune(c.Kind))
		if c.Kind == reader.Renamed || c.Kind == reader.Copied {
			kind += fmt.Sprintf("%03d\x00%s", c.Score*100/60000, c.Old.Path)
		}
		lines = append(lines, fmt.Sprintf(":%06o %06o %s %s\x00%s", c.Old.Mode, c.New.Mode, c.Old.ID, kind, c.New.Path))
	}
	return lines
}

// gitNames is the same from git.
func gitNames(t testing.TB, dir string, args ...string) []string {
	t.Helper()
	out := string(fixtures.Ask(t, dir, append([]string{"diff", "--raw", "--no-abbrev", "-z"}, args...)...).Out)
	lines := []string{}
	for _, part := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		if strings.HasPrefix(part, ":") {
			fields := strings.Fields(part)
			part = strings.Join([]string{fields[0], fields[1], fields[2], fields[4]}, " ")
			lines = append(lines, part)
		} else if len(lines) > 0 {
			lines[len(lines)-1] += "\x00" + part
		}
	}
	return lines
}

func withoutIDs(lines []string) []string {
	for i, line := range lines {
		lines[i] = line[:len(":100644 100644 ")] + line[len(":100644 100644 ")+40:]
	}
	return lines
}

func treeOf(t testing.TB, dir, rev string) (reader.Side, bool) {
	answer := fixtures.Ask(t, dir, "rev-parse", "--verify", "-q", rev+"^{tree}")
	if answer.Code != 0 {
		return reader.Empty, false
	}
	return reader.Tree(plumbing.NewHash(strings.TrimSpace(string(answer.Out)))), true
}

// sameChanges compares all pairs of sides with git's.
func sameChanges(t testing.TB, dir string) bool {
	t.Helper()
	repo := openAt(t, dir, "")
	same := true
	check := func(old, new reader.Side, opts reader.ChangeOptions, args ...string) {
		t.Helper()
		want, got := gitNames(t, dir, args...), names(t, repo, old, new, opts)
		if old == reader.WorkTreeSide { // git knows some ids of the old side by chance
			want, got = withoutIDs(want), withoutIDs(got)
		}
		same = assert.Equal(t, want, got, "git diff %v", args) && same
	}
	plain, renames := reader.ChangeOptions{}, reader.ChangeOptions{Renames: true}
	check(reader.IndexSide, reader.WorkTreeSide, plain, "--no-renames")
	check(reader.IndexSide, reader.WorkTreeSide, renames, "-M")
	head, ok := treeOf(t, dir, "HEAD")
	if !ok {
		return same
	}
	check(head, reader.IndexSide, renames, "--cached", "-M")
	check(head, reader.IndexSide, plain, "--cached", "--no-renames")
	check(head, reader.WorkTreeSide, plain, "--no-renames", "HEAD")
	check(reader.WorkTreeSide, head, plain, "-R", "--no-renames", "HEAD")
	if before, ok := treeOf(t, dir, "HEAD~2"); ok {
		check(before, head, renames, "-M", "HEAD~2", "HEAD")
		check(before, head, reader.ChangeOptions{Copies: true, Renames: true}, "-C", "HEAD~2", "HEAD")
		check(before, head, reader.ChangeOptions{CopyHarder: true, Copies: true, Renames: true}, "-C", "-C", "HEAD~2", "HEAD")
		check(head, before, plain, "--no-renames", "HEAD", "HEAD~2")
	}
	return same
}

func TestChangesRandomStates(t *testing.T) {
	fixtures.RequireGit(t)
	for i := range uint64((*statusStates + 24) / 25) {
		seed := *statusSeed + i
		r := fixtures.NewRandom(t, seed, knobs(seed))
		for step := range 25 {
			r.Step()
			if !sameChanges(t, r.Dir) {
				t.Fatalf("seed %d, step %d, in %s", seed, step, r.Dir)
			}
		}
	}
}

func TestChangesScripts(t *testing.T) {
	fixtures.RequireGit(t)
	for name, script := range statusScripts {
		if strings.Contains(script, "diff.renameLimit") {
			continue // the limit is the caller's to read
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sameChanges(t, fixtures.Build(t, script))
		})
	}
}
