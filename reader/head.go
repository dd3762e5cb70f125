package reader

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/refs"
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

// HeadSide is HEAD's tree as a side of a comparison: Empty before the first
// commit and, as in git diff, where HEAD leads to no commit that is there.
func (r *Repository) HeadSide() (Side, error) {
	head, err := r.Head()
	if broken := (*refs.BrokenError)(nil); errors.As(err, &broken) || head.Unborn {
		return Empty, nil
	} else if err != nil {
		return nil, err
	}
	tree, err := r.treeOfHead(head.ID)
	var lost *MissingCommitError
	if errors.As(err, &lost) {
		return Empty, nil
	}
	return Tree(tree), err
}

// treeOfHead returns the id of the tree of HEAD's commit. That both are there is
// looked up even where the index knows the tree's content, as git does.
func (r *Repository) treeOfHead(id plumbing.Hash) (plumbing.Hash, error) {
	tree, err := r.treeOfCommit(id)
	if err != nil {
		return plumbing.ZeroHash, badHead(commitError(id, err))
	}
	if !r.Objects().Has(tree) {
		return plumbing.ZeroHash, complaint("bad tree object HEAD")
	}
	return tree, nil
}

// treeOfCommit returns the id of a commit's tree.
func (r *Repository) treeOfCommit(id plumbing.Hash) (plumbing.Hash, error) {
	kind, data, err := r.Objects().Read(id)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if kind != plumbing.CommitObject {
		return plumbing.ZeroHash, fmt.Errorf("object %s is a %s, not a commit", id, kind)
	}
	tree, _, err := object.CommitTree(id, data)
	return tree, err
}
