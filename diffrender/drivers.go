package diffrender

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/posixre"
	"github.com/ingit-dev/ingit/reader"
)

// Drivers knows the diff drivers of a repository: git's own and those of the
// configuration (gitattributes(5), "Generating diff text").
type Drivers struct {
	attributes *attributes.Stack
	config     *gitconfig.Config
	known      map[string]*Driver
}

// NewDrivers returns the drivers of r. They share the attributes that work goes
// by, unless it is nil; else indexed is for reader's Attributes.
func NewDrivers(r *reader.Repository, work *reader.Cleaner, indexed bool) (*Drivers, error) {
	attributesOf := func() (*attributes.Stack, error) { return r.Attributes(indexed) }
	if work != nil {
		attributesOf = work.Attributes
	}
	stack, err := attributesOf()
	if err != nil {
		return nil, err
	}
	return &Drivers{stack, r.Config(), map[string]*Driver{}}, nil
}

var (
	textDriver   = &Driver{Name: "diff=true", Binary: No}
	binaryDriver = &Driver{Name: "!diff", Binary: Yes}
)

// Of returns the driver that the attributes choose for path; without one, the
// driver "default", which the configuration may set up. An error is one of the
// configuration.
func (ds *Drivers) Of(path string) (*Driver, error) {
	switch value := ds.attributes.Lookup(path).Get("diff"); value.State {
	case attributes.Set:
		return textDriver, nil
	case attributes.Unset:
		return binaryDriver, nil
	case attributes.Valued:
		d, err := ds.named(value.Text)
		if d != nil || err != nil {
			return d, err
		}
	}
	return ds.Default()
}

// Default returns the driver of files without attributes; nil if nothing sets
// one up.
func (ds *Drivers) Default() (*Driver, error) { return ds.named("default") }

// ofEntry is Of for one side of a change: attributes are for regular files, so
// links and submodules have the driver "default".
func (ds *Drivers) ofEntry(e *reader.Entry) (*Driver, error) {
	const typeMask, regular = 0o170000, 0o100000
	if e.Mode&typeMask != regular {
		return ds.Default()
	}
	return ds.Of(e.Path)
}

// named returns the driver of that name, or nil.
func (ds *Drivers) named(name string) (*Driver, error) {
	if d, ok := ds.known[name]; ok {
		return d, nil
	}
	d, err := ds.build(name)
	if err == nil {
		ds.known[name] = d
	}
	return d, err
}

// build joins git's own driver of that name with what is configured for it.
func (ds *Drivers) build(name string) (*Driver, error) {
	own, found := builtin()[name]
	var source driverSource
	binary := Auto
	for _, e := range ds.config.Entries() {
		if e.Section != "diff" || e.Subsection != name {
			continue
		}
		switch e.Key {
		case "funcname", "xfuncname":
			source.function, source.basic = e.Value, e.Key == "funcname"
		case "wordregex":
			source.word = e.Value
		case "binary":
			var err error
			if binary, err = parseTristate(e); err != nil {
				return nil, err
			}
		case "command", "textconv", "cachetextconv":
			// Programs are never run; such a driver exists all the same.
		default:
			continue
		}
		if !e.HasValue && e.Key != "binary" && e.Key != "cachetextconv" {
			return nil, missingValue(e)
		}
		found = true
	}
	if !found {
		return nil, nil
	}
	return &Driver{Name: name, Binary: binary, own: own, source: source}, nil
}

// driverSource is what the configuration says of a driver, before its
// expressions are compiled.
type driverSource struct {
	function string // expressions, one a line; "!" before one that rules a line out
	basic    bool   // they are POSIX basic, not extended, expressions
	word     string // what a word is, an extended expression
}

func parseTristate(e gitconfig.Entry) (Tristate, error) {
	if e.HasValue && e.Value == "auto" {
		return Auto, nil
	}
	yes, err := e.Bool()
	if yes {
		return Yes, err
	}
	return No, err
}

// missingValue is git's complaint about a key without a value.
func missingValue(e gitconfig.Entry) error {
	return fmt.Errorf("bad config variable '%s' in file '%s' at line %d", e.Name, e.Origin, e.Line)
}

// ErrNegatedLast says that a list of function line expressions ends with one
// that rules lines out.
var ErrNegatedLast = errors.New("Last expression must not be negated")

// ParseFunction compiles a list of expressions, one a line, as
// diff.<driver>.xfuncname (extended) or funcname has it. The error names the
// expression that is not valid.
func ParseFunction(list string, extended bool) (*Function, error) {
	f := &Function{}
	lines := strings.Split(list, "\n")
	for _, line := range lines {
		pattern, negated := strings.CutPrefix(line, "!")
		re, err := posixre.Compile(pattern, posixre.Options{Extended: extended, Groups: true})
		if err != nil {
			return nil, fmt.Errorf("Invalid regexp to look for hunk header: %s", pattern)
		}
		re.Longest()
		f.rules = append(f.rules, functionRule{re, negated})
	}
	if last := lines[len(lines)-1]; strings.HasPrefix(last, "!") {
		return nil, fmt.Errorf("%w: %s", ErrNegatedLast, last)
	}
	return f, nil
}

// ParseWord compiles a POSIX extended expression of what a word is, as
// diff.wordRegex has it. The error names an expression that is not valid.
func ParseWord(pattern string) (*regexp.Regexp, error) {
	re, err := posixre.Compile(pattern, posixre.Options{Extended: true, Lines: true})
	if err != nil {
		return nil, fmt.Errorf("invalid regular expression: %s", pattern)
	}
	re.Longest()
	return re, nil
}
