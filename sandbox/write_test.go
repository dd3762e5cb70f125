package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWriting(t *testing.T) {
	for _, backend := range []string{"host", "os.Root", "step by step"} {
		t.Run(backend, func(t *testing.T) {
			top := layout(t, map[string]string{
				"d/old": "old", "ws/": "", "out/secret": "s", "l": "-> out", "dangling": "-> out/made",
			})
			at := func(name string) string { return filepath.Join(top, name) }
			d, err := backends(t, top, Policy{})[backend].Resolve("")
			require.NoError(t, err)
			defer d.Close()

			f, err := d.Create("d/new", 0o644)
			require.NoError(t, err)
			n, err := f.Write([]byte("some text"))
			require.NoError(t, err)
			require.Equal(t, 9, n)
			require.NoError(t, f.Sync())
			require.NoError(t, f.Chmod(0o600))
			st, err := f.Refresh()
			require.NoError(t, err)
			require.EqualValues(t, 9, st.Size)
			if hostModes {
				require.EqualValues(t, 0o600, st.Mode)
			}
			require.NoError(t, f.Close())

			for _, name := range []string{"d/log", "d/log"} {
				f, err = d.Append(name, 0o644)
				require.NoError(t, err)
				_, err = f.Write([]byte("line\n"))
				require.NoError(t, err)
				require.NoError(t, f.Close())
			}
			log, err := d.ReadFile("d/log", 0)
			require.NoError(t, err)
			require.Equal(t, "line\nline\n", string(log))
			require.NoError(t, d.Remove("d/log"))
			_, err = d.Append("dangling", 0o644)
			require.ErrorIs(t, err, ErrSymlink)
			_, err = d.Append("d", 0o644)
			require.Error(t, err)

			for _, name := range []string{"d/new", "d", "dangling", "l"} {
				_, err = d.Create(name, 0o644)
				require.ErrorIs(t, err, fs.ErrExist, name)
			}
			require.NoFileExists(t, at("out/made"))
			_, err = d.Create("l/x", 0o644)
			require.ErrorIs(t, err, ErrSymlink)

			require.NoError(t, d.Rename("d/new", "ws/moved"))
			require.FileExists(t, at("ws/moved"))
			require.NoError(t, d.Rename("ws/moved", "d/old"))
			data, err := os.ReadFile(at("d/old"))
			require.NoError(t, err)
			require.Equal(t, "some text", string(data))
			require.ErrorIs(t, d.Rename("d/old", "l/x"), ErrSymlink)
			require.ErrorIs(t, d.Rename("missing", "x"), fs.ErrNotExist)

			sub, err := d.OpenDir("d")
			require.NoError(t, err)
			require.NoError(t, sub.RenameTo("old", d, "top"))
			require.NoError(t, sub.Sync())
			exchange(t, d, sub)
			unnamed(t, d, sub)
			require.NoError(t, sub.Close())

			require.Error(t, d.Remove("d"), "a directory")
			require.Error(t, d.Rmdir("top"), "a file")
			require.DirExists(t, at("d"))
			require.NoError(t, d.Chmod("top", 0o755))
			require.ErrorIs(t, d.Chmod("l", 0o755), ErrSymlink)
			require.NoError(t, d.Chmod("top", 0))
			require.NoError(t, d.Chmod("top", 0o400))
			require.NoError(t, d.Remove("top"))
			require.NoError(t, d.Remove("l"), "the link, not what it leads to")
			require.DirExists(t, at("out"))
			require.NoError(t, d.Rmdir("d"))
			require.NoError(t, d.Mkdir("e", 0o777))
			require.ErrorIs(t, d.Mkdir("e", 0o777), fs.ErrExist)
			require.NoError(t, d.Symlink("../anywhere", "e/link"))

			deep, err := d.MkdirAll("e/f/g/h")
			require.NoError(t, err)
			require.Equal(t, at("e/f/g/h"), deep.Path())
			require.NoError(t, deep.Close())
			_, err = d.MkdirAll("e/link/x")
			require.ErrorIs(t, err, ErrSymlink)
			_, err = d.MkdirAll("out/secret/x")
			require.ErrorIs(t, err, ErrNotDir)
		})
	}
}

