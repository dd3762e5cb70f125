package compat

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestProject compares the project's own repository, in a clone that shares
// its objects. It is skipped where the sources are no repository or a shallow one.
func TestProject(t *testing.T) {
	fixtures.RequireGit(t)
	top, err := filepath.Abs("../..")
	require.NoError(t, err)
	if a := fixtures.Ask(t, top, "rev-parse", "--is-shallow-repository"); string(a.Out) != "false\n" {
		t.Skip("the sources are not a whole repository")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	fixtures.Git(t, dir, "clone", "-q", "--no-local", top, "clone")
	clone := filepath.Join(dir, "clone")
	requests := append([]request{{"operation": "log", "limit": 1000}}, everyState...)
	open(t, clone).check(t, stateName("fresh clone"), requests...)
	edit(t, clone)
	require.NoError(t, os.Rename(filepath.Join(clone, "tools"), filepath.Join(clone, "moved")))
	open(t, clone).check(t, stateName("with edits"), everyState...)
	fixtures.Git(t, clone, "add", "-A")
	open(t, clone).check(t, stateName("with edits added"), everyState...)
}
