package sandbox_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/sandbox"
)

func TestAppendAddsAtTheEndAndFollowsNoLink(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "log"), []byte("one\n"), 0o600))
	require.NoError(t, os.Symlink("log", filepath.Join(root, "link")))
	require.NoError(t, os.Mkdir(filepath.Join(root, "dir"), 0o700))
	ws, err := sandbox.Open(root, sandbox.Policy{})
	require.NoError(t, err)
	defer ws.Close()
	dir, err := ws.Resolve("")
	require.NoError(t, err)
	defer dir.Close()

	for name, text := range map[string]string{"log": "two\n", "new": "first\n"} {
		f, err := dir.Append(name, 0o666)
		require.NoError(t, err)
		_, err = f.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	for name, want := range map[string]string{"log": "one\ntwo\n", "new": "first\n"} {
		got, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	_, err = dir.Append("link", 0o666)
	require.ErrorIs(t, err, sandbox.ErrSymlink)
	_, err = dir.Append("dir", 0o666)
	require.Error(t, err)
}
