package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every way to fail and to succeed gives back the descriptors that it opened.
func TestNoDescriptorStaysOpen(t *testing.T) {
	top := layout(t, map[string]string{
		"ws/a/b/c/f": "x", "ws/link": "-> a/b", "ws/out": "-> ../other", "ws/loop": "-> loop", "ws/a/up": "-> ../../..", "other/": "",
	})
	for name, w := range backends(t, filepath.Join(top, "ws"), Policy{}) {
		d, err := w.Resolve("")
		require.NoError(t, err)
		use := func() {
			for _, path := range []string{"a", "a/b/c", "a/b/c/f", "link/c", "link/c/f", "out", "loop", "a/up", "a/b/../b/x", "..", "a/b/c/f/g"} {
				if sub, err := w.OpenDir(w.Root() + "/" + path); err == nil {
					require.NoError(t, sub.Close())
				}
				if f, err := w.OpenFile(w.Root() + "/" + path); err == nil {
					require.NoError(t, f.Close())
				}
				if f, err := d.OpenFollow(path); err == nil {
					require.NoError(t, f.Close())
				}
				if sub, err := d.OpenDirFollow(path); err == nil {
					_, err := sub.ReadDir()
					require.NoError(t, err)
					require.NoError(t, sub.Close())
				}
				_, _ = d.Lstat(path)
				_, _ = d.ReadFile(path, 0)
				_ = d.Rename(path+"/x", "a/b/y")
				_ = d.Rename("a/b/c/f", path+"/f/f")
				if sub, err := d.MkdirAll(path + "/made"); err == nil {
					require.NoError(t, sub.Close())
				}
			}
		}
		use()
		before := descriptors(t)
		use()
		require.Equal(t, before, descriptors(t), name)
		require.NoError(t, d.Close())
	}
}

func descriptors(t *testing.T) int {
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}
