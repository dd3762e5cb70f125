package gitconfig

import (
	"fmt"
	"slices"
	"strings"
)

// Config is the answer of all layers together. It does not change after New,
// and any number of goroutines may use it. A nil *Config is empty.
type Config struct {
	entries []Entry
	byName  map[string][]int // indices into entries, in reading order
}

// New joins layers, weakest first.
func New(layers ...[]Entry) *Config {
	c := &Config{entries: slices.Concat(layers...)}
	c.byName = make(map[string][]int, len(c.entries))
	for i, e := range c.entries {
		c.byName[e.Name] = append(c.byName[e.Name], i)
	}
	return c
}

// Entries returns every entry in reading order. The caller must not change it.
func (c *Config) Entries() []Entry {
	if c == nil {
		return nil
	}
	return c.entries
}

func (c *Config) lookup(name string) []int {
	if c == nil {
		return nil
	}
	if found, ok := c.byName[name]; ok {
		return found
	}
	return c.byName[Normalize(name)]
}

// Entry returns the last entry of a name.
func (c *Config) Entry(name string) (Entry, bool) {
	found := c.lookup(name)
	if len(found) == 0 {
		return Entry{}, false
	}
	return c.entries[found[len(found)-1]], true
}

// Get returns the last value of a name such as "core.bare" or
// "branch.Main.remote": section and key in any case, the subsection exact.
// A key without a value gives "" and true.
func (c *Config) Get(name string) (string, bool) {
	e, ok := c.Entry(name)
	return e.Value, ok
}

// All returns every value of a name in reading order.
func (c *Config) All(name string) []string {
	var values []string
	for _, i := range c.lookup(name) {
		values = append(values, c.entries[i].Value)
	}
	return values
}

// String returns the last value, or def when the name is not set. A key
// without a value is a *ValueError, as git refuses it where a text is wanted.
func (c *Config) String(name, def string) (string, error) {
	e, ok := c.Entry(name)
	if !ok {
		return def, nil
	}
	if !e.HasValue {
		return def, &ValueError{text: fmt.Sprintf("missing value for '%s'", e.Name)}
	}
	return e.Value, nil
}

// Bool returns the last value as a boolean, or def when the name is not set.
func (c *Config) Bool(name string, def bool) (bool, error) {
	e, ok := c.Entry(name)
	if !ok {
		return def, nil
	}
	return e.Bool()
}

// Int returns the last value as a number with git's suffixes k, m and g, or
// def when the name is not set.
func (c *Config) Int(name string, def int64) (int64, error) {
	e, ok := c.Entry(name)
	if !ok {
		return def, nil
	}
	return e.Int()
}

// Subsections returns the distinct subsections of a section, in the order of
// their first entry.
func (c *Config) Subsections(section string) []string {
	var names []string
	seen := map[string]bool{}
	section = strings.ToLower(section)
	for _, e := range c.Entries() {
		if e.Section == section && len(e.Name) > len(e.Section)+len(e.Key)+1 && !seen[e.Subsection] {
			seen[e.Subsection] = true
			names = append(names, e.Subsection)
		}
	}
	return names
}

// Normalize gives a name the form of Entry.Name: section and key in lower
// case, the subsection unchanged.
func Normalize(name string) string {
	first, last := strings.IndexByte(name, '.'), strings.LastIndexByte(name, '.')
	if first < 0 {
		return strings.ToLower(name)
	}
	return strings.ToLower(name[:first]) + name[first:last] + strings.ToLower(name[last:])
}
