package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// newTool opens a tool on a folder, which is closed with the test.
func newTool(t *testing.T, dir string, policy sandbox.Policy) *Tool {
	t.Helper()
	ws, err := sandbox.Open(dir, policy)
	require.NoError(t, err)
	tool, err := New(ws, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, tool.Close()) })
	return tool
}

// ask sends a request and returns the output; it fails the test on an error.
func ask(t *testing.T, tool *Tool, request string) string {
	t.Helper()
	r := tool.Call(context.Background(), []byte(request))
	require.True(t, r.Success, "%s: %s", request, r.Error)
	return string(r.Output)
}

// with adds an operation to the catalogue for the time of the test.
func with(t *testing.T, name string, build func() *operation) {
	t.Helper()
	before := catalogue
	catalogue = append(catalogue[:len(catalogue):len(catalogue)], entry{name, build})
	t.Cleanup(func() { catalogue = before })
}

func TestPanicIsAnError(t *testing.T) {
	with(t, "explode", func() *operation {
		return &operation{run: func(context.Context, *call, io.Writer) error { panic("bang") }}
	})
	r := newTool(t, fixtures.Init(t), sandbox.Policy{}).Call(context.Background(), []byte(`{"operation":"explode"}`))
	assert.False(t, r.Success)
	assert.Equal(t, "internal error in explode: bang", r.Error)
	var internal *InternalError
	require.ErrorAs(t, r.Err, &internal)
	assert.NotEmpty(t, internal.Stack)
}

func TestErrorsKeepTheirTypes(t *testing.T) {
	dir := fixtures.Init(t)
	outside := t.TempDir()
	tool := newTool(t, dir, sandbox.Policy{})
	for request, want := range map[string]struct {
		text string
		is   error
	}{
		`{"operation":"branch","cwd":"` + outside + `"}`: {"cwd is outside allowed areas", fs.ErrPermission},
		`{"operation":"branch","cwd":"sub"}`:             {"cwd must be an absolute path", sandbox.ErrRelativeCwd},
		`{"operation":"branch","cwd":"/a;b"}`:            {"Unsafe git arguments detected", fs.ErrPermission},
	} {
		r := tool.Call(context.Background(), []byte(request))
		assert.False(t, r.Success)
		assert.Equal(t, want.text, r.Error)
		assert.ErrorIs(t, r.Err, want.is)
	}
}

func TestOutsideARepository(t *testing.T) {
	r := newTool(t, t.TempDir(), sandbox.Policy{}).Call(context.Background(), []byte(`{"operation":"status"}`))
	assert.Equal(t, "fatal: not a git repository (or any of the parent directories): .git", r.Error)
	assert.ErrorIs(t, r.Err, fs.ErrNotExist)
}

func TestSentence(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{errors.New("bad revision 'x'"), "fatal: bad revision 'x'"},
		{fmt.Errorf("in context: %w", leveled("error")), "error: in context: text"},
		{leveled(""), "text"},
		{errors.New("a\x1b[31mred\x7f\tb\nc\xff"), "fatal: a?[31mred?\tb\nc\ufffd"},
	} {
		assert.Equal(t, test.want, Sentence(test.err))
	}
}

// leveled is an error with git's level.
type leveled string

func (l leveled) Error() string    { return "text" }
func (l leveled) GitLevel() string { return string(l) }

func TestResultAsJSON(t *testing.T) {
	for _, test := range []struct {
		result Result
		want   string
	}{
		{Result{Success: true, Output: []byte("a <b>\n")}, `{"success":true,"output":"a <b>\n","error":""}`},
		{Result{Success: true, Output: []byte("a"), Truncated: true, Cursor: "x"}, `{"success":true,"output":"a","error":"","truncated":true,"cursor":"x"}`},
		{Result{Success: true, Output: []byte("\xff")}, "{\"success\":true,\"output\":\"\ufffd\",\"error\":\"\",\"output_base64\":\"/w==\"}"},
		{Result{Error: "no"}, `{"success":false,"output":"","error":"no"}`},
	} {
		data, err := json.Marshal(test.result)
		require.NoError(t, err)
		assert.JSONEq(t, test.want, string(data))
		data, err = test.result.MarshalJSON()
		require.NoError(t, err)
		assert.Equal(t, test.want, string(data))
	}
}

