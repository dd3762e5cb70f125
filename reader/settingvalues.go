package reader

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// badVariable is git's sentence about a value that it says no more of.
func badVariable(e gitconfig.Entry) error {
	return fmt.Errorf("bad config variable '%s' in file '%s' at line %d", e.Name, e.Origin, e.Line)
}

func checkBool(e gitconfig.Entry) error {
	_, err := e.Bool()
	return err
}

func checkInt(e gitconfig.Entry) error {
	_, err := e.Int()
	return err
}

// checkSize is checkInt for numbers that have no sign.
func checkSize(e gitconfig.Entry) error {
	n, err := e.Int()
	if err == nil && n < 0 {
		return fmt.Errorf("bad numeric config value '%s' for '%s': invalid unit", e.Value, e.Name)
	}
	return err
}

func checkBoolOrInt(e gitconfig.Entry) error {
	if checkBool(e) == nil {
		return nil
	}
	return checkInt(e)
}

// checkText refuses a key without a value where one is needed.
func checkText(e gitconfig.Entry) error {
	if !e.HasValue {
		return complaint(fmt.Sprintf("missing value for '%s'", e.Name))
	}
	return nil
}

// checkWords refuses all but the given words, in any case, with the error or
// else the one that names no reason.
func checkWords(e gitconfig.Entry, wrong error, words ...string) error {
	if slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, e.Value) }) {
		return nil
	}
	if wrong == nil {
		wrong = badVariable(e)
	}
	return wrong
}

func checkColorBool(e gitconfig.Entry) error {
	switch strings.ToLower(e.Value) {
	case "never", "always", "auto":
		return nil
	}
	return checkBool(e)
}

// checkColumn checks a layout in columns (git-config(1), column.ui).
func checkColumn(e gitconfig.Entry) error {
	if err := checkText(e); err != nil {
		return err
	}
	for _, word := range strings.FieldsFunc(e.Value, func(c rune) bool { return c == ' ' || c == ',' }) {
		switch word {
		case "always", "never", "auto", "plain", "column", "row", "dense", "nodense":
		default:
			return complaint(fmt.Sprintf("unsupported option '%s'", e.Value[strings.Index(e.Value, word):]))
		}
	}
	return nil
}

// checkWhitespace refuses the two rules about indentation that exclude each
// other (git-config(1), core.whitespace). A rule may be shortened, or taken back
// by a "-" before it.
func checkWhitespace(e gitconfig.Entry) error {
	if err := checkText(e); err != nil {
		return err
	}
	rules := []string{"trailing-space", "space-before-tab", "indent-with-non-tab", "cr-at-eol", "blank-at-eol", "blank-at-eof", "tab-in-indent"}
	enforced := map[string]bool{}
	for _, word := range strings.Split(e.Value, ",") {
		word, negated := strings.CutPrefix(strings.TrimLeft(word, " \t\n\r"), "-")
		at := slices.IndexFunc(rules, func(rule string) bool { return strings.HasPrefix(rule, word) })
		if word != "" && at >= 0 {
			enforced[rules[at]] = !negated
		}
	}
	if enforced["tab-in-indent"] && enforced["indent-with-non-tab"] {
		return errors.New("cannot enforce both tab-in-indent and indent-with-non-tab")
	}
	return nil
}

// checkColor checks a colour: at most two colours, and attributes (git-config(1),
// "color" under "Values").
func checkColor(e gitconfig.Entry) error {
	if err := checkText(e); err != nil {
		return err
	}
	colors := 0
	for _, word := range strings.Fields(e.Value) {
		switch {
		case isColor(word):
			colors++
		case word == "reset", isColorAttribute(word):
		default:
			colors = 3
		}
		if colors > 2 {
			return complaint("invalid color value: " + e.Value)
		}
	}
	return nil
}

func isColor(word string) bool {
	name := strings.ToLower(word)
	switch name {
	case "normal", "default":
		return true
	}
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		_, err := strconv.ParseUint(digits, 16, 32)
		return err == nil && len(digits) == 6
	}
	if n, err := strconv.Atoi(name); err == nil {
		return n >= -1 && n <= 255
	}
	switch strings.TrimPrefix(name, "bright") {
	case "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white":
		return true
	}
	return false
}

func isColorAttribute(word string) bool {
	name, negated := strings.CutPrefix(word, "no")
	if negated {
		name = strings.TrimPrefix(name, "-")
	}
	switch name {
	case "bold", "dim", "italic", "ul", "blink", "reverse", "strike":
		return true
	}
	return false
}
