// Package pathspec parses and matches pathspecs (gitglossary(7)).
package pathspec

import (
	"errors"

	"github.com/ingit-dev/ingit/internal/attributes"
)

// Options of Parse.
type Options struct {
	// Top is the absolute path of the work tree, for absolute pathspecs and for messages.
	Top string
	// Attributes answers for the attr magic; nil makes such a pathspec an error.
	Attributes func(path string) attributes.Attributes
	// IgnoreCase adds the icase magic to all.
	IgnoreCase bool
	// Literal takes all as they are, without magic or wildcards.
	Literal bool
}

// Spec is a parsed list of pathspecs. The nil and the empty Spec match everything. It is safe for concurrent use.
type Spec struct{}

// Parse reads pathspecs given in the directory prefix ("" or "a/b/").
func Parse(specs []string, prefix string, opts Options) (*Spec, error) {
	if len(specs) == 0 {
		return nil, nil
	}
	return nil, errors.New("pathspec: not built yet")
}

// Empty reports whether there is no pathspec, so that everything matches.
func (s *Spec) Empty() bool { return s == nil }

// Match reports whether path (relative to the top) is selected, and remembers which pathspecs did it.
func (s *Spec) Match(path string, isDir bool) bool { return s == nil }

// MatchesDir reports whether something below dir may be selected; a walk can leave out other directories.
func (s *Spec) MatchesDir(dir string) bool { return s == nil }

// Unmatched returns the pathspecs, as written, that have selected nothing so far (exclusions never count).
func (s *Spec) Unmatched() []string { return nil }
