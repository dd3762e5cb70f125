package reader_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

func TestProvenance(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Build(t, `
git init -q -b main .; echo 1 > f; commit one; git tag old; echo 2 > f; commit two; git tag light; git tag -a -m x v1; git checkout -q -b work
git remote add origin 'https://me:secret@example.com/repo.git?token=x'; git remote add fork ssh://git:pw@example.com/fork.git
git config branch.work.remote fork; git config branch.work.merge refs/heads/work; git config remote.fork.fetch '+refs/heads/*:refs/remotes/fork/*'
`)
	got, err := mustOpen(t, dir).Provenance(context.Background())
	require.NoError(t, err)
	head := strings.TrimSpace(string(fixtures.Git(t, dir, "rev-parse", "HEAD")))
	assert.Equal(t, head, got.Head.String())
	assert.Equal(t, reader.Provenance{Head: got.Head, Branch: "work", Upstream: "refs/remotes/fork/work", Tags: []string{"light", "v1"}, Nearest: "v1", Remote: "ssh://git@example.com/fork.git"}, got)
	write(t, dir, "f", "changed")
	fixtures.Git(t, dir, "checkout", "-q", "--detach")
	got, err = mustOpen(t, dir).Provenance(context.Background())
	require.NoError(t, err)
	assert.Equal(t, reader.Provenance{Head: got.Head, Tags: []string{"light", "v1"}, Nearest: "v1", Remote: "https://example.com/repo.git", Dirty: true}, got)

	fixtures.Git(t, dir, "symbolic-ref", "HEAD", "refs/heads/unborn")
	got, err = mustOpen(t, dir).Provenance(context.Background())
	require.NoError(t, err)
	assert.True(t, got.Head.IsZero() && got.Branch == "unborn" && got.Nearest == "")
}

func TestWithoutCredentials(t *testing.T) {
	for url, want := range map[string]string{
		"https://a:b@h/p": "https://h/p", "https://token@h": "https://h", "https://a:b@c@h/p@q": "https://h/p@q", "git@h:p": "git@h:p", "/path/x@y": "/path/x@y",
		"ssh://git@h:22/p": "ssh://git@h:22/p", "ssh://git:pw@h/p": "ssh://git@h/p", "git+ssh://u:p@h/x": "git+ssh://u@h/x", "http://h:80/p?x=y": "http://h:80/p", "../rel": "../rel", "": "",
	} {
		assert.Equal(t, want, reader.WithoutCredentials(url), url)
	}
}
