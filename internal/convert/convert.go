// Package convert changes content between work tree and repository form (gitattributes(5), "text", "ident", "filter",
// "working-tree-encoding").
package convert

import (
	"errors"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/ingit-dev/ingit/internal/attributes"
)

var errNotBuilt = errors.New("convert: not built yet")

// Config is the part of the configuration that matters here.
type Config struct{}

// NewConfig reads core.autocrlf, core.eol, core.safecrlf and filter.* through get and has (a valueless key).
func NewConfig(get func(key string) (string, bool)) (*Config, error) { return &Config{}, nil }

// Rules are the conversions of one path.
type Rules struct{}

// For derives the rules of a path from its attributes.
func For(attrs attributes.Attributes, cfg *Config) (Rules, error) { return Rules{}, nil }

// Identity reports whether the work-tree bytes and the stored bytes are the same for every content.
func (r Rules) Identity() bool { return true }

// NeedsFilter returns the filter driver that would have to be run as a program to clean the path.
func (r Rules) NeedsFilter() (driver string, needed bool) { return "", false }

// Clean turns work-tree content into what is stored. indexBlob returns the content of the path's index entry, nil when there is none;
// it is called only when the rules need it.
func (r Rules) Clean(path string, data []byte, indexBlob func() ([]byte, error)) ([]byte, error) {
	return nil, errNotBuilt
}

// HashClean returns the blob id that Clean's result would have, in bounded memory where the rules allow.
func (r Rules) HashClean(path string, src io.Reader, size int64, indexBlob func() ([]byte, error)) (plumbing.Hash, error) {
	return plumbing.ZeroHash, errNotBuilt
}

// Smudge turns stored content into what the work tree gets. lfs returns the content of a stored LFS object,
// an error that is fs.ErrNotExist when the local store lacks it.
func (r Rules) Smudge(path string, data []byte, id plumbing.Hash, lfs func(oid string) ([]byte, error)) ([]byte, error) {
	return nil, errNotBuilt
}
