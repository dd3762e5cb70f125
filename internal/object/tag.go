package object

import (
	"bytes"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// Tag is an annotated tag's fields. The byte slices point into its data.
type Tag struct {
	Target     plumbing.Hash
	TargetType plumbing.ObjectType
	Name       []byte
	Tagger     []byte // raw ident line, nil when missing
	Headers    []byte // lines after the name's, as they stand
	Message    []byte // everything after the first empty line
}

// ParseTag reads the tag id from data. The error is a *SyntaxError.
func ParseTag(id plumbing.Hash, data []byte) (Tag, error) {
	var t Tag
	if len(data) < 2*idSize+24 || string(data[:7]) != "object " || data[7+2*idSize] != '\n' ||
		!parseHex(&t.Target, data[7:7+2*idSize]) {
		return Tag{}, syntaxError(id, "bad tag object %s")
	}
	kind, rest, ok := cutLine(data[8+2*idSize:], "type ")
	if !ok || len(kind) >= 20 {
		return Tag{}, syntaxError(id, "bad tag object %s")
	}
	if t.TargetType, ok = ParseType(kind); !ok {
		return Tag{}, &SyntaxError{ID: id, Why: fmt.Sprintf("unknown tag type '%s' in %s", kind, id)}
	}
	if t.Name, rest, ok = cutLine(rest, "tag "); !ok {
		return Tag{}, syntaxError(id, "bad tag object %s")
	}
	t.Headers, t.Message = splitMessage(rest)
	if line, _, ok := cutLine(t.Headers, "tagger "); ok {
		t.Tagger = line
	}
	return t, nil
}

// cutLine returns the rest of the line that starts with key, and what follows
// the line. The line must end in a newline.
func cutLine(data []byte, key string) (value, rest []byte, ok bool) {
	if !bytes.HasPrefix(data, []byte(key)) {
		return nil, nil, false
	}
	return bytes.Cut(data[len(key):], []byte("\n"))
}

// ParseType returns the object type that git calls name.
func ParseType(name []byte) (plumbing.ObjectType, bool) {
	switch string(name) {
	case "commit":
		return plumbing.CommitObject, true
	case "tree":
		return plumbing.TreeObject, true
	case "blob":
		return plumbing.BlobObject, true
	case "tag":
		return plumbing.TagObject, true
	}
	return plumbing.InvalidObject, false
}
