package reader

import (
	"context"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/index"
)

// AttributesOf returns a look-up of the attributes that work tree paths have
// beside ix (gitattributes(5)). It is for one goroutine.
func (r *Repository) AttributesOf(ctx context.Context, ix *index.Index) (func(path string) attributes.Attributes, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stack, err := r.workAttributes(ix)
	if err != nil {
		return nil, err
	}
	return stack.Lookup, nil
}
