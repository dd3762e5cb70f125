package reader_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// Log walks history as a loop; what follows a break is not read.
func ExampleRepository_Log() {
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

	paths, err := repo.Paths([]string{"poem"})
	if err != nil {
		log.Fatal(err)
	}
	for commit, err := range repo.Log(ctx, reader.LogOptions{Paths: paths}) {
		if err != nil {
			log.Fatal(err)
		}
		info, err := commit.Info()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.7s %s: %s", commit.ID, info.Author.Name, info.Message)
	}

	// A range, as git log main~1..main has it.
	selection, err := repo.ResolveRange(ctx, "main~1..main")
	if err != nil {
		log.Fatal(err)
	}
	var opts reader.LogOptions
	opts.Select(selection)
	count, err := repo.Count(ctx, opts)
	fmt.Println(count, err)

	// Output:
	// 93cd197 Grace: Say what they are
	// e7f77ae Ada: Begin the poem
	// 1 <nil>
}
