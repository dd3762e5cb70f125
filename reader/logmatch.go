package reader

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/mailmap"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/posixre"
	"github.com/ingit-dev/ingit/internal/pretty"
)

// messageMatcher is a compiled MessageMatch.
type messageMatcher struct {
	author, committer, grep []*regexp.Regexp
	allMatch, invert        bool
	encoding                string
	names                   *mailmap.Map // nil: people as they are
}

// newMessageMatcher compiles the patterns; nil without any. A pattern that
// does not compile is a *posixre.SyntaxError.
func (r *Repository) newMessageMatcher(ctx context.Context, opts MessageMatch) (*messageMatcher, error) {
	if opts.empty() {
		return nil, nil
	}
	m := &messageMatcher{allMatch: opts.AllMatch, invert: opts.Invert, encoding: r.OutputEncoding()}
	kind, err := r.patternType(opts.Type)
	if err != nil {
		return nil, err
	}
	for _, set := range []struct {
		patterns []string
		compiled *[]*regexp.Regexp
	}{{opts.Author, &m.author}, {opts.Committer, &m.committer}, {opts.Grep, &m.grep}} {
		for _, pattern := range set.patterns {
			for _, line := range strings.Split(pattern, "\n") {
				re, err := compilePattern(line, kind, opts.IgnoreCase)
				if err != nil {
					return nil, err
				}
				*set.compiled = append(*set.compiled, re)
			}
		}
	}
	if use, err := r.Config().Bool("log.mailmap", true); err != nil {
		return nil, err
	} else if use && len(m.author)+len(m.committer) > 0 {
		m.names, err = r.Mailmap(ctx)
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// patternType is the type in force: the asked for, or the configured
// (git-config(1), grep.patternType and grep.extendedRegexp).
func (r *Repository) patternType(asked PatternType) (PatternType, error) {
	if asked != PatternConfigured {
		return asked, nil
	}
	switch value, _ := r.Config().Get("grep.patterntype"); value {
	case "basic":
		return PatternBasic, nil
	case "extended":
		return PatternExtended, nil
	case "fixed":
		return PatternFixed, nil
	case "", "default":
	default:
		return 0, &FormatError{"grep.patternType '" + value + "' is not supported"}
	}
	extended, err := r.Config().Bool("grep.extendedregexp", false)
	if extended {
		return PatternExtended, err
	}
	return PatternBasic, err
}

func compilePattern(pattern string, kind PatternType, ignoreCase bool) (*regexp.Regexp, error) {
	if kind == PatternFixed {
		pattern = regexp.QuoteMeta(pattern)
		if ignoreCase {
			pattern = "(?i)" + pattern
		}
		return regexp.Compile(pattern)
	}
	return posixre.Compile(pattern, posixre.Options{Extended: kind == PatternExtended, IgnoreCase: ignoreCase})
}

// OutputEncoding is the encoding that git log prints in: see
// i18n.logOutputEncoding in git-config(1). "" is UTF-8.
func (r *Repository) OutputEncoding() string {
	config := r.Config()
	for _, key := range []string{"i18n.logoutputencoding", "i18n.commitencoding"} {
		if name, ok := config.Get(key); ok {
			return name
		}
	}
	return ""
}

// match applies the patterns to a raw commit.
func (m *messageMatcher) match(data []byte) bool {
	data = pretty.Recode(data, m.encoding)
	if end := bytes.IndexByte(data, 0); end >= 0 {
		data = data[:end]
	}
	headers, message, _ := bytes.Cut(data, []byte("\n\n"))
	return m.person(headers, "author ", m.author) && m.person(headers, "committer ", m.committer) && m.message(message)
}

// person matches "Name <mail>" of a header.
func (m *messageMatcher) person(headers []byte, key string, patterns []*regexp.Regexp) bool {
	if len(patterns) == 0 {
		return true
	}
	for line := range bytes.SplitSeq(headers, []byte("\n")) {
		who, ok := bytes.CutPrefix(line, []byte(key))
		if !ok {
			continue
		}
		who = m.mapped(who)
		for _, re := range patterns {
			if re.Match(who) {
				return true
			}
		}
	}
	return false
}

// mapped cuts the time off an ident line and puts the name and mail of the
// mailmap in.
func (m *messageMatcher) mapped(line []byte) []byte {
	if ident, ok := object.SplitIdent(line); ok && m.names != nil {
		name, mail := m.names.Lookup(ident.Name, ident.Email)
		return slices.Concat(name, []byte(" <"), mail, []byte(">"))
	}
	if end := bytes.LastIndexByte(line, '>'); end >= 0 {
		return line[:end+1]
	}
	return line
}

func (m *messageMatcher) message(message []byte) bool {
	if len(m.grep) == 0 {
		return true
	}
	for _, re := range m.grep {
		switch found := anyLine(message, re); {
		case m.invert && found:
			return false
		case !m.invert && found != m.allMatch:
			return found
		}
	}
	return m.invert || m.allMatch
}

// anyLine says whether a line of a text matches. A newline at the end begins
// no further line.
func anyLine(text []byte, re *regexp.Regexp) bool {
	for line := range bytes.Lines(text) {
		if re.Match(bytes.TrimSuffix(line, []byte("\n"))) {
			return true
		}
	}
	return false
}
