package diffrender

import (
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// Comparison says which sides are compared, as far as diff.mnemonicPrefix
// distinguishes them.
type Comparison uint8

// The comparisons of git-diff(1).
const (
	Trees           Comparison = iota
	IndexToWorkTree            // git diff
	TreeToIndex                // git diff --cached
	TreeToWorkTree             // git diff REV
	BlobToWorkTree             // git diff REV:PATH -- PATH
)

// OptionsFromConfig returns the options that r's configuration asks of git
// diff. A value that a key can't take is an error with git's sentence.
func OptionsFromConfig(r *reader.Repository, what Comparison) (Options, error) {
	c := settings{r: r}
	o := Options{
		InterHunk:          c.number("diff.interhunkcontext"),
		NoIndentHeuristic:  !c.flag("diff.indentheuristic", true),
		SuppressBlankEmpty: c.flag("diff.suppressblankempty", false),
		NoQuotePath:        !c.flag("core.quotepath", true),
		Abbrev:             func(id Hash) string { return r.Abbrev(id, 0) },
		Algorithm:          c.algorithm(),
		Prefix:             c.prefix(what),
		Order:              c.order(),
		Submodule:          c.submoduleFormat(),
		Combined:           what == IndexToWorkTree,
		Stat:               StatOptions{GraphWidth: c.number("diff.statgraphwidth"), NameWidth: c.number("diff.statnamewidth")},
	}
	if o.Unified = c.number("diff.context"); o.Unified == 0 {
		if _, set := r.Config().Get("diff.context"); set {
			o.Unified = -1
		}
	} else if o.Unified < 0 {
		c.fail(c.bad("diff.context"))
	}
	if o.InterHunk < 0 {
		c.fail(c.bad("diff.interhunkcontext"))
	}
	if word := c.text("diff.wordregex", ""); word != "" {
		var err error
		o.DefaultWord, err = ParseWord(word)
		c.fail(err)
	}
	if c.flag("diff.relative", false) {
		o.Relative = r.Prefix()
	}
	return o, c.err
}

// settings reads values and keeps the first error.
type settings struct {
	r   *reader.Repository
	err error
}

func (c *settings) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// bad is git's sentence about a value that a key can't take.
func (c *settings) bad(name string) error {
	e, _ := c.r.Config().Entry(name)
	return fmt.Errorf("bad config variable '%s' in file '%s' at line %d", e.Name, e.Origin, e.Line)
}

func (c *settings) flag(name string, def bool) bool {
	v, err := c.r.Config().Bool(name, def)
	c.fail(err)
	return v
}

func (c *settings) number(name string) int {
	v, err := c.r.Config().Int(name, 0)
	c.fail(err)
	return int(v)
}

// algorithm reads diff.algorithm.
func (c *settings) algorithm() linediff.Algorithm {
	name, set := c.r.Config().Get("diff.algorithm")
	if !set {
		return linediff.Myers
	}
	algorithm, ok := ParseAlgorithm(name)
	if !ok {
		c.fail(c.bad("diff.algorithm"))
	}
	return algorithm
}

// ParseAlgorithm reads the name of an algorithm (git-diff(1),
// --diff-algorithm); false if there is none of that name.
func ParseAlgorithm(name string) (linediff.Algorithm, bool) {
	switch strings.ToLower(name) {
	case "myers", "default":
		return linediff.Myers, true
	case "minimal":
		return linediff.Minimal, true
	case "patience":
		return linediff.Patience, true
	case "histogram":
		return linediff.Histogram, true
	}
	return linediff.Myers, false
}

// prefix reads the settings of prefixes; the first of them that applies wins.
func (c *settings) prefix(what Comparison) Prefix {
	mnemonic, none := c.flag("diff.mnemonicprefix", false), c.flag("diff.noprefix", false)
	p := Prefix{true, "a/", "b/"}
	switch {
	case none:
		return Prefix{Set: true}
	case mnemonic:
		switch what {
		case IndexToWorkTree:
			p.Old, p.New = "i/", "w/"
		case TreeToIndex:
			p.Old, p.New = "c/", "i/"
		case TreeToWorkTree:
			p.Old, p.New = "c/", "w/"
		case BlobToWorkTree:
			p.Old, p.New = "o/", "w/"
		}
		return p
	}
	p.Old, p.New = c.text("diff.srcprefix", p.Old), c.text("diff.dstprefix", p.New)
	return p
}

func (c *settings) text(name, def string) string {
	v, err := c.r.Config().String(name, def)
	c.fail(err)
	return v
}
