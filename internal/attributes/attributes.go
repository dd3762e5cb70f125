package attributes

import (
	"cmp"
	"iter"
	"slices"
)

// State of an attribute on a path.
type State uint8

const (
	// Unspecified means that nothing decided, or that "!attr" did.
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

// String returns the value as "git check-attr" prints it.
func (v Value) String() string {
	switch v.State {
	case Set:
		return "set"
	case Unset:
		return "unset"
	case Valued:
		return v.Text
	}
	return "unspecified"
}

// Attributes are those of one path. The zero value has none.
type Attributes struct{ decided []assignment }

// Get returns the value of the attribute of that name.
func (a Attributes) Get(name string) Value {
	for i := range a.decided {
		if a.decided[i].attr.name == name {
			return a.decided[i].value
		}
	}
	return Value{}
}

// All yields names and values of all that are not unspecified, in the order of "git check-attr --all": that in which the names were
// first met.
func (a Attributes) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		sorted := slices.SortedFunc(slices.Values(a.decided), func(x, y assignment) int {
			return cmp.Compare(x.attr.number, y.attr.number)
		})
		for _, d := range sorted {
			if d.value.State != Unspecified && !yield(d.attr.name, d.value) {
				return
			}
		}
	}
}
