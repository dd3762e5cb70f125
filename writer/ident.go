package writer

import (
	"fmt"
	"strings"
	"time"

	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// Ident is who wrote or committed something, and when. Empty fields are filled in from the configuration, a zero time with
// the present.
type Ident struct {
	Name, Email string
	When        time.Time // in the zone to be recorded
}

// String returns the form that commits and reflogs hold: "NAME <MAIL> SECONDS ZONE".
func (i Ident) String() string {
	return fmt.Sprintf("%s <%s> %d %s", i.Name, i.Email, i.When.Unix(), i.When.Format("-0700"))
}

// IdentityError says that no name or address is configured for a commit.
type IdentityError struct {
	Role string // "Author" or "Committer"
	Why  string
}

// Error is git's text; what a person should do stands first, as git prints it.
func (e *IdentityError) Error() string {
	return e.Role + " identity unknown\n\n" +
		"*** Please tell me who you are.\n\n" +
		"Run\n\n" +
		"  git config --global user.email \"you@example.com\"\n" +
		"  git config --global user.name \"Your Name\"\n\n" +
		"to set your account's default identity.\n" +
		"Omit --global to set the identity only in this repository.\n\n" +
		"fatal: " + e.Why
}

// GitLevel says that the text stands as it is.
func (e *IdentityError) GitLevel() string { return "" }

// identity completes what the embedder gave from author.* or committer.*, then user.* (git-config(1)). Nothing is guessed
// from the host. role is "author" or "committer".
func identity(given Ident, role string, config *gitconfig.Config, now time.Time) (Ident, error) {
	id := given
	if id.Name == "" {
		id.Name = firstOf(config, role+".name", "user.name")
	}
	if id.Email == "" {
		id.Email = firstOf(config, role+".email", "user.email")
	}
	if id.When.IsZero() {
		id.When = now
	}
	title := strings.ToUpper(role[:1]) + role[1:]
	if id.Email == "" {
		return id, &IdentityError{Role: title, Why: "no email was given and auto-detection is disabled"}
	}
	if id.Name == "" {
		return id, &IdentityError{Role: title, Why: "no name was given and auto-detection is disabled"}
	}
	name := withoutCrud(id.Name)
	if name == "" {
		return id, &IdentityError{Role: title, Why: fmt.Sprintf("name consists only of disallowed characters: %s", id.Name)}
	}
	id.Name, id.Email = name, withoutCrud(id.Email)
	return id, nil
}

func firstOf(config *gitconfig.Config, keys ...string) string {
	for _, key := range keys {
		if value, ok := config.Get(key); ok && value != "" {
			return value
		}
	}
	return ""
}

// withoutCrud takes off what git takes off a name or address: white space and punctuation at the ends, and everywhere
// the characters that would end the field.
func withoutCrud(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' || strings.ContainsRune(".,:;<>\"\\'", r) })
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '<' || r == '>' {
			return -1
		}
		return r
	}, s)
}
