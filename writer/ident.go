package writer

import (
	"fmt"
	"strings"
	"time"

	"github.com/ingit-dev/ingit/internal/approxidate"
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

// ParseDate reads when something was written or committed, in the forms that git takes in GIT_AUTHOR_DATE (git-commit(1),
// "DATE FORMATS"): what it leaves open is taken from now and from the zone. The error is git's sentence.
func ParseDate(text string, now time.Time, zone *time.Location) (time.Time, error) {
	when, ok := approxidate.ExactTime(text, now, zone)
	if !ok {
		return time.Time{}, fmt.Errorf("invalid date format: %s", text)
	}
	return when, nil
}

// IdentityError says that no name or address is configured for a commit, or none that can be recorded.
type IdentityError struct {
	Role string // "Author" or "Committer", whom nothing is known of; "" when it is known but not usable
	Why  string
}

// Error is git's text; what a person should do stands first, as git prints it.
func (e *IdentityError) Error() string {
	if e.Role == "" {
		return e.Why
	}
	return e.Role + " identity unknown\n\n" +
		"*** Please tell me who you are.\n\n" +
		"Run\n\n" +
		"  git config --global user.email \"you@example.com\"\n" +
		"  git config --global user.name \"Your Name\"\n\n" +
		"to set your account's default identity.\n" +
		"Omit --global to set the identity only in this repository.\n\n" +
		"fatal: " + e.Why
}

// GitLevel says that the text stands as it is, or is fatal.
func (e *IdentityError) GitLevel() string {
	if e.Role == "" {
		return "fatal"
	}
	return ""
}

// identity completes what the embedder gave from author.* or committer.*, then user.* (git-config(1)). Nothing is guessed
// from the host. role is "author" or "committer".
func identity(given Ident, role string, config *gitconfig.Config, now time.Time) (Ident, error) {
	id := given
	if id.When.IsZero() {
		id.When = now
	}
	title := strings.ToUpper(role[:1]) + role[1:]
	var known bool
	if id.Email, known = configured(id.Email, config, role+".email", "user.email"); !known {
		return id, &IdentityError{Role: title, Why: "no email was given and auto-detection is disabled"}
	}
	if id.Name, known = configured(id.Name, config, role+".name", "user.name"); !known {
		return id, &IdentityError{Role: title, Why: "no name was given and auto-detection is disabled"}
	}
	if id.Name == "" {
		return id, &IdentityError{Role: title, Why: fmt.Sprintf("empty ident name (for <%s>) not allowed", id.Email)}
	}
	name := withoutCrud(id.Name)
	if name == "" {
		return id, &IdentityError{Why: fmt.Sprintf("name consists only of disallowed characters: %s", id.Name)}
	}
	id.Name, id.Email = name, withoutCrud(id.Email)
	return id, nil
}

// configured returns what was given, else the special setting, else the general one, which alone may be empty.
func configured(given string, config *gitconfig.Config, special, general string) (value string, known bool) {
	if given != "" {
		return given, true
	}
	if value, _ := config.Get(special); value != "" {
		return value, true
	}
	return config.Get(general)
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
