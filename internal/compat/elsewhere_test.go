package compat

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

var repositories = flag.String("compat.repositories", "", "a folder: compare every repository below it, bare ones too")

// TestElsewhere compares repositories that others have made, such as those that
// other implementations are tested with: as they are, and those with a work
// tree again with edits. They are changed. A local run.
func TestElsewhere(t *testing.T) {
	fixtures.RequireGit(t)
	if *repositories == "" {
		t.Skip("needs -compat.repositories")
	}
	root, err := filepath.EvalSymlinks(*repositories)
	require.NoError(t, err)
	for _, dir := range repositoriesBelow(t, root) {
		name, err := filepath.Rel(root, dir)
		require.NoError(t, err)
		t.Run(name, func(t *testing.T) {
			s := openWithin(t, root, dir)
			s.check(t, stateName(name), append(everyQuestion(t, dir), everyState...)...)
			if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
				return
			}
			edit(t, dir)
			s.check(t, stateName(name+", with edits"), everyState...)
			fixtures.Command{Dir: dir}.Run(t, "add", "-A")
			s.check(t, stateName(name+", with edits added"), everyState...)
		})
	}
}

// repositoriesBelow finds work trees and bare repositories.
func repositoriesBelow(t *testing.T, root string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch _, headless := os.Lstat(filepath.Join(path, "HEAD")); {
		case err != nil:
			return err
		case d.Name() == ".git":
			found = append(found, filepath.Dir(path))
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.IsDir() && headless == nil:
			found = append(found, path)
			return filepath.SkipDir
		}
		return nil
	}))
	return found
}

// everyQuestion is what a repository is asked beside everyState: its history,
// its refs, some commits and files of it.
func everyQuestion(t *testing.T, dir string) []request {
	t.Helper()
	all := []request{
		{"operation": "log", "limit": 1000}, {"operation": "log", "limit": 1000, "all": true},
		{"operation": "log", "limit": 200, "all": true, "order": "topo"}, {"operation": "log", "limit": 50, "stat": true},
		{"operation": "log", "limit": 50, "name_status": true, "first_parent": true},
		{"operation": "status", "format": "short", "ignored": true}, {"operation": "status", "format": "long"},
		{"operation": "status", "untracked": "all"}, {"operation": "ls_tree", "rev": "HEAD", "recursive": true, "long": true},
	}
	revs := strings.Fields(string(fixtures.Command{Dir: dir}.Run(t, "rev-list", "--all", "--max-count=40").Out))
	names := strings.Fields(string(fixtures.Command{Dir: dir}.Run(t, "for-each-ref", "--format=%(refname)", "--count=40").Out))
	for _, rev := range append(names, revs...) {
		all = append(all, request{"operation": "show", "rev": rev}, request{"operation": "show", "rev": rev, "stat": true},
			request{"operation": "cat_file", "object": rev})
	}
	if len(revs) > 0 {
		for _, algorithm := range []string{"myers", "patience", "histogram"} {
			all = append(all, request{"operation": "diff", "from": revs[len(revs)-1], "to": revs[0], "algorithm": algorithm})
		}
		all = append(all, request{"operation": "diff", "from": revs[len(revs)-1]}, request{"operation": "diff", "from": revs[0], "name_status": true})
	}
	files := strings.Split(string(fixtures.Command{Dir: dir}.Run(t, "ls-tree", "-r", "--name-only", "-z", "HEAD").Out), "\x00")
	for _, file := range files[:min(len(files)-1, 20)] {
		all = append(all, request{"operation": "blame", "path": file, "rev": "HEAD"}, request{"operation": "log", "path": file},
			request{"operation": "log", "path": file, "follow": true})
	}
	return all
}
