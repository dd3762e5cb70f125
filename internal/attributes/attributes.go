// Package attributes finds the attributes of paths (gitattributes(5)).
package attributes

// State of an attribute on a path.
type State uint8

const (
	// Unspecified means that no line decided, or that "!attr" did.
	Unspecified State = iota
	// Set is "attr".
	Set
	// Unset is "-attr".
	Unset
	// Valued is "attr=text".
	Valued
)

// Value is an attribute's state and, when Valued, its text.
type Value struct {
	State State
	Text  string
}

// Source is an attributes file that is not found by its directory.
type Source struct {
	Name string
	Data []byte
}

// Options of New.
type Options struct {
	// Read returns the content of a ".gitattributes" file ("a/b/.gitattributes", relative to the top), nil when there is none.
	// It is asked once per directory.
	Read func(path string) ([]byte, error)
	// Global files, in rising precedence: system, then core.attributesFile.
	Global []Source
	// Info is $GIT_DIR/info/attributes, stronger than all others.
	Info *Source
	// IgnoreCase is core.ignoreCase.
	IgnoreCase bool
}

// Stack answers for one work tree. It is safe for concurrent use.
type Stack struct{}

// New returns a stack that reads directories as they are asked for.
func New(opts Options) *Stack { return &Stack{} }

// Attributes are those of one path.
type Attributes struct{}

// Get returns one attribute's value.
func (a Attributes) Get(name string) Value { return Value{} }

// Lookup returns the attributes of path. A path that ends in a slash is a directory.
func (s *Stack) Lookup(path string) Attributes { return Attributes{} }
