package tools

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/reader"
)

// catFile shows one object.
func catFile() *operation {
	var rev, path, object string
	return &operation{
		doc:     "Show a file of a revision (rev and path), or any object (object, or rev alone). A file's own bytes, as git cat-file blob REV:PATH; trees, commits and tags as git cat-file -p.",
		bounded: true,
		params: []*Param{
			revision(&rev, "rev", "The revision.", "HEAD"),
			text(&path, "path", "The file, from the top of the repository; beginning with ./, from cwd."),
			text(&object, "object", "The object's id, or any revision that names it, instead of rev and path."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			param := "rev"
			switch {
			case object != "":
				param, rev = "object", object
			case path != "":
				rev += ":" + path
			}
			id, err := c.resolve(ctx, param, rev)
			if err != nil {
				return notNamed(err, id, rev)
			}
			return notNamed(c.writeObject(ctx, w, id), id, rev)
		},
	}
}

// notNamed gives the error of a revision that names nothing, or an object that
// is missing, the words that the commands have which look at one object.
func notNamed(err error, id plumbing.Hash, rev string) error {
	var lost *reader.MissingCommitError
	var unknown *reader.UnknownRevisionError
	if errors.As(err, &unknown) || errors.As(reader.BadObject(err, id, rev), &lost) {
		return fmt.Errorf("Not a valid object name %s", rev)
	}
	return err
}

// writeObject prints the object: a tree as ls-tree does, any other as it is.
func (c *call) writeObject(ctx context.Context, w io.Writer, id plumbing.Hash) error {
	kind, size, content, err := c.repo.Objects().Stream(id)
	if err != nil {
		return err
	}
	defer content.Close()
	if kind == plumbing.TreeObject {
		return c.writeTree(ctx, w, id, treeFormat{}, reader.ListTreeOptions{})
	}
	n, err := io.Copy(w, content)
	if err == nil && n != size {
		err = fmt.Errorf("object %s has %d bytes, not %d", id, n, size)
	}
	return err
}
