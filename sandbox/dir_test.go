package sandbox

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostModes says that the host knows permissions.
const hostModes = runtime.GOOS != "wasip1" && runtime.GOOS != "windows"

func TestNamesThatAreRefused(t *testing.T) {
	top := layout(t, map[string]string{"a/b": "x"})
	for backend, w := range backends(t, top, Policy{}) {
		d, err := w.Resolve("")
		require.NoError(t, err)
		for _, name := range []string{
			"", ".", "..", "/", "a/", "/a", "a//b", "a/../a", "./a", "a/.", "a/..", "a\x00b", "\x00", "a/b\x00", "a/b/",
		} {
			calls := map[string]func() error{
				"Lstat":    func() error { _, err := d.Lstat(name); return err },
				"Open":     func() error { _, err := d.Open(name); return err },
				"OpenDir":  func() error { _, err := d.OpenDir(name); return err },
				"Readlink": func() error { _, err := d.Readlink(name); return err },
				"Create":   func() error { _, err := d.Create(name, 0o666); return err },
				"MkdirAll": func() error { _, err := d.MkdirAll(name); return err },
				"Rename":   func() error { return d.Rename("a/b", name) },
				"Remove":   func() error { return d.Remove(name) },
				"Follow":   func() error { _, err := d.OpenFollow(name); return err },
			}
			for call, do := range calls {
				err := do()
				var bad *NameError
				require.ErrorAs(t, err, &bad, "%s %s %q", backend, call, name)
				require.Equal(t, name, bad.Name)
				require.ErrorIs(t, err, fs.ErrInvalid)
			}
		}
		require.NoError(t, d.Close())
	}
	require.EqualError(t, checkName("a\x00b"), `invalid path "a\x00b": NUL byte`)
}

func TestReading(t *testing.T) {
	top := layout(t, map[string]string{
		"a/b/c.txt": "hello",
		"a/link":    "-> b",
		"a/flink":   "-> b/c.txt",
		"empty":     "",
	})
	require.NoError(t, os.Chmod(filepath.Join(top, "a/b/c.txt"), 0o751))
	all := backends(t, top, Policy{})
	var err error
	all["fs"], err = FromFS(os.DirFS(top), Policy{})
	require.NoError(t, err)
	for name, w := range all {
		t.Run(name, func(t *testing.T) {
			d, err := w.Resolve("")
			require.NoError(t, err)
			defer d.Close()

			st, err := d.Lstat("a/b/c.txt")
			require.NoError(t, err)
			info, err := os.Lstat(filepath.Join(top, "a/b/c.txt"))
			require.NoError(t, err)
			require.Equal(t, statOfInfo(info), st)
			require.True(t, st.IsRegular())
			if hostModes {
				require.EqualValues(t, 0o751, st.Mode.Perm())
			}

			st, err = d.Lstat("a/link")
			require.NoError(t, err)
			require.True(t, st.IsSymlink())
			target, err := d.Readlink("a/flink")
			require.NoError(t, err)
			require.Equal(t, "b/c.txt", target)

			for _, name := range []string{"a/link/c.txt", "a/flink", "a/link"} {
				_, err = d.Open(name)
				require.ErrorIs(t, err, ErrSymlink, name)
				_, err = d.OpenDir(name)
				require.ErrorIs(t, err, ErrSymlink, name)
			}
			_, err = d.Open("a/b")
			require.ErrorIs(t, err, ErrNotRegular)
			_, err = d.OpenDir("a/b/c.txt")
			require.ErrorIs(t, err, ErrNotDir)
			require.NotErrorIs(t, err, fs.ErrNotExist)
			_, err = d.Lstat("a/b/c.txt/below")
			require.ErrorIs(t, err, ErrNotDir)
			require.ErrorIs(t, err, fs.ErrNotExist)
			_, err = d.Lstat("missing")
			require.ErrorIs(t, err, fs.ErrNotExist)
			_, err = d.Lstat("missing/too")
			require.ErrorIs(t, err, fs.ErrNotExist)
			_, err = d.Lstat(strings.Repeat("x", 300))
			require.Error(t, err)

			data, err := d.ReadFile("a/b/c.txt", 0)
			require.NoError(t, err)
			require.Equal(t, "hello", string(data))
			_, err = d.ReadFile("a/b/c.txt", 4)
			var limit *LimitError
			require.ErrorAs(t, err, &limit)
			data, err = d.ReadFile("empty", 5)
			require.NoError(t, err)
			require.Empty(t, data)

			sub, err := d.OpenDir("a")
			require.NoError(t, err)
			defer sub.Close()
			st, err = sub.Stat()
			require.NoError(t, err)
			require.True(t, st.IsDir())
			for range 2 { // a second reading begins anew
				entries, err := sub.ReadDir()
				require.NoError(t, err)
				slices.SortFunc(entries, func(x, y Entry) int { return strings.Compare(x.Name, y.Name) })
				require.Equal(t, []Entry{{"b", fs.ModeDir}, {"flink", fs.ModeSymlink}, {"link", fs.ModeSymlink}}, entries)
			}
		})
	}
}

