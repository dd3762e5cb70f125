package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// layout makes files below a new directory: names ending in "/" are directories, a value beginning
// with "-> " is a link.
func layout(t *testing.T, files map[string]string) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		path := filepath.Join(top, name)
		if name[len(name)-1] == '/' {
			require.NoError(t, os.MkdirAll(path, 0o777))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		if len(text) > 3 && text[:3] == "-> " {
			makeLink(t, text[3:], path)
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return top
}

// makeLink makes a link; some WASI hosts make no absolute ones.
func makeLink(t *testing.T, target, path string) {
	t.Helper()
	err := os.Symlink(target, path)
	if runtime.GOOS == "wasip1" && filepath.IsAbs(target) && errors.Is(err, fs.ErrPermission) {
		t.Skip("the host makes no absolute links")
	}
	require.NoError(t, err)
}

func open(t *testing.T, dir string, p Policy) *Workspace {
	t.Helper()
	w, err := Open(dir, p)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

// backends are the ways to reach the same host directory.
func backends(t *testing.T, dir string, p Policy) map[string]*Workspace {
	t.Helper()
	host := open(t, dir, p)
	h, err := openRoot(dir)
	require.NoError(t, err)
	byRoot := newWorkspace(p)
	byRoot.roots = []*root{{path: host.Root(), alias: host.Root(), h: h}}
	t.Cleanup(func() { byRoot.Close() })
	top, err := host.roots[0].open()
	require.NoError(t, err)
	walked := newWorkspace(p)
	walked.roots = []*root{{path: host.Root(), alias: host.Root(), h: stepHandle{top}}}
	return map[string]*Workspace{"host": host, "os.Root": byRoot, "step by step": walked}
}

// stepHandle hides that the host opens names of several components in one call.
type stepHandle struct{ handle }

func (h stepHandle) openDir(name string) (handle, error) { return step(h.handle.openDir(name)) }
func (h stepHandle) reopen() (handle, error)             { return step(h.handle.reopen()) }
func (h stepHandle) rename(old string, to handle, new string) error {
	return h.handle.rename(old, to.(stepHandle).handle, new)
}

func step(h handle, err error) (handle, error) {
	if err != nil {
		return nil, err
	}
	return stepHandle{h}, nil
}

func TestResolve(t *testing.T) {
	top := layout(t, map[string]string{
		"ws/sub/file":    "x",
		"ws/in":          "-> sub",
		"ws/out":         "-> ../out",
		"ws/absolute":    "-> /etc",
		"ws/loop":        "-> loop",
		"ws/climb":       "-> sub/../../out",
		"out/secret":     "s",
		"allowed/inner/": "",
		"ws-beside/":     "",
		"link-to-ws":     "-> ws",
	})
	at := func(name string) string { return filepath.Join(top, name) }
	w := open(t, at("ws"), Policy{Allowed: []string{at("allowed"), at("missing")}})
	tests := []struct {
		cwd, path string
		err       error
		text      string
	}{
		{cwd: "", path: "ws"},
		{cwd: at("ws"), path: "ws"},
		{cwd: at("ws") + "/", path: "ws"},
		{cwd: at("ws/sub"), path: "ws/sub"},
		{cwd: at("ws") + "/sub/../sub//.", path: "ws/sub"},
		{cwd: at("ws") + "/../ws/sub", path: "ws/sub"},
		{cwd: at("ws/in"), path: "ws/sub"},
		{cwd: at("ws/in") + "/..", path: "ws"},
		{cwd: at("link-to-ws/sub"), path: "ws/sub"},
		{cwd: at("allowed/inner"), path: "allowed/inner"},
		{cwd: at("ws") + "/../allowed", path: "allowed"},
		{cwd: "sub", err: ErrRelativeCwd, text: "cwd must be an absolute path"},
		{cwd: ".", err: ErrRelativeCwd},
		{cwd: at("out"), err: fs.ErrPermission, text: "cwd is outside allowed areas"},
		{cwd: at("out/missing"), err: fs.ErrPermission},
		{cwd: at("ws/out"), err: fs.ErrPermission, text: "cwd is outside allowed areas"},
		{cwd: at("ws/climb"), err: fs.ErrPermission},
		{cwd: at("ws/absolute"), err: fs.ErrPermission},
		{cwd: at("ws-beside"), err: fs.ErrPermission},
		{cwd: at("ws") + "/..", err: fs.ErrPermission},
		{cwd: "/", err: fs.ErrPermission},
		{cwd: at("ws/missing"), err: fs.ErrNotExist},
		{cwd: at("missing"), err: fs.ErrNotExist},
		{cwd: at("ws/loop"), err: ErrTooManyLinks},
		{cwd: at("ws/sub/file"), err: ErrNotDir},
		{cwd: at("ws/sub/file/x"), err: ErrNotDir},
		{cwd: at("ws") + "\x00", err: fs.ErrInvalid},
	}
	for _, tt := range tests {
		d, err := w.Resolve(tt.cwd)
		if tt.err != nil {
			require.ErrorIs(t, err, tt.err, "%q", tt.cwd)
			if tt.text != "" {
				require.EqualError(t, err, tt.text, "%q", tt.cwd)
			}
			continue
		}
		require.NoError(t, err, "%q", tt.cwd)
		require.Equal(t, at(tt.path), d.Path(), "%q", tt.cwd)
		require.NoError(t, d.Close())
	}
}

func TestOpenRefusesRelativeAllowedAndMissingTop(t *testing.T) {
	_, err := Open(t.TempDir(), Policy{Allowed: []string{"relative"}})
	require.EqualError(t, err, `allowed path "relative": must be absolute`)
	_, err = Open(filepath.Join(t.TempDir(), "missing"), Policy{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestWorkspaceAtTheFileSystemsTop(t *testing.T) {
	w := open(t, "/", Policy{})
	dir := layout(t, map[string]string{"a/b": "x"})
	d, err := w.Resolve(dir + "/../../../../../../.." + dir)
	require.NoError(t, err)
	require.Equal(t, dir, d.Path())
	require.NoError(t, d.Close())
	require.True(t, w.Contains(dir))
}

func TestAllowedDirectoryMadeLater(t *testing.T) {
	top := layout(t, map[string]string{"ws/": ""})
	w := open(t, filepath.Join(top, "ws"), Policy{Allowed: []string{filepath.Join(top, "later")}})
	require.NoError(t, os.Mkdir(filepath.Join(top, "later"), 0o777))
	d, err := w.Resolve(filepath.Join(top, "later"))
	require.NoError(t, err)
	require.NoError(t, d.Close())
}

func TestContains(t *testing.T) {
	top := layout(t, map[string]string{"ws/": "", "allowed/": ""})
	w := open(t, filepath.Join(top, "ws"), Policy{Allowed: []string{filepath.Join(top, "allowed")}})
	require.Equal(t, filepath.Join(top, "ws"), w.Root())
	for path, want := range map[string]bool{
		"ws": true, "ws/x": true, "allowed": true, "allowed/x/y": true,
		"ws2": false, "w": false, "": false, "allowed.txt": false,
	} {
		require.Equal(t, want, w.Contains(filepath.Join(top, path)), path)
	}
}

func TestPathsNamedByRepositoryData(t *testing.T) {
	top := layout(t, map[string]string{
		"ws/.git/config":      "c",
		"ws/.git/abs":         "-> ABS",
		"ws/.git/up":          "-> ../../out/secret",
		"ws/.git/inside":      "-> ../sub/file",
		"ws/.git/dirlink":     "-> ../sub",
		"ws/.git/dangling":    "-> nowhere",
		"ws/sub/file":         "f",
		"ws/sub/deep/x":       "x",
		"out/secret":          "KEEP-OUT",
		"out/inner/back":      "-> ../../ws/sub",
		"ws/through-out":      "-> ../out/inner/back/file",
		"ws/sub/deep/parents": "-> ../../../ws/sub/file",
	})
	link := filepath.Join(top, "ws/.git/abs")
	require.NoError(t, os.Remove(link))
	makeLink(t, filepath.Join(top, "ws/sub/file"), link)
	for name, w := range backends(t, filepath.Join(top, "ws"), Policy{}) {
		t.Run(name, func(t *testing.T) {
			git, err := w.OpenDir(top + "/ws/.git")
			require.NoError(t, err)
			defer git.Close()
			for _, tt := range []struct {
				name, want string
				err        error
			}{
				{name: "config", want: "c"},
				{name: "abs", want: "f"},
				{name: "inside", want: "f"},
				{name: "up", err: fs.ErrPermission},
				{name: "dangling", err: fs.ErrNotExist},
				{name: "missing", err: fs.ErrNotExist},
				{name: "dirlink", err: ErrNotRegular},
			} {
				f, err := git.OpenFollow(tt.name)
				if tt.err != nil {
					require.ErrorIs(t, err, tt.err, tt.name)
					continue
				}
				require.NoError(t, err, tt.name)
				data, err := f.ReadAll(0)
				require.NoError(t, err)
				require.Equal(t, tt.want, string(data))
				require.NoError(t, f.Close())
			}
			d, err := git.OpenDirFollow("dirlink")
			require.NoError(t, err)
			require.Equal(t, top+"/ws/sub", d.Path())
			require.NoError(t, d.Close())

			_, err = w.OpenFile(top + "/ws/through-out")
			require.ErrorIs(t, err, fs.ErrPermission, "a link outside is not looked at, even when it would lead back")
			f, err := w.OpenFile(top + "/ws/sub/deep/parents")
			require.NoError(t, err)
			require.NoError(t, f.Close())
			_, err = w.OpenDir(top + "/ws/m/../../out")
			require.ErrorIs(t, err, fs.ErrNotExist, "what is missing ends the walk")
			_, err = w.OpenDir(top + "/ws/../out")
			var outside *OutsideError
			require.True(t, errors.As(err, &outside))
			require.Equal(t, "'"+top+"/ws/../out' is outside the workspace", err.Error())
			outside.What = "core.worktree"
			require.Equal(t, "core.worktree '"+top+"/ws/../out' is outside the workspace", err.Error())
			_, err = w.OpenFile(top + "/ws/sub/file/")
			require.ErrorIs(t, err, ErrNotDir)
			_, err = w.OpenFile("sub/file")
			require.ErrorIs(t, err, fs.ErrInvalid)
			_, err = w.OpenFile(top + "/ws/sub")
			require.ErrorIs(t, err, ErrNotRegular)
		})
	}
}
