package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the JSON type of a parameter.
type Kind int

// The kinds of parameters.
const (
	String  Kind = iota // one string
	Strings             // one string or an array of strings
	Bool                // true or false
	Int                 // an integer
)

// String returns the kind as error texts name it.
func (k Kind) String() string {
	return [...]string{"a string", "a string or an array of strings", "true or false", "an integer"}[k]
}

// Param describes one parameter of an operation.
type Param struct {
	Name     string   // as in requests: "find_copies"
	Doc      string   // one or two sentences, ending in a full stop
	Kind     Kind     // the JSON type
	Required bool     // absent is an error
	Enum     []string // the values a String may have; none: any
	Default  any      // what absent means, for schemas; nil: nothing worth saying
	Min, Max int64    // bounds of an Int, beyond which it is clamped; both 0: none

	set     func(value any) // stores a decoded value: string, []string, bool or int64
	present bool
}

// text binds a parameter that is one string.
func text(dst *string, name, doc string) *Param {
	return &Param{Name: name, Doc: doc, Kind: String, set: func(v any) { *dst = v.(string) }}
}

// word binds a parameter that is one of some words, "" when absent.
func word(dst *string, name, doc string, words ...string) *Param {
	p := text(dst, name, doc)
	p.Enum = words
	return p
}

// choice binds a parameter that is one of some words; the first is the default.
func choice(dst *string, name, doc string, words ...string) *Param {
	p := word(dst, name, doc, words...)
	p.Default, *dst = words[0], words[0]
	return p
}

// texts binds a parameter that is one string or several.
func texts(dst *[]string, name, doc string) *Param {
	return &Param{Name: name, Doc: doc, Kind: Strings, set: func(v any) { *dst = v.([]string) }}
}

// flag binds a parameter that is true or false, false by default.
func flag(dst *bool, name, doc string) *Param {
	return &Param{Name: name, Doc: doc, Kind: Bool, Default: false, set: func(v any) { *dst = v.(bool) }}
}

// number binds an integer that is clamped to min..max; both 0: no bounds.
func number(dst *int64, name, doc string, def, min, max int64) *Param {
	*dst = def
	p := &Param{Name: name, Doc: doc, Kind: Int, Min: min, Max: max}
	if def != 0 {
		p.Default = def
	}
	p.set = func(v any) {
		n := v.(int64)
		if min != 0 || max != 0 {
			n = minmax(n, min, max)
		}
		*dst = n
	}
	return p
}

func minmax(n, low, high int64) int64 { return min(max(n, low), high) }

// required marks the parameter as one that must be there.
func (p *Param) required() *Param {
	p.Required = true
	return p
}

// decode turns a JSON value (as encoding/json decodes it with UseNumber) or a
// value that the command line made into the parameter's type.
func (p *Param) decode(operation string, v any) (any, error) {
	wrong := func() error {
		return &RequestError{Operation: operation, Param: p.Name,
			Reason: fmt.Sprintf("parameter '%s' of %s must be %s, not %s", p.Name, operation, p.Kind, describe(v))}
	}
	switch p.Kind {
	case String:
		if s, ok := v.(string); ok {
			return s, nil
		}
	case Bool:
		if b, ok := v.(bool); ok {
			return b, nil
		}
	case Int:
		switch n := v.(type) {
		case int64:
			return n, nil
		case int:
			return int64(n), nil
		case json.Number:
			if i, ok := integer(n); ok {
				return i, nil
			}
		}
	case Strings:
		switch list := v.(type) {
		case string:
			return []string{list}, nil
		case []string:
			return list, nil
		case []any:
			out := make([]string, len(list))
			for i, x := range list {
				s, ok := x.(string)
				if !ok {
					return nil, wrong()
				}
				out[i] = s
			}
			return out, nil
		}
	}
	return nil, wrong()
}

// integer reads a JSON number that has no fraction; numbers beyond 64 bits
// become the nearest that fits, since limits are clamped anyway.
func integer(n json.Number) (int64, bool) {
	if i, err := n.Int64(); err == nil {
		return i, true
	}
	f, err := n.Float64()
	switch {
	case math.IsInf(f, 1) || err == nil && f >= math.MaxInt64:
		return math.MaxInt64, true
	case math.IsInf(f, -1) || err == nil && f <= math.MinInt64:
		return math.MinInt64, true
	case err != nil || f != math.Trunc(f):
		return 0, false
	}
	return int64(f), true
}

// describe names a JSON value in an error text.
func describe(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		if len(x) > 40 {
			return "a string"
		}
		return fmt.Sprintf("the string %q", x)
	case json.Number: // the command line makes one of any word
		if _, err := x.Float64(); err == nil || errors.Is(err, strconv.ErrRange) {
			return "the number " + x.String()
		}
		return describe(x.String())
	case bool:
		return fmt.Sprint(x)
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("%v", v)
}

// checkEnum refuses a word that the parameter doesn't know.
func (p *Param) checkEnum(operation string, v any) error {
	word, ok := v.(string)
	if !ok || len(p.Enum) == 0 || slices.Contains(p.Enum, word) {
		return nil
	}
	return &RequestError{Operation: operation, Param: p.Name,
		Reason: fmt.Sprintf("parameter '%s' of %s must be one of %s, not %s", p.Name, operation, strings.Join(p.Enum, ", "), describe(v))}
}

// stringsIn returns the strings that a decoded value holds.
func stringsIn(v any) []string {
	switch x := v.(type) {
	case string:
		return []string{x}
	case []string:
		return x
	}
	return nil
}

// nearest returns the word that is spelled most like name, or "" when none is
// near enough to be meant.
func nearest(name string, words []string) string {
	best, least := "", max(2, len(name)/3)+1
	for _, w := range words {
		if d := distance(strings.ToLower(name), w); d < least {
			best, least = w, d
		}
	}
	return best
}

// distance is the number of letters to insert, remove or replace, or pairs to
// swap, that make a into b.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	two, one, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range one {
		one[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(one[j]+1, now[j-1]+1, one[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], two[j-2]+1)
			}
		}
		two, one, now = one, now, two
	}
	return one[len(b)]
}
