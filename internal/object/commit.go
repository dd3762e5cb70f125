package object

import (
	"bytes"
	"encoding/hex"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	treeLine   = len("tree ") + 2*len(plumbing.Hash{}) + 1
	parentLine = len("parent ") + 2*len(plumbing.Hash{}) + 1
)

// Commit is a commit's fields. The byte slices point into the data it was
// parsed from.
type Commit struct {
	Tree    plumbing.Hash
	Parents []plumbing.Hash
	// Author and Committer are raw ident lines without key and newline, nil
	// when the header is missing. SplitIdent takes them apart.
	Author, Committer []byte
	// Encoding names the message's character set; "" means UTF-8.
	Encoding string
	// Headers are the header lines after the parents, as they stand
	// (author, committer, encoding, gpgsig with its continuation lines …),
	// each with its newline.
	Headers []byte
	// Message is everything after the first empty line.
	Message []byte
}

// A SyntaxError says what is wrong with an object's data, in git's words.
type SyntaxError struct {
	ID  plumbing.Hash
	Why string
}

// Error says what is wrong.
func (e *SyntaxError) Error() string { return e.Why }

// GitLevel is the word that git prints before the sentence.
func (e *SyntaxError) GitLevel() string { return "error" }

func syntaxError(id plumbing.Hash, format string) error {
	return &SyntaxError{ID: id, Why: fmt.Sprintf(format, id)}
}

// ParseCommit reads the commit id from data. Only the tree and parent lines
// must be well formed, as for git; everything else may be missing. The error
// is a *SyntaxError.
func ParseCommit(id plumbing.Hash, data []byte) (Commit, error) {
	var c Commit
	rest, err := c.parseLinks(id, data)
	if err != nil {
		return Commit{}, err
	}
	c.Headers, c.Message = splitMessage(rest)
	for line := range headerLines(c.Headers) {
		switch key, value, _ := bytes.Cut(line, []byte(" ")); string(key) {
		case "author":
			c.Author = first(c.Author, value)
		case "committer":
			c.Committer = first(c.Committer, value)
		case "encoding":
			if c.Encoding == "" {
				c.Encoding = string(value)
			}
		}
	}
	return c, nil
}

func first(have, value []byte) []byte {
	if have == nil {
		return value
	}
	return have
}

// parseLinks reads the tree line and the parent lines and returns what
// follows them.
func (c *Commit) parseLinks(id plumbing.Hash, data []byte) ([]byte, error) {
	tree, rest, err := CommitTree(id, data)
	if err != nil {
		return nil, err
	}
	c.Tree = tree
	for {
		parent, next, ok, err := nextParent(id, rest)
		if err != nil || !ok {
			return rest, err
		}
		c.Parents = append(c.Parents, parent)
		rest = next
	}
}

// CommitTree returns the tree of the commit id and the data after its line.
// The error is a *SyntaxError.
func CommitTree(id plumbing.Hash, data []byte) (tree plumbing.Hash, rest []byte, err error) {
	if len(data) <= treeLine || string(data[:5]) != "tree " || data[treeLine-1] != '\n' {
		return tree, nil, syntaxError(id, "bogus commit object %s")
	}
	if !parseHex(&tree, data[5:treeLine-1]) {
		return tree, nil, syntaxError(id, "bad tree pointer in commit %s")
	}
	return tree, data[treeLine:], nil
}

// CommitParents appends the parents of the commit id to parents and returns
// them with the data that follows. The error is a *SyntaxError.
func CommitParents(id plumbing.Hash, data []byte, parents []plumbing.Hash) ([]plumbing.Hash, []byte, error) {
	_, rest, err := CommitTree(id, data)
	for err == nil {
		parent, next, ok, bad := nextParent(id, rest)
		if bad != nil || !ok {
			return parents, rest, bad
		}
		parents = append(parents, parent)
		rest = next
	}
	return parents, nil, err
}

func nextParent(id plumbing.Hash, data []byte) (parent plumbing.Hash, rest []byte, ok bool, err error) {
	if len(data) < parentLine || string(data[:7]) != "parent " {
		return parent, data, false, nil
	}
	if len(data) == parentLine || data[parentLine-1] != '\n' || !parseHex(&parent, data[7:parentLine-1]) {
		return parent, nil, false, syntaxError(id, "bad parents in commit %s")
	}
	return parent, data[parentLine:], true, nil
}

// parseHex reads 40 hexadecimal digits of either case.
func parseHex(id *plumbing.Hash, digits []byte) bool {
	_, err := hex.Decode(id[:], digits)
	return err == nil
}

// CommitDate returns the committer date in seconds since 1970, as git reads
// it when it walks: 0 when the author and committer lines are not both there
// and well formed. A date beyond the range of int64 wraps. The error is the
// *SyntaxError of a commit whose tree or parent lines are damaged; its id is
// zero.
func CommitDate(data []byte) (int64, error) {
	_, rest, err := CommitParents(plumbing.ZeroHash, data, make([]plumbing.Hash, 0, 2))
	if err != nil {
		return 0, err
	}
	return HeaderDate(rest), nil
}

// HeaderDate is CommitDate on the data after the parent lines.
func HeaderDate(data []byte) int64 {
	if len(data) <= 6 || string(data[:6]) != "author" {
		return 0
	}
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	if len(rest) <= 9 || string(rest[:9]) != "committer" {
		return 0
	}
	// git looks for the first '>' here, in whatever line it stands.
	_, date, _ := bytes.Cut(rest, []byte(">"))
	if bytes.IndexByte(date, '\n') < 0 {
		return 0
	}
	return parseTimestamp(date)
}

// splitMessage cuts headers and message at the first empty line.
func splitMessage(data []byte) (headers, message []byte) {
	if len(data) > 0 && data[0] == '\n' {
		return nil, data[1:]
	}
	if i := bytes.Index(data, []byte("\n\n")); i >= 0 {
		return data[:i+1], data[i+2:]
	}
	return data, nil
}

// headerLines yields the lines of headers that are not continuations.
func headerLines(headers []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(headers) > 0 {
			line, rest, _ := bytes.Cut(headers, []byte("\n"))
			if len(line) > 0 && line[0] != ' ' && !yield(line) {
				return
			}
			headers = rest
		}
	}
}