func TestFilePositions(t *testing.T) {
	top := layout(t, map[string]string{"f": "0123456789"})
	all := backends(t, top, Policy{})
	for name, fsys := range map[string]fs.FS{"fs": os.DirFS(top), "stream": streamFS{os.DirFS(top)}} {
		w, err := FromFS(fsys, Policy{})
		require.NoError(t, err)
		all[name] = w
	}
	for name, w := range all {
		t.Run(name, func(t *testing.T) {
			d, err := w.Resolve("")
			require.NoError(t, err)
			f, err := d.Open("f")
			require.NoError(t, err)
			require.EqualValues(t, 10, f.Size())
			require.Equal(t, f.Path(), d.Path()+strings.TrimPrefix("/f", strings.Repeat("/", btoi(d.Path() == "/"))))
			buf := make([]byte, 4)
			n, err := f.Read(buf)
			require.NoError(t, err)
			require.Equal(t, "0123", string(buf[:n]))
			n, err = f.ReadAt(buf, 8)
			require.Equal(t, io.EOF, err)
			require.Equal(t, "89", string(buf[:n]))
			n, err = f.ReadAt(buf, 1)
			require.NoError(t, err)
			require.Equal(t, "1234", string(buf[:n]))
			_, err = f.ReadAt(buf, 100)
			require.Equal(t, io.EOF, err)
			rest, err := io.ReadAll(f)
			require.NoError(t, err)
			require.Equal(t, "456789", string(rest))
			_, err = f.Write([]byte("x"))
			require.ErrorIs(t, err, fs.ErrPermission)
			require.NoError(t, f.Close())
			_, err = f.Read(buf)
			require.Error(t, err)
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// streamFS hides that files can be read by position.
type streamFS struct{ fs.FS }

func (s streamFS) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return f, err
	}
	return struct{ fs.File }{f}, nil
}

func TestReadDirOfManyNames(t *testing.T) {
	top := t.TempDir()
	want := map[string]bool{}
	for i := range 3000 {
		name := strings.Repeat("n", i%200+1) + string(rune('a'+i%26)) + strings.Repeat("0", i/200)
		want[name] = true
		require.NoError(t, os.WriteFile(filepath.Join(top, name), nil, 0o666))
	}
	for backend, w := range backends(t, top, Policy{}) {
		d, err := w.Resolve("")
		require.NoError(t, err)
		entries, err := d.ReadDir()
		require.NoError(t, err)
		require.Len(t, entries, len(want), backend)
		for _, e := range entries {
			require.True(t, want[e.Name])
			require.Zero(t, e.Type)
		}
		require.NoError(t, d.Close())
	}
}

func TestFromFSRefusesWrites(t *testing.T) {
	w, err := FromFS(os.DirFS(layout(t, map[string]string{"d/f": "x"})), Policy{})
	require.NoError(t, err)
	require.True(t, w.ReadOnly())
	refusesWrites(t, w)
	_, err = w.Resolve("/d/f")
	require.ErrorIs(t, err, ErrNotDir)
	_, err = w.Resolve("d")
	require.ErrorIs(t, err, ErrRelativeCwd)
	d, err := w.Resolve("/../d/./")
	require.NoError(t, err)
	require.Equal(t, "/d", d.Path())
}

func refusesWrites(t *testing.T, w *Workspace) {
	t.Helper()
	d, err := w.Resolve("")
	require.NoError(t, err)
	defer d.Close()
	_, createErr := d.Create("new", 0o666)
	_, mkdirErr := d.MkdirAll("x/y")
	for i, err := range []error{
		createErr, mkdirErr, d.Rename("d/f", "g"), d.Remove("d/f"), d.Rmdir("d"), d.Mkdir("e", 0o777),
		d.Symlink("x", "l"), d.Chmod("d", 0o700), d.Sync(),
	} {
		require.ErrorIs(t, err, ErrReadOnly, "%d", i)
		require.ErrorIs(t, err, fs.ErrPermission, "%d", i)
	}
}
