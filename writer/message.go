package writer

import (
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

// cleanup tidies a message as git-commit(1)'s --cleanup says for a message that was not edited: comments stay unless
// the mode is "strip", "verbatim" changes nothing.
func cleanup(message, mode, commentChar string) (string, error) {
	switch mode {
	case "verbatim":
		return message, nil
	case "strip":
		return stripSpace(message, commentChar), nil
	case "", "default", "whitespace", "scissors":
		return stripSpace(message, ""), nil
	}
	return "", fmt.Errorf("Invalid cleanup mode %s", mode)
}

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
