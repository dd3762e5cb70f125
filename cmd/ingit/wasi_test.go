package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/ingit-dev/ingit/fixtures"
)

// answer is what a run of the command printed, and its exit status.
type answer struct {
	out, err string
	status   uint32
}

// module is ingit compiled for WASI, ready to be run.
type module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

func buildModule(t *testing.T) *module {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ingit.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, ".")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	code, err := os.ReadFile(file)
	require.NoError(t, err)
	t.Logf("ingit.wasm has %d bytes", len(code))
	ctx := context.Background()
	m := &module{runtime: wazero.NewRuntime(ctx)}
	t.Cleanup(func() { m.runtime.Close(ctx) })
	wasi_snapshot_preview1.MustInstantiate(ctx, m.runtime)
	m.compiled, err = m.runtime.CompileModule(ctx, code)
	require.NoError(t, err)
	return m
}

// run runs the module with dir mounted at /work.
func (m *module) run(t *testing.T, dir, stdin string, args ...string) answer {
	t.Helper()
	var out, errs bytes.Buffer
	config := wazero.NewModuleConfig().
		WithName("").
		WithFSConfig(wazero.NewFSConfig().WithDirMount(dir, "/work")).
		WithArgs(append([]string{"ingit"}, args...)...).
		WithEnv("GIT_CONFIG_NOSYSTEM", "1").
		WithStdin(strings.NewReader(stdin)).WithStdout(&out).WithStderr(&errs).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader)
	instance, err := m.runtime.InstantiateModule(context.Background(), m.compiled, config)
	if instance != nil {
		instance.Close(context.Background())
	}
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return answer{out.String(), errs.String(), exit.ExitCode()}
	}
	require.NoError(t, err)
	return answer{out.String(), errs.String(), 0}
}

// native runs the command in this process.
func native(stdin string, args ...string) answer {
	var out, errs bytes.Buffer
	p := process{args: args, in: strings.NewReader(stdin), out: &out, err: &errs, getenv: func(name string) (string, bool) {
		return "1", name == "GIT_CONFIG_NOSYSTEM"
	}}
	status := p.run(context.Background())
	return answer{out.String(), errs.String(), uint32(status)}
}

const wasiFixture = `
git init -q -b main ws
cd ws
mkdir -p src/deep
seq 1 200 > src/deep/numbers
printf 'one\ntwo\n' > a.txt
printf 'run me\n' > tool.sh; chmod +x tool.sh
ln -s a.txt inner
printf '*.o\n' > .gitignore
commit first
git branch topic
for i in 1 2 3; do echo $i >> a.txt; commit "change $i"; done
git repack -adq
echo four >> a.txt; commit 'loose again'
sed -i 's/^100$/hundred/' src/deep/numbers
git mv a.txt b.txt
echo new > new.txt; git add new.txt
echo more >> new.txt
rm inner
echo x > x.o; echo u > untracked
echo KEEP-OUT > ../secret; mkdir ../other; git init -q ../other/repo
ln -s ../secret leak
ln -s ../other way-out
`

// TestWASI holds the module to the native program's bytes, and to the mounted
// folder: neither may follow a link that leads out of it.
func TestWASI(t *testing.T) {
	top := fixtures.Build(t, wasiFixture)
	dir := filepath.Join(top, "ws")
	m := buildModule(t)
	for _, request := range []string{
		`"operation":"status"`, `"operation":"diff"`, `"operation":"diff","cached":true`, `"operation":"diff","files":"src"`,
		`"operation":"log"`, `"operation":"log","limit":2`, `"operation":"branch"`, `"operation":"nonsense"`, `"operation":"log","limit":"x"`,
	} {
		want := native(fmt.Sprintf(`{%s,"cwd":%q}`, request, dir), "call", "--workspace", dir)
		got := m.run(t, dir, fmt.Sprintf(`{%s,"cwd":"/work"}`, request), "call", "--workspace", "/work")
		assert.Equal(t, want, got, request)
	}
	assert.Equal(t, m.run(t, dir, "", "status", "-C", "/work"), native("", "status", "-C", dir))

	outward := m.run(t, dir, `{"operation":"branch","cwd":"/work/way-out/repo"}`, "call", "--workspace", "/work")
	assert.Equal(t, answer{"", "cwd is outside allowed areas\n", exitError}, outward)
	for _, request := range []string{`{"operation":"status"}`, `{"operation":"diff"}`} {
		got := m.run(t, dir, request, "call", "--workspace", "/work")
		assert.NotContains(t, got.out+got.err, "KEEP-OUT")
	}

	// The repository itself may not lead out either.
	require.NoError(t, os.Rename(filepath.Join(dir, ".git", "objects"), filepath.Join(top, "objects")))
	require.NoError(t, os.Symlink("../../objects", filepath.Join(dir, ".git", "objects")))
	refused := m.run(t, dir, `{"operation":"log"}`, "call", "--workspace", "/work")
	assert.Equal(t, uint32(exitError), refused.status)
	assert.Empty(t, refused.out)
	assert.Equal(t, uint32(exitError), native(`{"operation":"log"}`, "call", "--workspace", dir).status)
}