// lines makes an operation that prints n numbered lines and counts its runs.
func lines(n int, wrote *int) func() *operation {
	return func() *operation {
		return &operation{run: func(_ context.Context, _ *call, w io.Writer) error {
			for i := range n {
				if _, err := fmt.Fprintf(w, "line %d\n", i); err != nil {
					return err
				}
				*wrote = i
			}
			return nil
		}}
	}
}

func TestBudgetAndCursor(t *testing.T) {
	var wrote int
	with(t, "lines", lines(1000, &wrote))
	tool := newTool(t, fixtures.Init(t), sandbox.Policy{})
	whole := ask(t, tool, `{"operation":"lines"}`)
	var joined, cursor string
	for range 1000 {
		r := tool.Do(context.Background(), Request{"lines", map[string]any{"max_bytes": 100, "max_lines": 7, "cursor": cursor}})
		require.True(t, r.Success, r.Error)
		require.LessOrEqual(t, len(r.Output), 100)
		joined += string(r.Output)
		if cursor = r.Cursor; !r.Truncated {
			break
		}
		require.NotEmpty(t, cursor)
	}
	require.Equal(t, whole, joined)

	r := tool.Do(context.Background(), Request{"lines", map[string]any{"max_lines": 3}})
	require.Equal(t, "line 0\nline 1\nline 2\n", string(r.Output))
	require.Equal(t, 2, wrote, "an operation stops when its page is full")

	r = tool.Do(context.Background(), Request{"branch", map[string]any{"cursor": r.Cursor}})
	require.False(t, r.Success, "a cursor belongs to its request")
}

func TestRepositoriesAreKept(t *testing.T) {
	top := t.TempDir()
	tool := newTool(t, top, sandbox.Policy{})
	for i := range 2 * keepOpen {
		dir := filepath.Join(top, fmt.Sprint(i))
		require.NoError(t, os.Mkdir(dir, 0o755))
		fixtures.InitAt(t, dir)
		ask(t, tool, fmt.Sprintf(`{"operation":"branch","cwd":%q}`, dir))
	}
	assert.Len(t, tool.repositories.byDir, keepOpen)
	dir := filepath.Join(top, "0")
	ask(t, tool, fmt.Sprintf(`{"operation":"branch","cwd":%q}`, dir))
	kept := tool.repositories.byDir[dir].repo
	ask(t, tool, fmt.Sprintf(`{"operation":"branch","cwd":%q}`, dir))
	assert.Same(t, kept, tool.repositories.byDir[dir].repo)
}

func TestCallsRunAtOnce(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Init(t)
	fixtures.Write(t, dir, "f", "text\n")
	fixtures.Git(t, dir, "add", ".")
	fixtures.Git(t, dir, "commit", "-q", "-m", "one")
	tool := newTool(t, dir, sandbox.Policy{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 20 {
				r := tool.Call(context.Background(), []byte([]string{`{"operation":"branch"}`, `{"operation":"log"}`}[i%2]))
				assert.True(t, r.Success, r.Error)
			}
		})
	}
	wg.Wait()
}

// TestWarmToolSeesChanges changes a repository beneath a tool that has it open.
func TestWarmToolSeesChanges(t *testing.T) {
	fixtures.RequireGit(t)
	dir := fixtures.Init(t)
	tool := newTool(t, dir, sandbox.Policy{})
	for _, step := range [][]string{
		{"commit", "-q", "--allow-empty", "-m", "one"},
		{"branch", "topic"},
		{"checkout", "-q", "topic"},
		{"commit", "-q", "--allow-empty", "-m", "two"},
		{"pack-refs", "--all"},
		{"gc", "-q"},
		{"config", "i18n.logOutputEncoding", "ISO-8859-1"},
		{"commit", "-q", "--allow-empty", "-m", "dr\u00fcei"},
		{"branch", "-D", "-q", "main"},
		{"checkout", "-q", "--detach"},
	} {
		fixtures.Git(t, dir, step...)
		for request, command := range map[string][]string{
			`{"operation":"branch"}`: {"branch", "--format=%(refname:short)|%(HEAD)"},
			`{"operation":"log"}`:    {"log", "-10", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso"},
		} {
			require.Equal(t, string(fixtures.Git(t, dir, command...)), ask(t, tool, request), "after %v", step)
		}
	}
}
