package pathspec

import (
	"strings"

	"github.com/ingit-dev/ingit/internal/wildmatch"
)

// Empty reports whether there is no pathspec, so that everything is selected.
func (s *Spec) Empty() bool { return s == nil }

// Match reports whether path (relative to the top, without a final slash) is selected, and remembers for Unmatched which pathspecs
// did it. isDir holds for directories and submodules.
func (s *Spec) Match(path string, isDir bool) bool {
	if s == nil {
		return true
	}
	selected := false
	for i := range s.items {
		it := &s.items[i]
		if it.magic&Exclude == 0 && s.matches(it, path, isDir) {
			selected = true
			if !it.seen.Load() {
				it.seen.Store(true)
			}
		}
	}
	return selected && !s.excluded(path, isDir)
}

func (s *Spec) excluded(path string, isDir bool) bool {
	if !s.excludes {
		return false
	}
	for i := range s.items {
		if it := &s.items[i]; it.magic&Exclude != 0 && s.matches(it, path, isDir) {
			return true
		}
	}
	return false
}

func (s *Spec) matches(it *item, path string, isDir bool) bool {
	return it.reaches(path) && (it.covers(path, isDir) || it.matchesPattern(path)) && s.matchesAttrs(it, path)
}

// reaches checks the part that comes from the current directory, which is compared exactly even under icase.
func (it *item) reaches(path string) bool {
	return it.magic&ICase == 0 || strings.HasPrefix(path, it.path[:it.prefix])
}

// covers reports whether the pathspec is the path or a directory above it, wildcards taken as they are.
func (it *item) covers(path string, isDir bool) bool {
	spec := it.path
	switch n := len(spec); {
	case n == 0:
		return true
	case n <= len(path):
		return it.equal(spec, path[:n]) && (n == len(path) || spec[n-1] == '/' || path[n] == '/')
	case isDir && n == len(path)+1 && spec[n-1] == '/':
		return it.equal(spec[:n-1], path)
	}
	return false
}

// matchesPattern compares what is literal first and matches the rest by itself, as git does.
func (it *item) matchesPattern(path string) bool {
	n := it.literal
	if n == len(it.path) || n > len(path) || !it.equal(it.path[:n], path[:n]) {
		return false
	}
	pattern, rest := it.path[n:], path[n:]
	if it.suffix {
		at := len(rest) - len(pattern) + 1
		return at >= 0 && it.equal(pattern[1:], rest[at:])
	}
	var flags wildmatch.Flags
	if it.magic&Glob != 0 {
		flags |= wildmatch.PathName
	}
	if it.magic&ICase != 0 {
		flags |= wildmatch.CaseFold
	}
	return wildmatch.Match(pattern, rest, flags)
}

// equal compares strings of the same length.
func (it *item) equal(spec, path string) bool {
	return spec == path || it.magic&ICase != 0 && wildmatch.EqualFold(spec, path)
}

func (s *Spec) matchesAttrs(it *item, path string) bool {
	if len(it.attrs) == 0 {
		return true
	}
	if s.attributes == nil {
		return false
	}
	attrs := s.attributes(path)
	for _, test := range it.attrs {
		if attrs.Get(test.name) != test.want {
			return false
		}
	}
	return true
}

// MatchesDir reports whether something below dir (without a final slash) may be selected; a walk can leave out other directories.
func (s *Spec) MatchesDir(dir string) bool {
	if s == nil || dir == "" {
		return true
	}
	for i := range s.items {
		if it := &s.items[i]; it.magic&Exclude != 0 && len(it.attrs) == 0 && it.reaches(dir) && it.covers(dir, true) {
			return false
		}
	}
	for i := range s.items {
		if it := &s.items[i]; it.magic&Exclude == 0 && it.mayReach(dir) {
			return true
		}
	}
	return false
}

// mayReach reports whether the literal part of the pathspec agrees with dir as far as both go.
func (it *item) mayReach(dir string) bool {
	if it.covers(dir, true) {
		return true
	}
	literal := it.path[:it.literal]
	if n := len(dir); len(literal) > n {
		return it.equal(literal[:n], dir) && literal[n] == '/'
	}
	return it.literal < len(it.path) && it.equal(literal, dir[:len(literal)])
}

// LeadsInto reports whether the wildcards of a pathspec may select something below dir (without a final slash) while no pathspec
// is dir with its slash, or matches that with its wildcards.
func (s *Spec) LeadsInto(dir string) bool {
	if s == nil {
		return false
	}
	dir += "/"
	leads := false
	for i := range s.items {
		it := &s.items[i]
		if it.magic&Exclude != 0 || !it.reaches(dir) {
			continue
		}
		if it.path == dir || it.matchesPattern(dir) {
			return false
		}
		n := min(it.literal, len(dir))
		leads = leads || it.literal < len(it.path) && it.equal(it.path[:n], dir[:n])
	}
	return leads
}

// Unmatched returns the pathspecs, as they were given, that have selected nothing so far. Exclusions are never among them.
func (s *Spec) Unmatched() []string {
	if s == nil {
		return nil
	}
	var specs []string
	for i := range s.items {
		if it := &s.items[i]; it.magic&Exclude == 0 && !it.implied && !it.seen.Load() {
			specs = append(specs, it.original)
		}
	}
	return specs
}

// Item is what a command may want to know of one pathspec.
type Item struct {
	Original string // as given
	Path     string // relative to the top, wildcards included
	Magic    Magic
	Literal  bool // no wildcards
	Matched  bool // has selected something
}

// Items returns the pathspecs in the order in which they were given.
func (s *Spec) Items() []Item {
	if s == nil {
		return nil
	}
	var items []Item
	for i := range s.items {
		if it := &s.items[i]; !it.implied {
			items = append(items, Item{it.original, it.path, it.magic, it.literal == len(it.path), it.seen.Load()})
		}
	}
	return items
}

// CommonDir returns the directory, with its final slash, in which everything selected lies; "" is the top.
func (s *Spec) CommonDir() string {
	if s == nil {
		return ""
	}
	common, first := "", true
	for i := range s.items {
		it := &s.items[i]
		if it.magic&Exclude != 0 {
			continue
		}
		literal := it.path[:it.literal]
		if it.magic&ICase != 0 {
			literal = it.path[:it.prefix]
		}
		dir := literal[:strings.LastIndexByte(literal, '/')+1]
		if first {
			common, first = dir, false
		}
		for !strings.HasPrefix(dir, common) {
			common = common[:strings.LastIndexByte(common[:len(common)-1], '/')+1]
		}
	}
	return common
}
