package gitconfig

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

func TestAddLikeGitConfig(t *testing.T) {
	fixtures.RequireGit(t)
	for _, c := range []struct{ name, file, subsection string }{
		{"empty", "", "topic"},
		{"no such section", "[core]\n\tbare = false\n", "topic"},
		{"without a last line end", "[core]\n\tbare = false", "topic"},
		{"there already", "[branch \"topic\"]\n\tdescription = x\n[core]\n\tbare = false\n", "topic"},
		{"another's", "[branch \"other\"]\n\tremote = x\n", "topic"},
		{"name to be quoted", "", `a"b\c`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "config")
			require.NoError(t, os.WriteFile(file, []byte(c.file), 0o600))
			for _, p := range []Pair{{"remote", "origin"}, {"merge", "refs/heads/" + c.subsection}} {
				fixtures.Git(t, dir, "config", "--file", file, "branch."+c.subsection+"."+p.Key, p.Value)
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			got, err := Add([]byte(c.file), "branch", c.subsection, []Pair{{"remote", "origin"}, {"merge", "refs/heads/" + c.subsection}})
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
		})
	}
}
