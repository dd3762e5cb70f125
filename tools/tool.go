package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"sync"

	"github.com/ingit-dev/ingit/artifacts"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/writer"
)

// Options are what a Tool may be told. The zero value reads no configuration
// but the repository's own.
type Options struct {
	// User names the user's own and the system's configuration, which lie
	// outside the workspace and are trusted. Nil: none is read.
	User *reader.User
	// Write says who commits, and when. The zero value takes names from the
	// configuration and the time from the clock.
	Write writer.Options
}

// Tool answers requests within a workspace. It keeps the repositories that it
// has opened, and is safe for concurrent use.
type Tool struct {
	workspace    *sandbox.Workspace
	repositories *repositories
	write        writer.Options
	answers      sync.Pool // of *bytes.Buffer, while they are gathered
}

// New returns a tool for the workspace, which stays the caller's.
func New(ws *sandbox.Workspace, opts Options) (*Tool, error) {
	if ws == nil {
		return nil, errors.New("a tool needs a workspace")
	}
	return &Tool{workspace: ws, repositories: newRepositories(reader.Options{User: opts.User}), write: opts.Write}, nil
}

// Close closes the repositories that the tool has opened and no call is using.
func (t *Tool) Close() error { return t.repositories.close() }

// call is what an operation runs with.
type call struct {
	policy sandbox.Policy
	repo   *reader.Repository
	write  writer.Options
}

// Call answers one request, a JSON object. It never panics.
func (t *Tool) Call(ctx context.Context, request []byte) Result {
	r, err := ParseRequest(request)
	if err != nil {
		return Result{Error: Sentence(err), Err: err}
	}
	return t.Do(ctx, r)
}

// Do answers one request that is already parsed. It never panics.
func (t *Tool) Do(ctx context.Context, r Request) Result {
	out := t.answer()
	defer t.answers.Put(out)
	cursor, err := t.Stream(ctx, r, out)
	if err != nil {
		return Result{Error: Sentence(err), Err: err}
	}
	return Result{Success: true, Output: bytes.Clone(out.Bytes()), Truncated: cursor != "", Cursor: cursor}
}

// answer returns an empty buffer, one of an earlier answer if there is any.
func (t *Tool) answer() *bytes.Buffer {
	if out, ok := t.answers.Get().(*bytes.Buffer); ok {
		out.Reset()
		return out
	}
	return new(bytes.Buffer)
}

// Stream answers one request into w as the answer is produced, so that its
// size is no matter. After an error w may hold the beginning of an answer.
// The cursor is empty unless the request's budget cut the answer.
// It never panics.
func (t *Tool) Stream(ctx context.Context, r Request, w io.Writer) (cursor string, err error) {
	defer func() {
		if p := recover(); p != nil {
			cursor, err = "", &InternalError{Operation: r.Operation, Value: p, Stack: debug.Stack()}
		}
	}()
	ctx = sandbox.WithClock(ctx)
	policy := t.workspace.Policy()
	op, err := find(r.Operation)
	if err != nil {
		if unsafe := checkAll(policy, r.Params); unsafe != nil {
			return "", unsafe
		}
		return "", err
	}
	if err := op.bind(r.Params, policy); err != nil {
		return "", err
	}
	page, err := op.page(r)
	if err != nil {
		return "", err
	}
	dir, err := t.workspace.Resolve(op.common.cwd)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	held, err := t.repositories.open(ctx, dir)
	if err != nil {
		return "", err
	}
	defer held.release()
	if err := held.repo.CheckSettings(op.name); err != nil {
		return "", err
	}
	c := &call{policy: policy, repo: held.repo, write: t.write}
	w = op.limit(policy, w)
	if page == nil {
		return "", op.run(ctx, c, w)
	}
	if err := op.run(ctx, c, page); err != nil && !errors.Is(err, artifacts.ErrFull) {
		return "", err
	}
	out, cursor, err := page.Finish()
	if err != nil {
		return "", err
	}
	_, err = w.Write(out)
	return cursor, err
}

// checkAll checks the strings of a request whose operation isn't there.
func checkAll(policy sandbox.Policy, params map[string]any) error {
	for name, v := range params {
		for _, s := range stringsIn(v) {
			if err := policy.Check(name, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// defaultOutput is how many bytes a bounded operation answers when the policy
// sets no limit.
const defaultOutput = 16 << 20

// limit returns a writer that ends at the policy's Limits.OutputBytes.
func (op *operation) limit(policy sandbox.Policy, w io.Writer) io.Writer {
	limit := policy.Limits.OutputBytes
	if limit == math.MaxInt64 {
		if !op.bounded {
			return w
		}
		limit = defaultOutput
	}
	return &limited{to: w, left: limit, max: limit}
}

// limited is a writer for so many bytes.
type limited struct {
	to        io.Writer
	left, max int64
}

// Write passes on what is within the limit. Beyond it the error is a
// *sandbox.LimitError.
func (l *limited) Write(b []byte) (int, error) {
	if int64(len(b)) > l.left {
		return 0, &sandbox.LimitError{Limit: "OutputBytes", Max: l.max}
	}
	l.left -= int64(len(b))
	return l.to.Write(b)
}

// page returns the page that the request asks for, nil when it asks for all.
func (op *operation) page(r Request) (*artifacts.Page, error) {
	c := op.common
	if c.maxBytes <= 0 && c.maxLines <= 0 && c.cursor == "" {
		return nil, nil
	}
	key, err := pageKey(r)
	if err != nil {
		return nil, err
	}
	return artifacts.NewPage(artifacts.Budget{Bytes: c.maxBytes, Lines: c.maxLines}, key, c.cursor)
}

// pageKey is the request without its budget and cursor: a cursor belongs to it.
func pageKey(r Request) ([]byte, error) {
	params := make(map[string]any, len(r.Params))
	for name, v := range r.Params {
		if v != nil && name != "max_bytes" && name != "max_lines" && name != "cursor" {
			params[name] = v
		}
	}
	return json.Marshal([]any{r.Operation, params})
}

// InternalError is a fault of this program, met while it answered.
type InternalError struct {
	Operation string
	Value     any    // what the panic said
	Stack     []byte // where it was
}

// Error names the operation and the fault, without the stack.
func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error in %s: %v", e.Operation, e.Value)
}

// GitLevel says that the text stands alone.
func (e *InternalError) GitLevel() string { return "" }
