package billyfs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/memfs"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-billy/v5/util"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/sandbox/billyfs"
)

func TestWorkspaceOverBilly(t *testing.T) {
	host := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(host, "secret"), []byte("KEEP-OUT"), 0o666))
	require.NoError(t, os.Mkdir(filepath.Join(host, "ws"), 0o777))
	for name, source := range map[string]billy.Filesystem{
		"memfs": memfs.New(), "osfs": osfs.New(filepath.Join(host, "ws"), osfs.WithBoundOS()),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, util.WriteFile(source, "a/b/f", []byte("hello"), 0o644))
			require.NoError(t, source.Symlink("b/f", "a/in"))
			require.NoError(t, source.Symlink("../../secret", "a/out"))
			w, err := sandbox.FromFS(billyfs.New(source), sandbox.Policy{})
			require.NoError(t, err)
			top, err := w.Resolve("")
			require.NoError(t, err)
			data, err := top.ReadFile("a/b/f", 0)
			require.NoError(t, err)
			require.Equal(t, "hello", string(data))
			_, err = top.Open("a/in")
			require.ErrorIs(t, err, sandbox.ErrSymlink)
			f, err := top.OpenFollow("a/in")
			require.NoError(t, err)
			require.EqualValues(t, 5, f.Size())
			require.NoError(t, f.Close())
			_, err = top.OpenFollow("a/out")
			require.ErrorIs(t, err, fs.ErrNotExist, "nothing lies above the top")
			d, err := top.OpenDir("a")
			require.NoError(t, err)
			entries, err := d.ReadDir()
			require.NoError(t, err)
			require.Len(t, entries, 3)
			_, err = top.Lstat("missing")
			require.ErrorIs(t, err, fs.ErrNotExist)
			_, err = top.Create("x", 0o666)
			require.ErrorIs(t, err, sandbox.ErrReadOnly)
		})
	}
}
