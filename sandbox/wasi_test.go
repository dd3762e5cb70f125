package sandbox_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// jail is testdata/jail for WASI.
type jail struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
}

func buildJail(t *testing.T) jail {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program for WASI")
	}
	file := filepath.Join(t.TempDir(), "jail.wasm")
	build := exec.Command("go", "build", "-o", file, "./testdata/jail")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	code, err := os.ReadFile(file)
	require.NoError(t, err)
	ctx := context.Background()
	j := jail{runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())}
	t.Cleanup(func() { j.runtime.Close(ctx) })
	wasi_snapshot_preview1.MustInstantiate(ctx, j.runtime)
	j.code, err = j.runtime.CompileModule(ctx, code)
	require.NoError(t, err)
	return j
}

// run tries operations, given with the outcome that each must have.
func (j jail) run(t *testing.T, mount wazero.FSConfig, want [][2]string) {
	t.Helper()
	args, lines := []string{"jail"}, ""
	for _, w := range want {
		args = append(args, w[0])
		lines += w[0] + ": " + w[1] + "\n"
	}
	var out, errs bytes.Buffer
	config := wazero.NewModuleConfig().WithName("").WithFSConfig(mount).WithArgs(args...).WithStdout(&out).WithStderr(&errs).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep()
	instance, err := j.runtime.InstantiateModule(context.Background(), j.code, config)
	if instance != nil {
		defer instance.Close(context.Background())
	}
	if err != nil && !strings.Contains(err.Error(), "exit_code(0)") {
		require.NoError(t, err, out.String()+errs.String())
	}
	require.Equal(t, lines, out.String(), errs.String())
}

// Under wazero a plain open follows a link out of the mounted folder: the jail must not.
func TestJailUnderWASI(t *testing.T) {
	j := buildJail(t)
	host := t.TempDir()
	for name, text := range map[string]string{
		"ws/sub/f": "inside", "ws/f": "inside", "out/secret": "KEEP-OUT", "out/dir/x": "KEEP-OUT",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(host, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(host, name), []byte(text), 0o666))
	}
	for name, target := range map[string]string{
		"up": "../out/secret", "dir": "../out", "abs": host + "/out/secret", "absdir": host + "/out", "in": "sub/f", "indir": "sub",
		"dangling": "../out/made", "sub/deep": "../../out/dir",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(host, "ws", name)))
	}
	reads := [][2]string{
		{"read f", "inside"},
		{"read sub/f", "inside"},
		{"read up", "LINK"},
		{"read dir/secret", "LINK"},
		{"read abs", "LINK"},
		{"read absdir/secret", "LINK"},
		{"read sub/deep/x", "LINK"},
		{"read missing", "MISSING"},
		{"list dir", "LINK"},
		{"list sub", "2"},
		{"stat up", "L--------- 13 true"},
		{"stat f", "---------- 6 true"},
		{"follow in", "inside"},
		{"follow indir/f", "inside"},
		{"follow up", "OUTSIDE"},
		{"follow abs", "OUTSIDE"},
		{"follow dir/secret", "OUTSIDE"},
		{"follow dangling", "OUTSIDE"},
		{"cwd /ws/sub", "/ws/sub"},
		{"cwd /ws/indir", "/ws/sub"},
		{"cwd /ws/dir", "OUTSIDE"},
		{"cwd /ws/absdir", "OUTSIDE"},
		{"cwd /", "OUTSIDE"},
		{"cwd /ws/..", "OUTSIDE"},
	}
	ws := filepath.Join(host, "ws")
	j.run(t, wazero.NewFSConfig().WithReadOnlyDirMount(ws, "/ws"), append(reads,
		[2]string{"write new", "READ-ONLY"},
		[2]string{"append f", "READ-ONLY"},
		[2]string{"mkdir x/y", "READ-ONLY"},
		[2]string{"rename f g", "READ-ONLY"},
		[2]string{"remove f", "READ-ONLY"},
	))
	j.run(t, wazero.NewFSConfig().WithDirMount(ws, "/ws"), append(reads,
		[2]string{"write dir/new", "LINK"},
		[2]string{"append up", "LINK"},
		[2]string{"append dangling", "LINK"},
		[2]string{"mkdir dir/x", "LINK"},
		[2]string{"rename f dir/f", "LINK"},
		[2]string{"remove dir/secret", "LINK"},
		[2]string{"write new", "written"},
		[2]string{"append new", "written"},
		[2]string{"mkdir x/y", "made"},
		[2]string{"rename new x/y/new", "renamed"},
		[2]string{"read x/y/new", "writtenmore"},
		[2]string{"remove x/y/new", "removed"},
	))
	j.run(t, wazero.NewFSConfig().WithReadOnlyDirMount(ws, "/ws"), [][2]string{{"spin", "stopped"}})
	secret, err := os.ReadFile(filepath.Join(host, "out/secret"))
	require.NoError(t, err)
	require.Equal(t, "KEEP-OUT", string(secret))
	entries, err := os.ReadDir(filepath.Join(host, "out"))
	require.NoError(t, err)
	require.Len(t, entries, 2)
}
