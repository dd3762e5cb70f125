package compat

import (
	"flag"
	"regexp"
	"strings"
	"testing"

	published "github.com/go-git/go-git-fixtures/v4"
	"github.com/ingit-dev/ingit/fixtures"
)

var blamed = flag.Int("compat.blamed", 6, "how many files of a revision to blame; 0: all")

// uncommitted is the time of day, which uncommitted lines have.
var uncommitted = regexp.MustCompile(`(?m)^(author|committer)-time \d+\n(?:author|committer)-tz \+0000\n(?:committer Not Committed Yet|summary Version of )`)

// TestBlame compares blame of the files of the repositories that go-git is
// tested with, at their heads and at older commits, and with edits.
func TestBlame(t *testing.T) {
	fixtures.RequireGit(t)
	for _, f := range published.All() {
		t.Run(fixtureName(f), func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, f)
			for _, top := range workTrees(t, dir) {
				s := openWithin(t, dir, top)
				for _, rev := range spread(words(t, top, "rev-list", "-n", "300", "HEAD"), 2) {
					s.check(t, stateName("as published"), blames(t, top, rev)...)
				}
				edit(t, top)
				s.check(t, stateName("with edits"), blames(t, top, "")...)
			}
		})
	}
}

// words is what git lists.
func words(t *testing.T, dir string, args ...string) []string {
	t.Helper()
	return strings.Fields(string(fixtures.Command{Dir: dir}.Run(t, args...).Out))
}

// spread takes n of a list, evenly; 0 is all.
func spread(list []string, n int) []string {
	if n == 0 || len(list) <= n {
		return list
	}
	var some []string
	for i := range n {
		some = append(some, list[i*len(list)/n])
	}
	return some
}

// blames asks about files of a revision; "" is the work tree.
func blames(t *testing.T, top, rev string) []request {
	t.Helper()
	args := []string{"ls-files", "-z"}
	if rev != "" {
		args = []string{"ls-tree", "-rz", "--name-only", rev}
	}
	list := strings.Split(strings.TrimSuffix(string(fixtures.Command{Dir: top}.Run(t, args...).Out), "\x00"), "\x00")
	var requests []request
	for i, path := range spread(list, *blamed) {
		if path == "" || strings.ContainsAny(path, ";|<>`") { // refused by the policy
			continue
		}
		q := request{"operation": "blame", "path": path}
		if rev != "" {
			q["rev"], q["porcelain"] = rev, i%3 > 0
		}
		requests = append(requests, q)
	}
	return requests
}
