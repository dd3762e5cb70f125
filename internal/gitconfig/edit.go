package gitconfig

import (
	"bytes"
	"fmt"
	"strings"
)

// Pair is a key of a section and its value.
type Pair struct{ Key, Value string }

// Add returns the file with the pairs added to its last section of that name,
// or to a new one at the end, as git config (git-config(1)) lays them out. The
// rest stays as it is. A file that cannot be parsed is a *ParseError.
func Add(data []byte, section, subsection string, pairs []Pair) ([]byte, error) {
	entries, err := Parse(data, "config")
	if err != nil {
		return nil, err
	}
	var added bytes.Buffer
	for _, p := range pairs {
		fmt.Fprintf(&added, "\t%s = %s\n", p.Key, quoteValue(p.Value))
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(bytes.Clone(data), '\n')
	}
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if e.Section == strings.ToLower(section) && e.Subsection == subsection {
			at := lineEnd(data, e.Line)
			return bytes.Join([][]byte{data[:at], added.Bytes(), data[at:]}, nil), nil
		}
	}
	header := "[" + section + "]\n"
	if subsection != "" {
		header = fmt.Sprintf("[%s \"%s\"]\n", section, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(subsection))
	}
	return bytes.Join([][]byte{data, []byte(header), added.Bytes()}, nil), nil
}

// Set is Add, but a key that the section has already is given the new value in
// its place. One that shares its line with other text stays beside the new one.
func Set(data []byte, section, subsection string, pairs []Pair) ([]byte, error) {
	entries, err := Parse(data, "config")
	if err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	var fresh []Pair
	for _, p := range pairs {
		found := false
		for _, e := range entries {
			if e.Section != strings.ToLower(section) || e.Subsection != subsection || !strings.EqualFold(e.Key, p.Key) || !aloneOn(lines[e.Line-1], p.Key) {
				continue
			}
			lines[e.Line-1] = nil
			if !found {
				lines[e.Line-1] = fmt.Appendf(nil, "\t%s = %s\n", p.Key, quoteValue(p.Value))
			}
			found = true
		}
		if !found {
			fresh = append(fresh, p)
		}
	}
	data = bytes.Join(lines, nil)
	if len(fresh) == 0 {
		return data, nil
	}
	return Add(data, section, subsection, fresh)
}

// aloneOn reports whether a line begins with the key and ends with its value.
func aloneOn(line []byte, key string) bool {
	text := bytes.TrimLeft(line, " \t")
	return len(text) > len(key) && strings.EqualFold(string(text[:len(key)]), key) && bytes.IndexByte(text[len(key):], '=') >= 0 &&
		!bytes.ContainsAny(text, "\\\"#;")
}

// lineEnd returns the offset behind a line, which counts from 1.
func lineEnd(data []byte, line int) int {
	at := 0
	for range line {
		next := bytes.IndexByte(data[at:], '\n')
		if next < 0 {
			return len(data)
		}
		at += next + 1
	}
	return at
}

// quoteValue writes a value so that Parse reads it back.
func quoteValue(value string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(value)
	if strings.ContainsAny(value, "#;") || strings.TrimSpace(value) != value {
		return `"` + escaped + `"`
	}
	return escaped
}
