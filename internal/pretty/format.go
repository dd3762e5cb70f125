package pretty

import (
	"fmt"
	"strings"
)

// Kind is one of the shapes in which git prints commits (git-log(1), "PRETTY
// FORMATS").
type Kind uint8

// The kinds; the zero value is git's default one.
const (
	Medium Kind = iota
	Oneline
	Short
	Full
	Fuller
	Raw
	User // by a text with placeholders
)

// Format says how commits are printed.
type Format struct {
	Kind Kind
	Text string // of User
	Ends bool   // a newline ends each commit, instead of standing between two

	expandTabs bool
	shortDates bool // unless another format of dates is asked for
}

// DefaultFormat is git's default one.
var DefaultFormat = Format{expandTabs: true}

// Empty says that nothing of a commit is printed.
func (f Format) Empty() bool { return f.Kind == User && f.Text == "" }

// ShortDates says that the format asks for dates without time, unless a
// setting says otherwise.
func (f Format) ShortDates() bool { return f.shortDates }

// FormatError refuses the name of a format. Its text is git's sentence.
type FormatError struct{ text string }

// Error returns git's sentence.
func (e *FormatError) Error() string { return e.text }

// UnbuiltError names a format, or a placeholder of one, that git has and ingit
// has not.
type UnbuiltError struct{ What string }

// Error names it.
func (e *UnbuiltError) Error() string { return "the pretty format " + e.What + " is not built" }

// Alias is a name for a format: a setting pretty.NAME.
type Alias struct{ Name, Value string }

// named is a format with its name; alias is the name that it stands for.
type named struct {
	name    string
	format  Format
	alias   string
	unbuilt bool
}

// builtin are git's own names, in its order: of several that an abbreviation
// fits, the first of the shortest ones is meant.
func builtin() []named {
	return []named{
		{name: "raw", format: Format{Kind: Raw}},
		{name: "medium", format: DefaultFormat},
		{name: "short", format: Format{Kind: Short}},
		{name: "email", unbuilt: true},
		{name: "mboxrd", unbuilt: true},
		{name: "fuller", format: Format{Kind: Fuller, expandTabs: true}},
		{name: "full", format: Format{Kind: Full, expandTabs: true}},
		{name: "oneline", format: Format{Kind: Oneline, Ends: true}},
		{name: "reference", format: Format{Kind: User, Text: "%C(auto)%h (%s, %ad)", Ends: true, shortDates: true}},
	}
}

// ParseFormat reads a --pretty or format.pretty value: a name or what begins
// one, an alias, or placeholders. Errors are *FormatError and
// *UnbuiltError.
func ParseFormat(value string, aliases []Alias) (Format, error) {
	if format, ok := userFormat(value); ok || value == "" {
		return format, nil
	}
	list := builtin()
	for _, a := range aliases {
		list = addAlias(list, a)
	}
	name := value
	for range len(list) {
		found := lookUp(list, name)
		switch {
		case found == nil:
			return Format{}, &FormatError{"invalid --pretty format: " + value}
		case found.unbuilt:
			return Format{}, &UnbuiltError{found.name}
		case found.alias == "":
			return found.format, nil
		}
		name = found.alias
	}
	return Format{}, &FormatError{fmt.Sprintf("invalid --pretty format: '%s' references an alias which points to itself", value)}
}

// userFormat reads a format that is given by placeholders.
func userFormat(value string) (Format, bool) {
	if text, ok := strings.CutPrefix(value, "format:"); ok {
		return Format{Kind: User, Text: text}, true
	}
	text, ok := strings.CutPrefix(value, "tformat:")
	return Format{Kind: User, Text: text, Ends: true}, ok || strings.Contains(value, "%")
}

// addAlias adds a setting to the list, or replaces an earlier one of the name.
// Git's own names stay.
func addAlias(list []named, a Alias) []named {
	entry := named{name: a.Name, alias: a.Value}
	if format, ok := userFormat(a.Value); ok {
		entry = named{name: a.Name, format: format}
	}
	for i := range list {
		if list[i].name == a.Name {
			if i >= len(builtin()) {
				list[i] = entry
			}
			return list
		}
	}
	return append(list, entry)
}

// lookUp returns the format that name, or its beginning, means.
func lookUp(list []named, name string) (found *named) {
	for i := range list {
		n := list[i].name
		if strings.HasPrefix(n, name) && (found == nil || len(n) < len(found.name)) {
			found = &list[i]
		}
	}
	return found
}
