package reader

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Head is what HEAD stands for.
type Head struct {
	ID       plumbing.Hash // zero when unborn
	Branch   string        // the branch without refs/heads/; "" when detached
	Ref      string        // the full name that HEAD leads to; "HEAD" when detached
	Detached bool          // HEAD holds an id
	Unborn   bool          // the branch does not exist yet
}

// Head resolves HEAD. A HEAD that cannot be used is an error; a branch without
// a commit is not.
func (r *Repository) Head() (Head, error) {
	ref, err := r.refs.Resolve("HEAD")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Head{}, err
	}
	h := Head{ID: ref.ID, Ref: ref.Name, Unborn: err != nil}
	h.Detached = ref.Name == "HEAD" && !h.Unborn
	if !h.Detached {
		h.Branch = strings.TrimPrefix(ref.Name, "refs/heads/")
	}
	return h, nil
}
