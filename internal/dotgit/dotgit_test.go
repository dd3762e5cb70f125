package dotgit_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/internal/dotgit"
)

func TestGit(t *testing.T) {
	for _, name := range []string{".git", ".GIT", ".g\u200cit", ".git\ufeff"} {
		assert.True(t, dotgit.HFSGit(name), "%q", name)
	}
	for _, name := range []string{".git ", "git", ".g\u0130t", ".git\xff"} {
		assert.False(t, dotgit.HFSGit(name), "%q", name)
	}
	for _, name := range []string{".git", ".GiT", ".git. .", ".git::$INDEX_ALLOCATION", "git~1", "GIT~1 "} {
		assert.True(t, dotgit.NTFSGit(name), "%q", name)
	}
	for _, name := range []string{"git~2", ".gitx", ".g\u0130t", "..git", ".git\u200c"} {
		assert.False(t, dotgit.NTFSGit(name), "%q", name)
	}
}

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		file dotgit.File
		name string
		ntfs bool
	}{
		{dotgit.Modules, ".GitModules .", true},
		{dotgit.Modules, "gitmod~1", true},
		{dotgit.Modules, "gitmod~4:stream", true},
		{dotgit.Modules, "gitmod~5", false},
		{dotgit.Modules, "gitmod~10", false},
		{dotgit.Modules, "gi7eba~1", true},
		{dotgit.Modules, "gi7eb~10", true},
		{dotgit.Modules, "gi7eb~01", false},
		{dotgit.Modules, "GI7E~123", true},
		{dotgit.Modules, "~1234567", true},
		{dotgit.Modules, "gi7d29~1", false},
		{dotgit.Attributes, "gi7d29~9", true},
		{dotgit.Attributes, "gitatt~2", true},
		{dotgit.Ignore, "gitign~1", true},
		{dotgit.Ignore, "gi250a~1", true},
		{dotgit.Mailmap, "mailma~3", true},
		{dotgit.Mailmap, "maba30~1", true},
		{dotgit.Mailmap, "mailmap", false},
	} {
		assert.Equal(t, c.ntfs, c.file.NTFS(c.name), "%s %q", c.file, c.name)
	}
	assert.True(t, dotgit.Modules.HFS(".git\u206amodules"))
	assert.False(t, dotgit.Modules.HFS("gitmod~1"))
}
