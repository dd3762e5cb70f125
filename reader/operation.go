package reader

import (
	"errors"

	"github.com/ingit-dev/ingit/internal/index"
)

// describe fills in what only the long format shows.
func (r *Repository) describe(status *Status, ix *index.Index) error {
	return errors.New("the long format of status is not built yet")
}
