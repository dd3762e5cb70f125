package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadDirUnless(t *testing.T) {
	top := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(top, ".git"), 0o755))
	for i := range 3000 { // more than one call's buffer holds
		require.NoError(t, os.WriteFile(filepath.Join(top, "a longer name to fill the buffer "+strconv.Itoa(i)), nil, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(top, ".gitignore"), nil, 0o644))
	ws, err := Open(top, Policy{})
	require.NoError(t, err)
	dir, err := ws.Resolve("")
	require.NoError(t, err)
	for range 2 {
		entries, more, err := dir.ReadDirUnless(3001, nil)
		require.NoError(t, err)
		assert.False(t, more)
		assert.Empty(t, entries)
		entries, more, err = dir.ReadDirUnless(3000, nil)
		require.NoError(t, err)
		assert.True(t, more)
		assert.Len(t, entries, 3002)
		all, err := dir.ReadDir()
		require.NoError(t, err)
		assert.ElementsMatch(t, all, entries)
	}
}
