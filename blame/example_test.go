package blame_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ingit-dev/ingit/blame"
	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

func ExampleFile() {
	dir, remove := fixtures.Example()
	defer remove()
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
	ctx := context.Background()
	repo, err := reader.Open(ctx, folder, reader.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()

	id, err := repo.ResolveCommit(ctx, "main")
	if err != nil {
		log.Fatal(err)
	}
	result, err := blame.File(ctx, repo, id, "poem", blame.Options{Lines: []string{"2,3"}})
	if err != nil {
		log.Fatal(err)
	}
	for line := range result.Lines() {
		fmt.Printf("%.7s %d %s", line.Group.Origin.Commit, line.Number, line.Text)
	}

	// Output:
	// e7f77ae 2 violets
	// 93cd197 3 are flowers
}
