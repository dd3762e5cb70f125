package tools

import (
	"context"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/internal/quote"
)

// countObjects tells how objects are stored.
func countObjects() *operation {
	var verbose bool
	return &operation{
		doc: "Tell how many objects are loose and how much space they take, or with verbose how many are in packs, too. Same bytes as git count-objects [-v], sizes on the disk taken in blocks of 4 KiB.",
		params: []*Param{
			flag(&verbose, "verbose", "A line each: loose, packed, packs, sizes in KiB, garbage, alternates."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			n, err := c.repo.CountObjects(ctx)
			if err != nil {
				return err
			}
			if !verbose {
				_, err = fmt.Fprintf(w, "%d objects, %d kilobytes\n", n.Loose, n.LooseSize/1024)
				return err
			}
			text := fmt.Appendf(nil, "count: %d\nsize: %d\nin-pack: %d\npacks: %d\nsize-pack: %d\nprune-packable: %d\ngarbage: %d\nsize-garbage: %d\n",
				n.Loose, n.LooseSize/1024, n.InPack, n.Packs, n.PackSize/1024, n.PrunePackable, n.Garbage, n.GarbageSize/1024)
			for _, store := range n.Alternates {
				text = append(quote.Append(append(text, "alternate: "...), store, true), '\n')
			}
			_, err = w.Write(text)
			return err
		},
	}
}