func TestReadOnlyPolicy(t *testing.T) {
	top := layout(t, map[string]string{"d/f": "x"})
	refusesWrites(t, open(t, top, Policy{ReadOnly: true}))
	require.FileExists(t, filepath.Join(top, "d/f"))
}

func TestHookSeesAndFailsWrites(t *testing.T) {
	top := layout(t, map[string]string{"d/": ""})
	var calls []Call
	fail := Op(-1)
	broken := errors.New("disk is gone")
	w := open(t, top, Policy{}).WithHook(func(c Call) error {
		calls = append(calls, c)
		if c.Op == fail {
			return broken
		}
		return nil
	})
	d, err := w.Resolve("")
	require.NoError(t, err)
	defer d.Close()
	f, err := d.Create("d/f", 0o644)
	require.NoError(t, err)
	_, err = f.Write([]byte("abc"))
	require.NoError(t, err)
	require.NoError(t, f.Sync())
	require.NoError(t, d.Rename("d/f", "g"))
	require.NoError(t, d.Symlink("t", "l"))
	require.NoError(t, d.Sync())
	require.Equal(t, []Call{
		{Op: OpCreate, Path: top + "/d/f"},
		{Op: OpWrite, Path: top + "/d/f", Size: 3},
		{Op: OpSync, Path: top + "/d/f"},
		{Op: OpRename, Path: top + "/d/f", New: top + "/g"},
		{Op: OpSymlink, Path: top + "/l", New: "t"},
		{Op: OpSyncDir, Path: top},
	}, calls)

	fail = OpRemove
	require.ErrorIs(t, d.Remove("g"), broken)
	require.FileExists(t, filepath.Join(top, "g"))
	require.NoError(t, f.Close())
	require.Equal(t, "rename", OpRename.String())
}

func TestHookTearsAWrite(t *testing.T) {
	top := layout(t, map[string]string{"d/": ""})
	broken := errors.New("power cut")
	w := open(t, top, Policy{}).WithHook(func(c Call) error {
		if c.Op == OpWrite {
			return &TornWrite{Size: 2, Err: broken}
		}
		return nil
	})
	d, err := w.Resolve("")
	require.NoError(t, err)
	f, err := d.Create("f", 0o644)
	require.NoError(t, err)
	n, err := f.Write([]byte("abcdef"))
	require.Equal(t, 2, n)
	require.ErrorIs(t, err, broken)
	data, err := os.ReadFile(filepath.Join(top, "f"))
	require.NoError(t, err)
	require.Equal(t, "ab", string(data))
}

// exchange lets a file and a directory change places where the host can, and back.
func exchange(t *testing.T, d, sub *Dir) {
	require.NoError(t, sub.Mkdir("dir", 0o777))
	defer func() { require.NoError(t, sub.Rmdir("dir")) }()
	err := d.Exchange("top", sub, "dir")
	if errors.Is(err, errors.ErrUnsupported) {
		return
	}
	require.NoError(t, err)
	st, err := d.Lstat("top")
	require.NoError(t, err)
	require.True(t, st.IsDir())
	require.NoError(t, d.Exchange("top", sub, "dir"))
	require.ErrorIs(t, d.Exchange("top", sub, "missing"), fs.ErrNotExist)
}

// unnamed writes a file that has no name before it is whole, where the host can.
func unnamed(t *testing.T, d, sub *Dir) {
	f, err := sub.CreateUnnamed(0o644)
	if errors.Is(err, errors.ErrUnsupported) {
		return
	}
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Write([]byte("whole"))
	require.NoError(t, err)
	entries, err := sub.ReadDir()
	require.NoError(t, err)
	require.Empty(t, entries)
	err = f.Link(d, "top")
	if errors.Is(err, errors.ErrUnsupported) {
		return
	}
	require.ErrorIs(t, err, fs.ErrExist)
	require.NoError(t, f.Link(d, "named"))
	data, err := d.ReadFile("named", 0)
	require.NoError(t, err)
	require.Equal(t, "whole", string(data))
	require.NoError(t, d.Remove("named"))
}
