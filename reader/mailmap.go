package reader

import (
	"bytes"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// mailmap maps the people of commits to their proper names and addresses
// (gitmailmap(5)). Names and addresses are looked up without regard to case.
type mailmap struct {
	people map[string]*mapped // by address
}

// mapped is what becomes of an address, in general and by name.
type mapped struct {
	name, mail string
	byName     map[string]*mapped
}

// Mailmap maps a person of a commit to a proper name and address.
type Mailmap struct{ m *mailmap }

// Mailmap returns the map from .mailmap, mailmap.blob and mailmap.file
// (git-config(1)); without any of them it changes nothing.
func (r *Repository) Mailmap() (Mailmap, error) {
	m, err := r.loadMailmap()
	return Mailmap{m}, err
}

// Lookup returns the name and address that stand for those of a commit.
func (m Mailmap) Lookup(name, mail string) (string, string) { return m.m.lookup(name, mail) }

// maxMailmap bounds a mailmap file.
const maxMailmap = 64 << 20

func (r *Repository) loadMailmap() (*mailmap, error) {
	m := &mailmap{people: map[string]*mapped{}}
	top, err := r.WorkTree()
	if err == nil {
		data, err := top.ReadFile(".mailmap", maxMailmap)
		if err == nil {
			m.read(data)
		}
	}
	blob, ok := r.Config().Get("mailmap.blob")
	if !ok && r.Bare() {
		blob, ok = "HEAD:.mailmap", true
	}
	if ok {
		s := resolver{repo: r, rev: blob}
		if id, err := s.whole(blob, wantAny); err == nil {
			if kind, data, err := r.objects.Read(id); err == nil && kind == plumbing.BlobObject {
				m.read(data)
			}
		}
	}
	if _, ok := r.Config().Get("mailmap.file"); ok {
		file, err := r.userFile("mailmap.file", "")
		if err != nil {
			return nil, err
		}
		if file != nil {
			m.read(file.Data)
		}
	}
	return m, nil
}

func (m *mailmap) read(data []byte) {
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		if strings.HasPrefix(text, "#") {
			continue
		}
		name1, mail1, rest, ok := mailmapPerson(text, false)
		if !ok {
			continue
		}
		name2, mail2, _, both := mailmapPerson(rest, true)
		if !both {
			m.add(name1, "", "", mail1)
			continue
		}
		m.add(name1, mail1, name2, mail2)
	}
}

// mailmapPerson reads "Name <mail>" from a text.
func mailmapPerson(text string, emptyMail bool) (name, mail, rest string, ok bool) {
	open := strings.IndexByte(text, '<')
	if open < 0 {
		return "", "", "", false
	}
	shut := strings.IndexByte(text[open:], '>')
	if shut < 0 || !emptyMail && shut == 1 {
		return "", "", "", false
	}
	mail = text[open+1 : open+shut]
	return strings.Trim(text[:open], " \t"), mail, text[open+shut+1:], true
}

// add maps the old name (if any) and address to the new ones.
func (m *mailmap) add(name, mail, oldName, oldMail string) {
	key := strings.ToLower(oldMail)
	entry := m.people[key]
	if entry == nil {
		entry = &mapped{}
		m.people[key] = entry
	}
	if oldName == "" {
		if name != "" {
			entry.name = name
		}
		if mail != "" {
			entry.mail = mail
		}
		return
	}
	if entry.byName == nil {
		entry.byName = map[string]*mapped{}
	}
	entry.byName[strings.ToLower(oldName)] = &mapped{name: name, mail: mail}
}

func (m *mailmap) lookup(name, mail string) (string, string) {
	entry := m.people[strings.ToLower(mail)]
	if entry == nil {
		return name, mail
	}
	if by := entry.byName[strings.ToLower(name)]; by != nil {
		entry = by
	}
	if entry.name != "" {
		name = entry.name
	}
	if entry.mail != "" {
		mail = entry.mail
	}
	return name, mail
}
