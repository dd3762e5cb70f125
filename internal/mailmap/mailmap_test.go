package mailmap

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
)

const file = `# a comment
Proper Name <commit@example.com>
<proper@example.com> <only-mail@example.com>
Both Proper <both@example.com> <both-commit@example.com>
One <one@example.com> Ones Name <shared@example.com>
Two <two@example.com>  Twos Name  <SHARED@example.com>
Anybody <anybody@example.com> <shared@example.com>
  Spaced Out   <spaced@example.com>
No Mail <>
broken <line
Later <commit@example.com>
Empty <proper-empty@example.com> <>
`

func TestLookupEqualsGit(t *testing.T) {
	dir := fixtures.Init(t)
	fixtures.RequireGit(t)
	fixtures.Write(t, dir, ".mailmap", file)
	var m Map
	m.Add([]byte(file))
	for _, contact := range []string{
		"X <commit@example.com>", "X <COMMIT@Example.com>", "X <only-mail@example.com>", "X <both-commit@example.com>",
		"Ones Name <shared@example.com>", "ones name <shared@example.com>", "Twos Name <shared@example.com>", "Else <shared@example.com>",
		"X <spaced@example.com>", "X <unknown@example.com>", "X <proper@example.com>",
	} {
		name, email, _ := strings.Cut(strings.TrimSuffix(contact, ">"), " <")
		shownName, shownEmail := m.Lookup([]byte(name), []byte(email))
		want := string(fixtures.Git(t, dir, "check-mailmap", contact))
		assert.Equal(t, want, string(shownName)+" <"+string(shownEmail)+">\n", contact)
	}
}

func TestEmptyMap(t *testing.T) {
	var m Map
	m.Add([]byte("# nothing\n\nno address\n"))
	name, email := m.Lookup([]byte("a"), []byte("b"))
	assert.True(t, m.Empty())
	assert.Equal(t, "a b", string(name)+" "+string(email))
}

func FuzzMailmap(f *testing.F) {
	f.Add([]byte(file), []byte("X"), []byte("commit@example.com"))
	f.Fuzz(func(t *testing.T, file, name, email []byte) {
		var m Map
		m.Add(file)
		m.Lookup(name, email)
	})
}
