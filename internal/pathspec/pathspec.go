package pathspec

import (
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/wildmatch"
)

// Options of Parse.
type Options struct {
	// Top is the absolute path of the work tree, of the git directory in a bare repository: for absolute pathspecs and for messages.
	Top string
	// Bare means that there is no work tree, so that no absolute pathspec is inside.
	Bare bool
	// Attributes answers for the attr magic; nil means that no path has attributes.
	Attributes func(path string) attributes.Attributes
	// PreferCwd selects the prefix, not everything, where no pathspec or none but exclusions are given (ls-files, grep).
	PreferCwd bool
	// IgnoreCase adds the icase magic to all.
	IgnoreCase bool
	// Literal takes all as they are, without magic or wildcards.
	Literal bool
	// Unsupported is the magic that the command refuses.
	Unsupported Magic
}

// Spec is a parsed list of pathspecs. A nil Spec selects everything. It is safe for concurrent use.
type Spec struct {
	items      []item
	attributes func(path string) attributes.Attributes
	excludes   bool
}

// item is one pathspec.
type item struct {
	original string
	path     string // relative to the top; normalized unless the top magic is set
	magic    Magic
	prefix   int  // length of the part of path that comes from the current directory
	literal  int  // length of the part of path without wildcards, at least prefix
	suffix   bool // what follows is "*" and no other wildcard, and may cross slashes
	implied  bool // not given by the user
	attrs    []attrTest
	seen     atomic.Bool
}

// OutsideError is a pathspec that leads out of the work tree. It is fs.ErrPermission.
type OutsideError struct {
	Spec      string // as given; "" for a plain path
	Path, Top string
}

// Error returns git's text.
func (e *OutsideError) Error() string {
	if e.Spec == "" {
		return fmt.Sprintf("'%s' is outside repository at '%s'", e.Path, e.Top)
	}
	return fmt.Sprintf("%s: '%s' is outside repository at '%s'", e.Spec, e.Path, e.Top)
}

// Is makes it a refusal.
func (e *OutsideError) Is(target error) bool { return target == fs.ErrPermission }

// SyntaxError is a pathspec that git does not take. Its text is git's.
type SyntaxError struct{ Text string }

// Error returns the text.
func (e *SyntaxError) Error() string { return e.Text }

func syntaxError(format string, args ...any) error { return &SyntaxError{fmt.Sprintf(format, args...)} }

// Parse reads pathspecs given in the directory prefix, "" or "a/b/". No pathspecs make a nil Spec, except under PreferCwd.
// The error is a *SyntaxError or *OutsideError.
func Parse(specs []string, prefix string, opts Options) (*Spec, error) {
	if len(specs) == 0 {
		if prefix == "" || !opts.PreferCwd {
			return nil, nil
		}
		s := &Spec{items: make([]item, 1)}
		s.items[0].path, s.items[0].prefix, s.items[0].literal, s.items[0].implied = prefix, len(prefix), len(prefix), true
		return s, nil
	}
	for _, spec := range specs {
		if spec == "" {
			return nil, syntaxError("empty string is not a valid pathspec. please use . instead if you meant to match all paths")
		}
	}
	s := &Spec{items: make([]item, len(specs), len(specs)+1), attributes: opts.Attributes}
	exclusions := 0
	for i, spec := range specs {
		it := &s.items[i]
		if err := it.parse(spec, prefix, opts); err != nil {
			return nil, err
		}
		if it.magic&Exclude != 0 {
			exclusions++
		}
		if refused := it.magic & opts.Unsupported; refused != 0 {
			return nil, syntaxError("%s: pathspec magic not supported by this command: %s", spec, refused)
		}
	}
	s.excludes = exclusions > 0
	if exclusions == len(specs) {
		s.items = s.items[:len(specs)+1]
		rest := &s.items[len(specs)]
		if rest.implied = true; opts.PreferCwd {
			rest.path, rest.prefix, rest.literal = prefix, len(prefix), len(prefix)
		}
	}
	return s, nil
}

// parse reads one pathspec.
func (it *item) parse(spec, prefix string, opts Options) error {
	it.original = spec
	rest, given := spec, -1
	if opts.Literal {
		it.magic = Literal
	} else {
		var err error
		if rest, given, err = it.parseMagic(spec); err != nil {
			return err
		}
		if opts.IgnoreCase {
			it.magic |= ICase
		}
	}
	if it.magic&Literal != 0 && it.magic&Glob != 0 {
		return syntaxError("%s: 'literal' and 'glob' are incompatible", spec)
	}
	switch {
	case given >= 0:
		it.path, it.prefix = rest, min(given, len(rest))
	case it.magic&Top != 0:
		it.path = rest
	default:
		var ok bool
		if it.path, it.prefix, ok = locate(rest, prefix, opts); !ok {
			return &OutsideError{spec, rest, opts.Top}
		}
	}
	if it.literal = len(it.path); it.magic&Literal == 0 {
		it.literal = max(wildmatch.LiteralPrefix(it.path), it.prefix)
	}
	if wild := it.path[it.literal:]; it.magic&Glob == 0 && wild != "" && wild[0] == '*' {
		it.suffix = wildmatch.LiteralPrefix(wild[1:]) == len(wild)-1
	}
	return nil
}

// locate makes a path relative to the top. kept is how much of the prefix is left at its beginning.
func locate(path, prefix string, opts Options) (located string, kept int, ok bool) {
	if !strings.HasPrefix(path, "/") {
		return normalize(prefix+path, len(prefix))
	}
	clean, _, ok := normalize(path[1:], 0)
	if !ok || opts.Bare {
		return "", 0, false
	}
	clean = "/" + clean
	top := strings.TrimSuffix(opts.Top, "/")
	below, inside := strings.CutPrefix(clean, top)
	if inside && (below == "" || below[0] == '/') {
		return strings.TrimPrefix(below, "/"), 0, true
	}
	return "", 0, false
}

// normalize resolves "." and ".." and makes several slashes one; a final slash stays. It fails where ".." leads above the beginning.
// kept is what is left of the first prefix bytes.
func normalize(path string, prefix int) (clean string, kept int, ok bool) {
	if canonical(path) {
		return path, prefix, true
	}
	out := make([]byte, 0, len(path))
	for rest := strings.TrimLeft(path, "/"); rest != ""; {
		name, after, slash := strings.Cut(rest, "/")
		rest = strings.TrimLeft(after, "/")
		switch name {
		case ".":
		case "..":
			if len(out) == 0 {
				return "", 0, false
			}
			out = out[:strings.LastIndexByte(string(out[:len(out)-1]), '/')+1]
			prefix = min(prefix, len(out))
		default:
			if out = append(out, name...); slash {
				out = append(out, '/')
			}
		}
	}
	return string(out), min(prefix, len(out)), true
}

// canonical reports whether normalize has nothing to do.
func canonical(path string) bool {
	return !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, ".") && !strings.Contains(path, "//") && !strings.Contains(path, "/.")
}
