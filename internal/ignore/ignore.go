// Package ignore applies git's ignore patterns (gitignore(5)).
package ignore

// Pattern is one line of an ignore file.
type Pattern struct {
	Text    string // as written, without the trailing spaces that do not count
	Source  string // the file's name as check-ignore prints it
	Line    int    // from 1
	Negated bool
}

// List is the patterns of one source.
type List struct{ patterns []Pattern }

// Parse reads an ignore file. source is the name to report; base is the directory it governs ("" or "a/b"),
// relative to the top of the work tree.
func Parse(data []byte, source, base string) *List { return &List{} }

// Matcher decides for the children of one directory. It is immutable, so that a parallel walk can share it.
type Matcher struct{}

// Result is the verdict on a path: Pattern is the last pattern that matched, nil when none did.
type Result struct {
	Ignored bool
	Pattern *Pattern
}

// New returns the matcher of the top directory. The global lists come in rising precedence:
// core.excludesFile, then info/exclude. Nil lists are skipped.
func New(ignoreCase bool, global ...*List) *Matcher { return &Matcher{} }

// Add returns a matcher that also honours the current directory's own .gitignore; nil leaves it as it is.
func (m *Matcher) Add(list *List) *Matcher { return m }

// Enter returns the matcher of the child directory path (relative to the top). What is below an ignored directory is ignored
// by the directory's pattern.
func (m *Matcher) Enter(path string) *Matcher { return m }

// Match decides for path (relative to the top), a child of the matcher's directory.
func (m *Matcher) Match(path string, isDir bool) Result { return Result{} }
