package odb_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	gogit "github.com/go-git/go-git-fixtures/v4"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/odb"
)

// TestGoGitFixtures compares every object of every pack of go-git's published
// fixtures.
func TestGoGitFixtures(t *testing.T) {
	seen := map[string]bool{}
	objects := 0
	for _, f := range gogit.All() {
		if f.PackfileHash == "" || seen[f.PackfileHash] || !f.Is("packfile") {
			continue
		}
		seen[f.PackfileHash] = true
		dir := filepath.Join(t.TempDir(), "x")
		fixtures.InitAt(t, dir)
		name := dir + "/.git/objects/pack/pack-" + f.PackfileHash
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		out, err := os.Create(name + ".pack")
		require.NoError(t, err)
		size, err := io.Copy(out, f.Packfile())
		require.NoError(t, err)
		require.NoError(t, out.Close())
		git(t, dir, "", "index-pack", name+".pack")
		for _, noMap := range []bool{false, true} {
			if noMap && size > 1<<20 {
				continue
			}
			objects += equalsGit(t, dir+"/.git", open(t, dir+"/.git", odb.Options{NoMap: noMap}))
		}
	}
	t.Logf("%d packs, %d objects", len(seen), objects)
	require.Greater(t, len(seen), 5)
}
