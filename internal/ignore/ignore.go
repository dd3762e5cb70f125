package ignore

import "strings"

// Result is the verdict on a path. Pattern is the line that decided, which may be a negated one; nil when none matched.
type Result struct {
	Ignored bool
	Pattern *Pattern
}

// Matcher decides for the children of one directory. It never changes, so any number of goroutines may share it.
type Matcher struct {
	parent   *Matcher // that of the directory above, or of the same one without its list; nil at the start
	list     *List
	fold     bool
	excluded *Pattern // the pattern that ignores the directory itself
}

// New returns the matcher of the top directory before its .gitignore is known. The lists come in rising precedence:
// core.excludesFile, then info/exclude; nil ones count as empty. ignoreCase is core.ignoreCase.
func New(ignoreCase bool, lists ...*List) *Matcher {
	m := &Matcher{fold: ignoreCase}
	for _, list := range lists {
		m = m.Add(list)
	}
	return m
}

// Add returns the matcher of the same directory with the patterns of its .gitignore, which are stronger than all before.
// An empty list leaves the matcher as it is.
func (m *Matcher) Add(list *List) *Matcher {
	if list.Len() == 0 || m.excluded != nil {
		return m
	}
	return &Matcher{parent: m, list: list, fold: m.fold}
}

// Enter returns the matcher of the child directory path (relative to the top, without a final slash). Everything below a directory
// that is ignored is ignored, by the directory's own pattern.
func (m *Matcher) Enter(path string) *Matcher {
	if m.excluded != nil {
		return m
	}
	if result := m.Match(path, true); result.Ignored {
		return &Matcher{fold: m.fold, excluded: result.Pattern}
	}
	return m
}

// Excluded returns the pattern by which the directory itself is ignored, nil when it is not.
func (m *Matcher) Excluded() *Pattern { return m.excluded }

// Match decides for path (relative to the top), a child of the matcher's directory. isDir holds for real directories only,
// not for links to them.
func (m *Matcher) Match(path string, isDir bool) Result {
	if m.excluded != nil {
		return Result{true, m.excluded}
	}
	name := strings.LastIndexByte(path, '/') + 1
	for ; m != nil; m = m.parent {
		if p := m.list.last(path, name, isDir, m.fold); p != nil {
			return Result{!p.Negated, p}
		}
	}
	return Result{}
}
