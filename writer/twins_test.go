package writer

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// twins are two repositories built alike: git writes to one, ingit to the other.
type twins struct {
	git, ours string
}

// newTwins plays a script of fixtures twice.
func newTwins(t *testing.T, script string) twins {
	t.Helper()
	return twins{git: fixtures.Build(t, script), ours: fixtures.Build(t, script)}
}

// at is when everything happens in a test, as the environment of fixtures says.
var at = time.Unix(fixtures.Clock, 0).UTC()

// people are those of fixtures' environment.
var people = Options{
	Author:    func() (Ident, error) { return Ident{Name: "A U Thor", Email: "author@example.com", When: at}, nil },
	Committer: func() (Ident, error) { return Ident{Name: "C O Mitter", Email: "committer@example.com", When: at}, nil },
	Now:       func() time.Time { return at },
}

// open returns a writer for the repository at dir, where sub is below its top, until the test ends.
func open(t *testing.T, dir, sub string, policy sandbox.Policy) *Writer {
	t.Helper()
	w, done := opened(t, dir, sub, policy)
	t.Cleanup(done)
	return w
}

// opened is open for a test that opens many: done closes all that the writer holds.
func opened(t *testing.T, dir, sub string, policy sandbox.Policy) (w *Writer, done func()) {
	t.Helper()
	ws, err := sandbox.Open(dir, policy)
	require.NoError(t, err)
	cwd, err := ws.Resolve(filepath.Join(dir, sub))
	require.NoError(t, err)
	repo, err := reader.Open(context.Background(), cwd, reader.Options{Now: people.Now})
	require.NoError(t, err)
	w, err = New(repo, people)
	require.NoError(t, err)
	return w, func() {
		repo.Close()
		cwd.Close()
		ws.Close()
	}
}

// apply carries out what was planned, unless planning failed.
func apply(plan *Plan, err error) error {
	if err != nil {
		return err
	}
	return plan.Apply(context.Background())
}

// same fails the test when the repositories differ in anything that git can tell.
func (tw twins) same(t *testing.T) {
	t.Helper()
	require.Empty(t, differences(state(t, tw.git), state(t, tw.ours)))
	fsck := fixtures.Ask(t, tw.ours, "fsck", "--strict", "--no-dangling")
	require.Equal(t, 0, fsck.Code, "fsck: %s%s", fsck.Out, fsck.Err)
}

// state tells all that matters of a repository: HEAD, refs, reflogs, index, files, status.
func state(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	for _, args := range [][]string{
		{"symbolic-ref", "-q", "HEAD"}, {"show-ref", "--head"}, {"ls-files", "-s", "-t", "-v"},
		{"status", "--porcelain=2", "--branch", "--untracked-files=all"}, {"stash", "list"},
		{"config", "--local", "--list"},
	} {
		a := fixtures.Ask(t, dir, args...)
		fmt.Fprintf(&out, "$ git %s: %d\n%s", strings.Join(args, " "), a.Code, a.Out)
	}
	fmt.Fprintf(&out, "$ logs\n%s$ state\n%s$ files\n%s", logs(t, dir), stateOf(dir), files(t, dir))
	return out.String()
}

// logs returns all reflogs as they are stored.
func logs(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	root := filepath.Join(dir, ".git", "logs")
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, _ := os.ReadFile(path)
			rel, _ := filepath.Rel(root, path)
			fmt.Fprintf(&out, "%s:\n%s", rel, data)
		}
		return nil
	})
	return out.String()
}

// stateOf returns the files that tell of operations under way.
func stateOf(dir string) string {
	var out strings.Builder
	entries, _ := os.ReadDir(filepath.Join(dir, ".git"))
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "index" || name == "gc.log" || strings.HasPrefix(name, "sharedindex.") || !e.Type().IsRegular():
		default:
			data, _ := os.ReadFile(filepath.Join(dir, ".git", name))
			fmt.Fprintf(&out, "%s: %q\n", name, data)
		}
	}
	return out.String()
}

// files lists the work tree.
func files(t *testing.T, dir string) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if rel == ".git" {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(rel, "/.git/index") { // a submodule's, with times
			lines = append(lines, rel+" "+describe(path, d))
		}
		return nil
	})
	require.NoError(t, err)
	sort.Strings(lines)
	return strings.Join(lines, "\n") + "\n"
}

func describe(path string, d fs.DirEntry) string {
	switch {
	case d.IsDir():
		return "directory"
	case d.Type()&fs.ModeSymlink != 0:
		target, _ := os.Readlink(path)
		return "-> " + target
	case d.Type().IsRegular():
		info, _ := d.Info()
		data, _ := os.ReadFile(path)
		return fmt.Sprintf("%v %q", info.Mode().Perm(), data)
	}
	return d.Type().String()
}

// plain takes the parts of git's error output that differ between the twins by nature.
func (tw twins) plain(text string) string {
	text = strings.ReplaceAll(text, tw.ours, tw.git)
	return regexp.MustCompile(`(?m)^(fatal|error): `).ReplaceAllString(strings.TrimRight(text, "\n"), "")
}

// differences lists the lines of one text that the other lacks, with a sign.
func differences(want, got string) string {
	var out strings.Builder
	missing := func(sign, from, in string) {
		have := map[string]int{}
		for line := range strings.Lines(in) {
			have[line]++
		}
		for line := range strings.Lines(from) {
			if have[line]--; have[line] < 0 {
				out.WriteString(sign + line)
			}
		}
	}
	missing("-", want, got)
	missing("+", got, want)
	return out.String()
}
