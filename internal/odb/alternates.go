package odb

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

const alternatesFile = "info/alternates"

// AlternateError says that a store named in objects/info/alternates was not
// opened.
type AlternateError struct {
	Path string // as the file names it
	File string // the file that names it
	Err  error  // wrapped
}

// Error names the store and the file.
func (e *AlternateError) Error() string {
	return fmt.Sprintf("object directory %s, named in %s, was not opened: %v", e.Path, e.File, e.Err)
}

// Unwrap returns the reason.
func (e *AlternateError) Unwrap() error { return e.Err }

// openStores opens the repository's own store and those it borrows from, in
// git's order. A store that is missing is passed over as in git; one outside
// the workspace is remembered in the set.
func (db *Database) openStores(set *packSet) error {
	seen := map[string]*store{}
	for _, s := range db.stores {
		seen[s.dir.Path()] = s
	}
	own := db.stores[0]
	set.stores = append(set.stores, own)
	return db.addAlternates(set, own, seen, 0)
}

// addAlternates appends the stores that s borrows from, each followed by its
// own ones.
func (db *Database) addAlternates(set *packSet, s *store, seen map[string]*store, depth int) error {
	if depth > db.limits.Alternates {
		return nil // git: "ignoring alternate object stores, nesting too deep"
	}
	lines, err := s.alternates()
	if err != nil {
		return err
	}
	for _, line := range lines {
		next, err := db.openAlternate(s, line, seen)
		if err != nil {
			set.refused = errors.Join(set.refused, &AlternateError{line, path.Join(s.dir.Path(), alternatesFile), err})
			continue
		}
		if next == nil || contains(set.stores, next) {
			continue
		}
		set.stores = append(set.stores, next)
		if err := db.addAlternates(set, next, seen, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func contains(stores []*store, s *store) bool {
	for _, t := range stores {
		if s == t {
			return true
		}
	}
	return false
}

// openAlternate opens the store that line names, relative to s; nil when there
// is none.
func (db *Database) openAlternate(s *store, line string, seen map[string]*store) (*store, error) {
	dir := line
	if !path.IsAbs(dir) && !filepath.IsAbs(dir) {
		dir = path.Join(s.dir.Path(), dir)
	}
	handle, err := db.stores[0].dir.Workspace().OpenDir(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, sandbox.ErrNotDir) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if old := seen[handle.Path()]; old != nil {
		handle.Close()
		return old, nil
	}
	next := &store{dir: handle, opts: &db.opts}
	seen[handle.Path()] = next
	db.stores = append(db.stores, next)
	return next, nil
}

// maxAlternates bounds the file that names a store's alternates.
const maxAlternates = 1 << 20

// alternates returns the paths that objects/info/alternates names: one a line,
// without comments, unquoted.
func (s *store) alternates() ([]string, error) {
	f, err := s.dir.OpenFollow(alternatesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := f.ReadAll(maxAlternates)
	if err != nil {
		return nil, err
	}
	return parseAlternates(string(data)), nil
}

func parseAlternates(text string) []string {
	var paths []string
	for text != "" {
		var line string
		if text[0] == '"' {
			if name, rest, ok := unquote(text); ok {
				line, text = name, strings.TrimPrefix(rest, "\n")
				paths = appendPath(paths, line)
				continue
			}
		}
		line, text, _ = strings.Cut(text, "\n")
		if !strings.HasPrefix(line, "#") {
			paths = appendPath(paths, line)
		}
	}
	return paths
}

func appendPath(paths []string, line string) []string {
	if line = strings.TrimSpace(line); line == "" {
		return paths
	}
	return append(paths, line)
}

// unquote reads a path in double quotes at the head of s, with git's escapes
// (those of C, and octal numbers).
func unquote(s string) (text, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			decoded, used := unescape(s[i+1:])
			if used == 0 {
				return "", "", false
			}
			b.WriteByte(decoded)
			i += used
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

const (
	escapes = `abfnrtv\"`
	escaped = "\a\b\f\n\r\t\v\\\""
)

// unescape decodes what follows a backslash; used is 0 when it means nothing.
func unescape(s string) (c byte, used int) {
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte(escapes, s[0]); i >= 0 {
		return escaped[i], 1
	}
	if len(s) < 3 || s[0] < '0' || s[0] > '3' {
		return 0, 0
	}
	for _, d := range []byte(s[:3]) {
		if d < '0' || d > '7' {
			return 0, 0
		}
		c = c<<3 | (d - '0')
	}
	return c, 3
}
