package statustext

import (
	"errors"
	"io"

	"github.com/ingit-dev/ingit/reader"
)

// Long writes the status as git status does for people.
func Long(out io.Writer, s *reader.Status, opts Options) error {
	return errors.New("the long format of status is not built yet")
}
