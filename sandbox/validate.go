package sandbox

import (
	"fmt"
	"io/fs"
	"strings"
)

// UnsafeError refuses a request's value that could be an option or a shell command.
type UnsafeError struct {
	Param, Value string
}

// Error is the reference's sentence.
func (e *UnsafeError) Error() string { return "Unsafe git arguments detected" }

// Is makes the error a refusal.
func (e *UnsafeError) Is(target error) bool { return target == fs.ErrPermission }

// unsafePrefixes begin a word that is refused, whatever its case.
var unsafePrefixes = [...]string{"--exec=", "--upload-pack=", "--receive-pack=", "--pager=", "--editor=", "-c="}

// Check validates the value of a request's string parameter and returns nil or an *UnsafeError. In
// Strict mode it refuses, as the reference tool does: a space-separated word that begins with
// --exec=, --upload-pack=, --receive-pack=, --pager=, --editor= or -c=, or is --no-verify or -c, in
// any case; and the texts ; | > < ` $( anywhere. NUL bytes are refused in both modes.
func (p Policy) Check(param, value string) error {
	if strings.IndexByte(value, 0) >= 0 || p.Validation != Literal && looksUnsafe(value) {
		return &UnsafeError{Param: param, Value: value}
	}
	return nil
}

func looksUnsafe(value string) bool {
	if strings.ContainsAny(value, ";|><`") || strings.Contains(value, "$(") {
		return true
	}
	for word := range strings.SplitSeq(value, " ") {
		if unsafeWord(word) {
			return true
		}
	}
	return false
}

func unsafeWord(word string) bool {
	if strings.EqualFold(word, "--no-verify") || strings.EqualFold(word, "-c") {
		return true
	}
	for _, prefix := range unsafePrefixes {
		if len(word) >= len(prefix) && strings.EqualFold(word[:len(prefix)], prefix) {
			return true
		}
	}
	return false
}

// Rev is a revision as a user typed it, in the syntax of gitrevisions(7); a range is one too.
type Rev string

// Branch is a valid branch name, without refs/heads/.
type Branch string

// Pathspec is one pathspec as a user typed it (gitglossary(7)).
type Pathspec string

// Path is a path as a user typed it, relative to the directory of the request, or absolute.
type Path string

// Date is a date as a user typed it.
type Date string

// ValueError refuses a value that is not what its parameter asks for. Its text is git's where git
// has one.
type ValueError struct {
	Param, Value string
	text         string
}

// Error is a sentence that names the value.
func (e *ValueError) Error() string { return e.text }

// Is makes the error fs.ErrInvalid.
func (e *ValueError) Is(target error) bool { return target == fs.ErrInvalid }

func valueError(param, value, format string, args ...any) error {
	return &ValueError{Param: param, Value: value, text: fmt.Sprintf(format, args...)}
}

// ParseRev validates a revision: it is not empty and does not begin like an option.
func ParseRev(p Policy, param, value string) (Rev, error) {
	if err := p.Check(param, value); err != nil {
		return "", err
	}
	if value == "" || value[0] == '-' {
		return "", valueError(param, value, "bad revision '%s'", value)
	}
	return Rev(value), nil
}

// ParseDate validates a date: it is not empty and does not begin like an option.
func ParseDate(p Policy, param, value string) (Date, error) {
	if err := p.Check(param, value); err != nil {
		return "", err
	}
	if value == "" || value[0] == '-' {
		return "", valueError(param, value, "invalid date '%s' for %s", value, param)
	}
	return Date(value), nil
}

// ParseBranch validates a branch name by the rules of git-check-ref-format(1).
func ParseBranch(p Policy, param, value string) (Branch, error) {
	if err := p.Check(param, value); err != nil {
		return "", err
	}
	if !validBranch(value) {
		return "", valueError(param, value, "'%s' is not a valid branch name", value)
	}
	return Branch(value), nil
}

// ParsePath validates a path: it is not empty.
func ParsePath(p Policy, param, value string) (Path, error) {
	if err := p.Check(param, value); err != nil {
		return "", err
	}
	if value == "" {
		return "", valueError(param, value, "empty string is not a valid path for %s", param)
	}
	return Path(value), nil
}

// ParsePathspecs validates pathspecs. What their magic means, and whether they lie in the
// repository, is said where they are used.
func ParsePathspecs(p Policy, param string, values ...string) ([]Pathspec, error) {
	specs := make([]Pathspec, 0, len(values))
	for _, value := range values {
		if err := p.Check(param, value); err != nil {
			return nil, err
		}
		if value == "" {
			return nil, valueError(param, value,
				"empty string is not a valid pathspec. please use . instead if you meant to match all paths")
		}
		specs = append(specs, Pathspec(value))
	}
	return specs, nil
}

// validBranch says whether refs/heads/NAME is a well-formed ref name, and NAME can be given as a
// branch: it does not begin like an option and is not "@".
func validBranch(name string) bool {
	if name == "" || name == "@" || name[0] == '-' || strings.HasSuffix(name, ".") ||
		strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return false
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}
