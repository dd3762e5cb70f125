package compat

import (
	"bytes"
	"crypto/sha1"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestOldIndexModes compares answers about an index with a mode that git once
// wrote, 0100664: it stands for 0100644 wherever modes are compared.
func TestOldIndexModes(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Init(t)
	fixtures.Write(t, dir, "a", "a\n")
	fixtures.Write(t, dir, "b", "b\n")
	fixtures.Git(t, dir, "add", ".")
	fixtures.Git(t, dir, "commit", "-qm", "first")
	name := filepath.Join(dir, ".git", "index")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	data = bytes.Replace(data[:len(data)-sha1.Size], []byte{0, 0, 0x81, 0xa4}, []byte{0, 0, 0x81, 0xb4}, 1)
	sum := sha1.Sum(data)
	require.NoError(t, os.WriteFile(name, append(data, sum[:]...), 0o644))

	s := open(t, dir)
	questions := append([]request{{"operation": "diff", "from": "HEAD"}, {"operation": "status", "format": "short"}}, everyState...)
	s.check(t, stateName("as it is"), questions...)
	fixtures.Write(t, dir, "a", "changed\n")
	s.check(t, stateName("content changed"), questions...)
	require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o755))
	s.check(t, stateName("mode changed"), questions...)
	fixtures.Git(t, dir, "config", "core.fileMode", "false")
	s.check(t, stateName("mode not trusted"), questions...)
}
