package convert

import (
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/charset"
	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// Config is the part of the configuration that matters here.
type Config struct {
	config    *gitconfig.Config
	autoCRLF  tristate
	crlf      bool // text files get CRLF unless something else is said
	safe      bool // core.safecrlf=true: refuse what would not survive
	roundTrip string
}

type tristate uint8

const (
	off tristate = iota
	on
	input
)

// NewConfig reads what it needs. A value that git does not take is an error with git's text.
func NewConfig(config *gitconfig.Config) (*Config, error) {
	c := &Config{config: config, roundTrip: "SHIFT-JIS"}
	if value, _ := config.Get("core.autocrlf"); strings.EqualFold(value, "input") {
		c.autoCRLF = input
	} else if set, err := config.Bool("core.autocrlf", false); err != nil {
		return nil, err
	} else if set {
		c.autoCRLF = on
	}
	eol, _ := config.Get("core.eol")
	c.crlf = c.autoCRLF == on || c.autoCRLF == off && (strings.EqualFold(eol, "crlf") || nativeCRLF && !strings.EqualFold(eol, "lf"))
	if value, _ := config.Get("core.safecrlf"); !strings.EqualFold(value, "warn") {
		var err error
		if c.safe, err = config.Bool("core.safecrlf", false); err != nil {
			return nil, err
		}
	}
	if names, ok := config.Get("core.checkRoundtripEncoding"); ok {
		c.roundTrip = names
	}
	return c, nil
}

// driver is a configured filter.
type driver struct {
	name          string
	clean, smudge bool // has a program
	required      bool
}

// driver returns the filter of that name, nil when the configuration does not know it.
func (c *Config) driver(name string) (*driver, error) {
	d := &driver{name: name}
	has := func(key string) bool {
		value, ok := c.config.Get("filter." + name + "." + key)
		return ok && value != ""
	}
	process := has("process")
	d.clean, d.smudge = process || has("clean"), process || has("smudge")
	var err error
	if d.required, err = c.config.Bool("filter."+name+".required", false); err != nil {
		return nil, err
	}
	if !d.clean && !d.smudge && !d.required {
		return nil, nil
	}
	return d, nil
}

// lfsDriver is the filter that is done natively.
const lfsDriver = "lfs"

// Rules are the conversions of one path. The zero value changes nothing.
type Rules struct {
	// Strict makes Clean refuse what git refuses when it writes an object, where git only warns when it looks:
	// text that does not fit its encoding, line ends that would not survive under core.safecrlf.
	Strict bool

	config   *Config
	lines    lineRule
	guess    bool // what the lines become in the work tree depends on the content
	ident    bool
	encoding string // "" when the work tree has UTF-8 too
	driver   *driver
}

// Error is content that git refuses to convert. Its text is git's.
type Error struct{ Text string }

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// FilterError is content that a program would have to convert.
type FilterError struct{ Driver, Path string }

// Error names the driver and the path.
func (e *FilterError) Error() string {
	return fmt.Sprintf("%s: cannot run the filter driver '%s'", e.Path, e.Driver)
}

// For derives the rules of a path from its attributes.
func For(attrs attributes.Attributes, config *Config) (Rules, error) {
	r := Rules{config: config, ident: attrs.Get("ident").State == attributes.Set}
	r.lines, r.guess = config.lineRule(attrs)
	switch encoding := attrs.Get("working-tree-encoding"); {
	case encoding.State == attributes.Set:
		return r, &Error{"true/false are no valid working-tree-encodings"}
	case !charset.IsUTF8(encoding.Text):
		r.encoding = encoding.Text
	}
	if filter := attrs.Get("filter"); filter.State == attributes.Valued {
		var err error
		if r.driver, err = config.driver(filter.Text); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Identity reports whether Clean returns every content unchanged.
func (r Rules) Identity() bool {
	return r.lines == binaryLines && !r.ident && r.encoding == "" && (r.driver == nil || !r.driver.clean && !r.driver.required)
}

// NeedsFilter returns the driver that would have to be run as a program to clean the path.
func (r Rules) NeedsFilter() (driver string, needed bool) {
	if r.driver == nil || !r.driver.clean || r.lfs() {
		return "", false
	}
	return r.driver.name, true
}

// NeedsSmudge is NeedsFilter for the other direction.
func (r Rules) NeedsSmudge() (driver string, needed bool) {
	if r.driver == nil || !r.driver.smudge || r.lfs() {
		return "", false
	}
	return r.driver.name, true
}

func (r Rules) lfs() bool { return r.driver != nil && r.driver.name == lfsDriver }

// Clean turns work tree content into what is stored. staged returns the content of the path's index entry (our side of a conflict),
// nil when there is none; it is called only where the rules depend on it. The result may be data itself.
func (r Rules) Clean(path string, data []byte, staged func() ([]byte, error)) ([]byte, error) {
	if r.driver != nil {
		if err := r.filterable(path); err != nil {
			return nil, err
		}
		if r.lfs() && r.driver.clean {
			data = cleanLFS(data)
		}
	}
	data, err := r.decode(path, data)
	if err != nil {
		return nil, err
	}
	if data, err = r.toLF(path, data, staged); err != nil {
		return nil, err
	}
	if r.ident {
		data = collapseIdent(data)
	}
	return data, nil
}

// streams reports whether git's checkout converts piece by piece.
func (r Rules) streams() bool {
	return !r.guess && r.encoding == "" && (r.driver == nil || !r.driver.clean && !r.driver.smudge)
}

// filterable refuses a path that a program would have to clean, or that must be filtered and has no program.
func (r Rules) filterable(path string) error {
	if name, needed := r.NeedsFilter(); needed {
		return &FilterError{name, path}
	}
	if r.driver.required && !r.driver.clean {
		return &Error{fmt.Sprintf("%s: clean filter '%s' failed", path, r.driver.name)}
	}
	return nil
}

// Smudge turns stored content, the blob id, into what the work tree gets. lfs returns an object of the local LFS store; when it lacks
// the object (an error that is fs.ErrNotExist, or lfs is nil) the work tree gets the pointer, as "git lfs" does when it may not fetch.
func (r Rules) Smudge(path string, data []byte, id plumbing.Hash, lfs func(oid string) ([]byte, error)) ([]byte, error) {
	if name, needed := r.NeedsSmudge(); needed {
		return nil, &FilterError{name, path}
	}
	if r.driver != nil && r.driver.required && !r.driver.smudge {
		return nil, &Error{fmt.Sprintf("%s: smudge filter %s failed", path, r.driver.name)}
	}
	switch {
	case r.ident && r.streams():
		data = streamIdent(data, id)
	case r.ident:
		data = expandIdent(data, id)
	}
	data = r.encode(r.lines.toCRLF(data))
	if r.lfs() && r.driver.smudge {
		return smudgeLFS(path, data, lfs)
	}
	return data, nil
}
