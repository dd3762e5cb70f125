package writer

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxMessage is how many bytes of a commit message are kept, by the tool's reference.
const MaxMessage = 2000

// Truncate cuts a message to MaxMessage bytes, or less where a character would be cut in two.
func Truncate(message string) string {
	if len(message) <= MaxMessage {
		return message
	}
	end := MaxMessage
	for end > MaxMessage-utf8.UTFMax && !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end]
}

// cleanup tidies a message as git-commit(1)'s --cleanup says for a message that was not edited: comments stay unless the
// mode is "strip", "verbatim" adds no more than the end of the last line. edited is what git leaves in COMMIT_EDITMSG.
func cleanup(message, mode, commentChar string) (clean, edited string, err error) {
	switch mode {
	case "verbatim":
		if !strings.HasSuffix(message, "\n") {
			message += "\n"
		}
		return message, message, nil
	case "strip":
		return stripSpace(message, commentChar), stripSpace(message, ""), nil
	case "", "default", "whitespace", "scissors":
		clean = stripSpace(message, "")
		return clean, clean, nil
	}
	return "", "", &CleanupModeError{mode}
}

// CleanupModeError is a value of commit.cleanup that git does not know.
type CleanupModeError struct{ Mode string }

// Error is git's text.
func (e *CleanupModeError) Error() string { return fmt.Sprintf("Invalid cleanup mode %s", e.Mode) }

// stripSpace removes empty lines at both ends, white space at line ends and all but one of neighbouring empty lines, and
// lines that begin with comment unless that is "".
func stripSpace(message, comment string) string {
	var out strings.Builder
	gap := false
	for line := range strings.Lines(message) {
		if comment != "" && strings.HasPrefix(line, comment) {
			continue
		}
		line = strings.TrimRight(line, " \t\n\r\v\f")
		if line == "" {
			gap = out.Len() > 0
			continue
		}
		if gap {
			out.WriteByte('\n')
			gap = false
		}
		out.WriteString(line)
		out.WriteByte('\n')
	}
	return out.String()
}

// autoComment is the sign of comments under core.commentChar=auto: the first that begins no line of the message.
func autoComment(message string) string {
	for _, sign := range "#;@!$%^&|:" {
		if !strings.Contains("\n"+message, "\n"+string(sign)) {
			return string(sign)
		}
	}
	return "#"
}

// toUTF8 takes each byte that is not part of a valid character for one of Latin-1, as git does before it makes a commit.
func toUTF8(text []byte) []byte {
	if utf8.Valid(text) && bytes.IndexFunc(text, noncharacter) < 0 {
		return text
	}
	var out []byte
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 || noncharacter(r) {
			r, size = rune(text[0]), 1
		}
		out = utf8.AppendRune(out, r)
		text = text[size:]
	}
	return out
}

// noncharacter reports whether Unicode will never give a code point a meaning.
func noncharacter(r rune) bool { return r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef }
