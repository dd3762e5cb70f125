package tools_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/tools"
)

// emptyRepository makes a repository without a commit, on branch main.
func emptyRepository() string {
	dir, err := os.MkdirTemp("", "ingit-example-")
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(dir, ".git", filepath.FromSlash(name)), 0o755); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	return dir
}

func ExampleTool_Call() {
	dir := emptyRepository()
	defer os.RemoveAll(dir)

	ws, err := sandbox.Open(dir, sandbox.Policy{ReadOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()
	tool, err := tools.New(ws, tools.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer tool.Close()
	result := tool.Call(context.Background(), []byte(`{"operation": "status"}`))
	if !result.Success {
		log.Fatal(result.Error)
	}
	fmt.Printf("%s", result.Output)

	// Output:
	// # branch.oid (initial)
	// # branch.head main
}

// The packages beneath the tool are a library of their own.
func Example_reader() {
	dir := emptyRepository()
	defer os.RemoveAll(dir)

	ctx := context.Background()
	ws, err := sandbox.Open(dir, sandbox.Policy{ReadOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()
	folder, err := ws.Resolve(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer folder.Close()
	repo, err := reader.Open(ctx, folder, reader.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()
	head, err := repo.Head()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(head.Branch, head.Unborn)

	// Output:
	// main true
}
