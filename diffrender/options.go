package diffrender

import (
	"regexp"

	"github.com/ingit-dev/ingit/internal/linediff"
)

// Options say how changes are shown. The zero value is git's default for a
// comparison of two trees, except that it abbreviates ids to 7 digits; see
// OptionsFromConfig.
type Options struct {
	Unified         int // lines of context; 0 means 3, negative means none
	InterHunk       int // also join hunks that are so many lines apart
	FunctionContext bool

	Algorithm         linediff.Algorithm
	Whitespace        linediff.Whitespace
	IgnoreBlankLines  bool
	NoIndentHeuristic bool

	Prefix Prefix

	WordDiff    WordDiff
	Word        *regexp.Regexp // what a word is, whatever the drivers say; nil: as they say
	DefaultWord *regexp.Regexp // diff.wordRegex: what a word is where no driver says; nil: a run without white space

	NoQuotePath        bool // core.quotePath=false: bytes above 0x7f stand as they are
	SuppressBlankEmpty bool // diff.suppressBlankEmpty

	// Relative is the directory, "a/b/" or "", that paths are shown relative to.
	Relative string

	Order Order // of the files; nil is by path

	Submodule SubmoduleFormat // in patches of Write

	// Abbrev shortens an id. Nil takes 7 digits.
	Abbrev func(id Hash) string

	// Combined shows unmerged paths as a combined diff of our and their side,
	// where both are there; it is for comparisons of the index with the work
	// tree.
	Combined bool

	Stat StatOptions
}

// Prefix is what stands before the paths of both sides in a patch. The zero
// value means "a/" and "b/".
type Prefix struct {
	Set      bool // Old and New count even if empty
	Old, New string
}

func (p Prefix) sides() (old, new string) {
	if !p.Set && p.Old == "" && p.New == "" {
		return "a/", "b/"
	}
	return p.Old, p.New
}

// context returns the number of context lines.
func (o *Options) context() int {
	switch {
	case o.Unified == 0:
		return 3
	case o.Unified < 0:
		return 0
	}
	return o.Unified
}

func (o *Options) abbreviate(id Hash) string {
	if o.Abbrev == nil {
		return id.String()[:7]
	}
	return o.Abbrev(id)
}

// lines returns the options of the line diff.
func (o *Options) lines() linediff.Options {
	return linediff.Options{
		Algorithm:         o.Algorithm,
		Whitespace:        o.Whitespace,
		NoIndentHeuristic: o.NoIndentHeuristic,
		ZeroContext:       o.context() == 0 && !o.FunctionContext,
	}
}
