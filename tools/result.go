package tools

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/ingit-dev/ingit/sandbox"
)

// Result is the answer to one request.
type Result struct {
	Success   bool
	Output    []byte // what git prints, byte for byte
	Truncated bool   // the budget cut Output; Cursor continues it
	Cursor    string // opaque
	Error     string // without success: git's sentence, or ours
	Err       error  // without success: the typed error behind Error
}

// MarshalJSON writes {"success", "output", "error"}, with "truncated" and
// "cursor" when the answer was cut. Output that is not UTF-8, which JSON can't
// hold, has replacement characters, and its bytes stand in "output_base64".
func (r Result) MarshalJSON() ([]byte, error) {
	answer := struct {
		Success   bool   `json:"success"`
		Output    string `json:"output"`
		Error     string `json:"error"`
		Truncated bool   `json:"truncated,omitempty"`
		Cursor    string `json:"cursor,omitempty"`
		Bytes     []byte `json:"output_base64,omitempty"`
	}{r.Success, string(r.Output), r.Error, r.Truncated, r.Cursor, nil}
	if !utf8.Valid(r.Output) {
		answer.Output, answer.Bytes = strings.ToValidUTF8(answer.Output, "\ufffd"), r.Output
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(answer)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// Sentence returns the text of an error as git says it: with "fatal: " before
// it, or "error: " when the error's GitLevel method says so, or alone when it
// is "". Control characters become '?', as git does in its messages.
func Sentence(err error) string {
	text := err.Error()
	if level := gitLevel(err); level != "" {
		text = level + ": " + text
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return '?'
		}
		return c
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// gitLevel returns what git puts before an error's text. The sentences of the
// reference, and those about a request, stand alone.
func gitLevel(err error) string {
	var leveled interface{ GitLevel() string }
	if errors.As(err, &leveled) {
		return leveled.GitLevel()
	}
	var unsafe *sandbox.UnsafeError
	var outside *sandbox.OutsideError
	if errors.As(err, &unsafe) || errors.Is(err, sandbox.ErrRelativeCwd) || errors.As(err, &outside) && outside.What == "cwd" {
		return ""
	}
	return "fatal"
}
