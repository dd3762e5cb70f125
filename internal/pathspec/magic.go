package pathspec

import (
	"strconv"
	"strings"

	"github.com/ingit-dev/ingit/internal/attributes"
)

// Magic is a set of the words that can come before a pathspec.
type Magic uint8

// The magic words of gitglossary(7).
const (
	Top Magic = 1 << iota
	Literal
	Glob
	ICase
	Exclude
	Attr
)

var magicWords = [...]struct {
	magic    Magic
	mnemonic string
	name     string
}{
	{Top, "/", "top"}, {Literal, "", "literal"}, {Glob, "", "glob"}, {ICase, "", "icase"}, {Exclude, "!", "exclude"}, {Attr, "", "attr"},
}

// String lists the words as git's message about unsupported magic does.
func (m Magic) String() string {
	var words []string
	for _, w := range magicWords {
		switch {
		case m&w.magic == 0:
		case w.mnemonic != "":
			words = append(words, "'"+w.name+"' (mnemonic: '"+w.mnemonic+"')")
		default:
			words = append(words, "'"+w.name+"'")
		}
	}
	return strings.Join(words, ", ")
}

// parseMagic reads what comes before the path. prefix is the number of the "prefix" magic, by which git hands on
// a pathspec that is relative to the top already; -1 when absent.
func (it *item) parseMagic(spec string) (path string, prefix int, err error) {
	switch {
	case spec[0] != ':':
		return spec, -1, nil
	case strings.HasPrefix(spec, ":("):
		return it.parseLong(spec)
	}
	path, err = it.parseShort(spec)
	return path, -1, err
}

// parseShort reads ":" and mnemonics, which end at another ":" or before a character that can be none.
func (it *item) parseShort(spec string) (path string, err error) {
	for path = spec[1:]; path != "" && path[0] != ':'; path = path[1:] {
		switch c := path[0]; {
		case c == '^' || c == '!':
			it.magic |= Exclude
		case c == '/':
			it.magic |= Top
		case strings.IndexByte("\"#%&',-;<=>@_`~", c) >= 0:
			return "", syntaxError("Unimplemented pathspec magic '%c' in '%s'", c, spec)
		default:
			return path, nil
		}
	}
	return strings.TrimPrefix(path, ":"), nil
}

// parseLong reads ":(word,word,…)".
func (it *item) parseLong(spec string) (path string, prefix int, err error) {
	prefix = -1
	for rest := spec[2:]; ; {
		end := wordEnd(rest)
		word := rest[:end]
		rest = rest[end:]
		if word != "" {
			if err := it.parseWord(word, spec, &prefix); err != nil {
				return "", 0, err
			}
		}
		if rest == "" {
			return "", 0, syntaxError("Missing ')' at the end of pathspec magic in '%s'", spec)
		}
		if rest[0] == ')' {
			return rest[1:], prefix, nil
		}
		rest = rest[1:]
	}
}

// wordEnd returns the position of the first comma or parenthesis that no backslash protects.
func wordEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i+1 < len(text) {
				i++
			}
		case ',', ')':
			return i
		}
	}
	return len(text)
}

func (it *item) parseWord(word, spec string, prefix *int) (err error) {
	if number, ok := strings.CutPrefix(word, "prefix:"); ok {
		if *prefix, err = strconv.Atoi(number); err != nil || *prefix < 0 {
			return syntaxError("invalid parameter for pathspec magic 'prefix'")
		}
		return nil
	}
	if tests, ok := strings.CutPrefix(word, "attr:"); ok {
		it.magic |= Attr
		return it.parseAttrs(tests)
	}
	for _, w := range magicWords {
		if w.name == word {
			it.magic |= w.magic
			return nil
		}
	}
	return syntaxError("Invalid pathspec magic '%s' in '%s'", word, spec)
}

// attrTest is one condition of the attr magic.
type attrTest struct {
	name string
	want attributes.Value
}

// parseAttrs reads conditions separated by spaces: "name", "-name", "!name", "name=value".
func (it *item) parseAttrs(tests string) error {
	if it.attrs != nil {
		return syntaxError("Only one 'attr:' specification is allowed.")
	}
	if tests == "" {
		return syntaxError("attr spec must not be empty")
	}
	it.attrs = []attrTest{}
	for word := range strings.SplitSeq(tests, " ") {
		if word == "" {
			continue
		}
		test, err := parseAttr(word)
		if err != nil {
			return err
		}
		it.attrs = append(it.attrs, test)
	}
	return nil
}

func parseAttr(word string) (t attrTest, err error) {
	switch name, value, valued := strings.Cut(word, "="); {
	case word[0] == '!':
		t.name = word[1:]
	case word[0] == '-':
		t.name, t.want.State = word[1:], attributes.Unset
	case valued:
		t.name, t.want.State = name, attributes.Valued
		if t.want.Text, err = unescapeValue(value); err != nil {
			return t, err
		}
	default:
		t.name, t.want.State = word, attributes.Set
	}
	if !attributes.ValidName(t.name) {
		return t, syntaxError("invalid attribute name %s", t.name)
	}
	return t, nil
}

// unescapeValue removes backslashes; only letters, digits and ",-_" may remain.
func unescapeValue(value string) (string, error) {
	out := make([]byte, 0, len(value))
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' {
			if i++; i == len(value) {
				return "", syntaxError(`Escape character '\' not allowed as last character in attr value`)
			}
		}
		c := value[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(",-_", c) >= 0) {
			return "", syntaxError("cannot use '%c' for value matching", c)
		}
		out = append(out, c)
	}
	return string(out), nil
}
