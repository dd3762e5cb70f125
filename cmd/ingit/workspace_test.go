package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

func TestOwnWorkspace(t *testing.T) {
	top := fixtures.Build(t, `
git init -q -b main repo
cd repo
mkdir -p sub/deep
printf x > sub/deep/f
commit one
git worktree add -q ../linked
git init -q --bare ../bare.git
mkdir ../forged ../plain ../broken
printf 'gitdir: ../repo/.git/worktrees/linked\n' > ../forged/.git
mkdir ../repo/sub/.git
git -c protocol.file.allow=always submodule --quiet add -f "$PWD" module
mkdir ../thief
printf 'gitdir: ../repo/.git/modules/module\n' > ../thief/.git
`)
	for _, test := range []struct {
		dir, root string
		allowed   []string
	}{
		{"repo", "repo", nil},
		{"repo/sub/deep", "repo", nil}, // sub/.git is no repository
		{"repo/.git/refs", "repo/.git", nil},
		{"bare.git", "bare.git", nil},
		{"linked", "linked", []string{"repo/.git"}},
		{"repo/module", "repo/module", []string{"repo/.git/modules/module"}},
		{"thief", "thief", nil},   // so does the submodule's
		{"forged", "forged", nil}, // the repository knows another folder
		{"plain", "plain", nil},
	} {
		root, allowed := ownWorkspace(filepath.Join(top, test.dir))
		assert.Equal(t, filepath.Join(top, test.root), root, test.dir)
		var want []string
		for _, dir := range test.allowed {
			want = append(want, filepath.Join(top, dir))
		}
		assert.Equal(t, want, allowed, test.dir)
	}

	link := filepath.Join(top, "link")
	require.NoError(t, os.Symlink("repo/sub", link))
	root, _ := ownWorkspace(link)
	assert.Equal(t, filepath.Join(top, "repo"), root)
}

func TestUserConfig(t *testing.T) {
	for _, test := range []struct {
		env    map[string]string
		system string
		global []string
		home   string
	}{
		{map[string]string{"HOME": "/home/u"}, "/etc/gitconfig", []string{"/home/u/.config/git/config", "/home/u/.gitconfig"}, "/home/u/.config"},
		{map[string]string{"HOME": "/home/u", "XDG_CONFIG_HOME": "/x"}, "/etc/gitconfig", []string{"/x/git/config", "/home/u/.gitconfig"}, "/x"},
		{map[string]string{"XDG_CONFIG_HOME": "/x"}, "/etc/gitconfig", []string{"/x/git/config"}, "/x"},
		{map[string]string{"HOME": "/home/u", "GIT_CONFIG_GLOBAL": "/g"}, "/etc/gitconfig", []string{"/g"}, "/home/u/.config"},
		{map[string]string{"GIT_CONFIG_GLOBAL": ""}, "/etc/gitconfig", nil, ""},
		{map[string]string{"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_SYSTEM": "/s"}, "", nil, ""},
		{map[string]string{"GIT_CONFIG_NOSYSTEM": "Off", "GIT_CONFIG_SYSTEM": "/s"}, "/s", nil, ""},
	} {
		u := userConfig(func(name string) (string, bool) { v, ok := test.env[name]; return v, ok })
		assert.Equal(t, test.system, u.SystemConfig, "%v", test.env)
		assert.Equal(t, test.global, u.GlobalConfig, "%v", test.env)
		assert.Equal(t, test.home, u.ConfigHome, "%v", test.env)
	}
}
