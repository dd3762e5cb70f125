package reader

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/odb"
)

// commitReader reads commits for one goroutine.
type commitReader struct {
	reader    *odb.Reader
	overrides *overrides
	ids       []plumbing.Hash // scratch for parents
}

// commitLinks are what connects a commit with others.
type commitLinks struct {
	tree    plumbing.Hash
	date    uint64          // of the committer, seconds since 1970, as git compares it
	parents []plumbing.Hash // valid until the next call
}

// headSize is how much of a commit is read when only its links are wanted;
// what has longer headers is read again.
const headSize = 320

// links reads a commit's links, and its whole text if that is wanted; the text
// is valid until the next call. Grafts and shallow boundaries replace the
// parents that the commit names.
func (c *commitReader) links(id plumbing.Hash, whole bool) (l commitLinks, data []byte, err error) {
	if !whole {
		kind, head, err := c.reader.Prefix(id, headSize)
		if err == nil && kind == plumbing.CommitObject {
			if l, complete, err := c.parse(id, head); err == nil && complete {
				return l, nil, nil
			}
		}
	}
	if data, err = c.read(id); err == nil {
		l, _, err = c.parse(id, data)
	}
	return l, data, err
}

// read returns a commit's text, valid until the next call.
func (c *commitReader) read(id plumbing.Hash) ([]byte, error) {
	kind, data, err := c.reader.Read(id)
	if err != nil {
		return nil, commitError(id, err)
	}
	if kind != plumbing.CommitObject {
		return nil, &TypeError{ID: id, Have: kind, Want: plumbing.CommitObject}
	}
	return data, nil
}

// parse takes the links from a commit or its beginning. It is complete when
// nothing that follows can matter.
func (c *commitReader) parse(id plumbing.Hash, data []byte) (l commitLinks, complete bool, err error) {
	if l.tree, _, err = object.CommitTree(id, data); err != nil {
		return l, false, err
	}
	ids, rest, err := object.CommitParents(id, data, c.ids[:0])
	if err != nil {
		return l, false, err
	}
	c.ids, l.parents = ids, ids
	l.date = uint64(object.HeaderDate(rest))
	if other, ok := c.overrides.parents[id]; ok {
		l.parents = other
	}
	return l, hasDate(rest), nil
}

// hasDate reports whether all that object.HeaderDate looks at is there.
func hasDate(headers []byte) bool {
	_, rest, _ := bytes.Cut(headers, []byte("\n"))
	_, date, _ := bytes.Cut(rest, []byte(">"))
	return bytes.IndexByte(date, '\n') >= 0
}
