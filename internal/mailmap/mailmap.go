// Package mailmap reads .mailmap files, which say what people's names and
// addresses should be shown as (gitmailmap(5)).
package mailmap

import (
	"bytes"
	"strings"
)

// Map is what one or several files say. The zero value changes nothing.
type Map struct {
	byEmail map[string]*person // by the address in lower case
}

// person is what is shown for an address, or for an address with a name.
type person struct {
	name, email string             // "" leaves as it is
	byName      map[string]*person // by the name in lower case
}

// Add reads a file. Of two lines that say different things the later counts.
func (m *Map) Add(file []byte) {
	for line := range bytes.Lines(file) {
		if len(line) > 0 && line[0] == '#' {
			continue
		}
		m.addLine(strings.TrimSuffix(string(line), "\n"))
	}
}

// addLine reads "NAME <EMAIL> [NAME] <EMAIL>", of which the second pair is what
// commits have; one pair alone gives a name to an address.
func (m *Map) addLine(line string) {
	name, email, rest, ok := pair(line, false)
	if !ok {
		return
	}
	oldName, oldEmail, _, ok := pair(rest, true)
	if !ok {
		oldEmail, email = email, ""
	}
	if m.byEmail == nil {
		m.byEmail = make(map[string]*person)
	}
	key := fold(oldEmail)
	p := m.byEmail[key]
	if p == nil {
		p = new(person)
		m.byEmail[key] = p
	}
	if oldName != "" {
		if p.byName == nil {
			p.byName = make(map[string]*person)
		}
		p.byName[fold(oldName)] = &person{name: name, email: email}
		return
	}
	if name != "" {
		p.name = name
	}
	if email != "" {
		p.email = email
	}
}

// pair reads "NAME <EMAIL>" and returns what follows.
func pair(text string, emptyEmail bool) (name, email, rest string, ok bool) {
	name, text, ok = strings.Cut(text, "<")
	if !ok {
		return "", "", "", false
	}
	email, rest, ok = strings.Cut(text, ">")
	if !ok || email == "" && !emptyEmail {
		return "", "", "", false
	}
	return strings.Trim(name, " \t\n\r"), email, rest, true
}

// fold makes letters of ASCII small; others are compared as they are.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// Empty reports whether the map changes nothing.
func (m *Map) Empty() bool { return len(m.byEmail) == 0 }

// Lookup returns the name and address to show for those of a commit.
func (m *Map) Lookup(name, email []byte) (shownName, shownEmail []byte) {
	if m.Empty() {
		return name, email
	}
	p := m.byEmail[fold(string(email))]
	if p == nil {
		return name, email
	}
	if named := p.byName[fold(string(name))]; named != nil {
		p = named
	}
	if p.name != "" {
		name = []byte(p.name)
	}
	if p.email != "" {
		email = []byte(p.email)
	}
	return name, email
}
