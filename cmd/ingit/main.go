// Ingit answers git's questions about a repository without git: the same
// bytes, in process, and nothing that the repository holds is ever run.
//
//	ingit OPERATION [--PARAM VALUE …] [-C DIR]
//	ingit call [--json] < request.json
//	ingit session
//	ingit schema [--format mcp|openai|anthropic]
//
// The exit status is 0 with the answer on standard output, 1 with an error's
// text on standard error, and 2 when the request itself is malformed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/tools"
	"github.com/ingit-dev/ingit/writer"
)

// Exit statuses.
const (
	exitOK        = 0
	exitError     = 1 // the operation failed
	exitMalformed = 2 // the request or the command line is not one
)

func main() {
	startStack()
	startHeap()
	p := process{args: os.Args[1:], in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.LookupEnv}
	os.Exit(p.run(context.Background()))
}

// process is what a run of the command reads and writes.
type process struct {
	args     []string
	in       io.Reader
	out, err io.Writer
	getenv   func(name string) (string, bool)
}

// run runs the command and returns its exit status.
func (p *process) run(ctx context.Context) int {
	line, err := parse(p.args)
	if err != nil {
		return p.fail(err)
	}
	if line.help || line.command == "" || line.command == "help" {
		io.WriteString(p.out, help(line.command))
		return exitOK
	}
	switch line.command {
	case "schema":
		return p.schema(line)
	case "mcp":
		return p.fail(errNoMCP)
	}
	tool, err := p.tool(line)
	if err != nil {
		return p.fail(err)
	}
	switch line.command {
	case "call":
		return p.call(ctx, tool, line)
	case "session":
		return p.session(ctx, tool)
	}
	cwd, err := startDir(line.dir)
	if err != nil {
		return p.fail(err)
	}
	if _, given := line.params["cwd"]; !given {
		line.params["cwd"] = cwd
	}
	return p.answer(ctx, tool, tools.Request{Operation: line.command, Params: line.params}, line.json)
}

// errNoMCP says that the MCP server is still to come.
var errNoMCP = errors.New("ingit mcp is not built yet: use `ingit session` (JSON lines) or `ingit call`")

// tool opens the workspace that the command line names.
func (p *process) tool(line commandLine) (*tools.Tool, error) {
	dir, err := startDir(line.dir)
	if err != nil {
		return nil, err
	}
	policy := sandbox.Policy{ReadOnly: line.readOnly, SkipHooks: line.skipHooks}
	if line.literal {
		policy.Validation = sandbox.Literal
	}
	root := line.workspace
	if root == "" {
		root, policy.Allowed = ownWorkspace(dir)
	} else if root, err = absolute(root); err != nil {
		return nil, err
	}
	for _, allow := range line.allow {
		if allow, err = absolute(allow); err != nil {
			return nil, err
		}
		policy.Allowed = append(policy.Allowed, allow)
	}
	ws, err := sandbox.Open(root, policy)
	if err != nil {
		return nil, err
	}
	return tools.New(ws, tools.Options{User: userConfig(p.getenv), Write: writer.Options{
		Author:    func() (writer.Ident, error) { return identity("AUTHOR", p.getenv) },
		Committer: func() (writer.Ident, error) { return identity("COMMITTER", p.getenv) },
	}})
}

// call answers the one request on standard input.
func (p *process) call(ctx context.Context, tool *tools.Tool, line commandLine) int {
	data, err := io.ReadAll(p.in)
	if err != nil {
		return p.fail(err)
	}
	request, err := tools.ParseRequest(data)
	if err != nil {
		return p.refuse(err, line.json)
	}
	return p.answer(ctx, tool, request, line.json)
}

// answer prints the answer to a request: its bytes, or with asJSON an object.
func (p *process) answer(ctx context.Context, tool *tools.Tool, request tools.Request, asJSON bool) int {
	if asJSON {
		return p.print(tool.Do(ctx, request))
	}
	out := &holding{to: p.out}
	cursor, err := tool.Stream(ctx, request, out)
	if err != nil {
		return p.fail(err)
	}
	if err := out.flush(); err != nil {
		return p.fail(err)
	}
	if cursor != "" {
		fmt.Fprintf(p.err, "truncated: continue with cursor %s\n", cursor)
	}
	return exitOK
}

// print writes a result as JSON.
func (p *process) print(r tools.Result) int {
	data, err := r.MarshalJSON()
	if err != nil {
		return p.fail(err)
	}
	if _, err := p.out.Write(append(data, '\n')); err != nil {
		return p.fail(err)
	}
	return status(r.Err)
}

// refuse reports an error before there was a request.
func (p *process) refuse(err error, asJSON bool) int {
	if asJSON {
		return p.print(tools.Result{Error: tools.Sentence(err), Err: err})
	}
	return p.fail(err)
}

func (p *process) fail(err error) int {
	fmt.Fprintln(p.err, tools.Sentence(err))
	return status(err)
}

// status returns the exit status that an error means.
func status(err error) int {
	var request *tools.RequestError
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &request), errors.As(err, &usage):
		return exitMalformed
	}
	return exitError
}

func (p *process) schema(line commandLine) int {
	data, err := tools.Schema(tools.Format(line.format), line.readOnly)
	if err != nil {
		return p.fail(err)
	}
	if _, err := p.out.Write(append(data, '\n')); err != nil {
		return p.fail(err)
	}
	return exitOK
}
