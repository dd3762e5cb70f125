package reader

import (
	"context"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// Cleaner turns work tree files into what git would store for them
// (gitattributes(5), "Checking-in"). It may be used from several goroutines.
type Cleaner struct {
	contents *contents
	top      *sandbox.Dir
}

// Cleaner returns the conversions of the work tree beside ix.
func (r *Repository) Cleaner(ctx context.Context, ix *index.Index) (*Cleaner, error) {
	top, err := r.WorkTree()
	return &Cleaner{contents: newContents(ctx, r, ix), top: top}, err
}

// ForWriting returns the cleaner for content that is going to be stored: what
// git only warns of when it looks is a *convert.Error then.
func (c *Cleaner) ForWriting() *Cleaner {
	c.contents.write = true
	return c
}

// Attributes returns the attributes that decide.
func (c *Cleaner) Attributes() (*attributes.Stack, error) {
	conversion, err := c.contents.setup()
	if err != nil {
		return nil, err
	}
	return conversion.attributes, nil
}

// Content returns the bytes to store for a file, or a link's text. A filter
// program that this would take is a *FilterError, a path that is neither file
// nor link a *HashError.
func (c *Cleaner) Content(path string) ([]byte, error) {
	if err := c.contents.ctx.Err(); err != nil {
		return nil, err
	}
	return c.contents.read(c.top, path, path)
}
