package convert

import (
	"bytes"

	"github.com/ingit-dev/ingit/internal/attributes"
)

// lineRule says what is done about line ends.
type lineRule uint8

const (
	binaryLines lineRule = iota // nothing
	textLF                      // CRLF becomes LF, and stays so
	textCRLF                    // CRLF becomes LF, and CRLF again
	autoLF                      // as textLF, if the content looks like text
	autoCRLF                    // as textCRLF, if it does
)

// lineRule combines the attributes text (crlf in old days) and eol with the configuration. guess holds where the content decides
// about line ends in the work tree.
func (c *Config) lineRule(attrs attributes.Attributes) (rule lineRule, guess bool) {
	kind := textKind(attrs.Get("text"))
	if kind == undecided {
		kind = textKind(attrs.Get("crlf"))
	}
	eol := attrs.Get("eol")
	stated := eol.State == attributes.Valued && (eol.Text == "lf" || eol.Text == "crlf")
	auto, crlf := kind == automatic, c.crlf
	switch {
	case kind == notText:
		return binaryLines, false
	case stated:
		crlf = eol.Text == "crlf"
	case kind == inputText:
		crlf = false
	case kind == undecided && c.autoCRLF == off:
		return binaryLines, false
	case kind == undecided:
		auto, crlf = true, c.autoCRLF == on
	}
	switch {
	case auto && crlf:
		return autoCRLF, true
	case auto:
		return autoLF, kind == automatic && !stated
	case crlf:
		return textCRLF, false
	}
	return textLF, false
}

type kind uint8

const (
	undecided kind = iota
	notText
	isText
	inputText
	automatic
)

func textKind(v attributes.Value) kind {
	switch {
	case v.State == attributes.Set:
		return isText
	case v.State == attributes.Unset:
		return notText
	case v.State == attributes.Valued && v.Text == "input":
		return inputText
	case v.State == attributes.Valued && v.Text == "auto":
		return automatic
	}
	return undecided
}

func (l lineRule) auto() bool { return l == autoLF || l == autoCRLF }

// stats counts what tells text from binary.
type stats struct {
	cr, lf, crlf            int // cr and lf are those that stand alone
	printable, nonprintable int
	nul                     bool
	pending                 bool // the last byte was a CR
	last                    byte
}

// add counts more content.
func (s *stats) add(data []byte) {
	if len(data) == 0 {
		return
	}
	for _, c := range data {
		if s.pending {
			if s.pending = false; c == '\n' {
				s.crlf++
				continue
			}
			s.cr++
		}
		switch {
		case c == '\r':
			s.pending = true
		case c == '\n':
			s.lf++
		case c >= ' ' && c != 0x7f || c == '\b' || c == '\t' || c == '\x1b' || c == '\f':
			s.printable++
		default:
			s.nonprintable++
			s.nul = s.nul || c == 0
		}
	}
	s.last = data[len(data)-1]
}

// end completes the count. A final Ctrl-Z, DOS's end of file, does not count.
func (s *stats) end() {
	if s.pending {
		s.cr++
	}
	if s.last == '\x1a' {
		s.nonprintable--
	}
}

func count(data []byte) stats {
	var s stats
	s.add(data)
	s.end()
	return s
}

// binary is git's guess.
func (s *stats) binary() bool { return s.cr > 0 || s.nul || s.printable>>7 < s.nonprintable }

// toLF makes the stored line ends.
func (r Rules) toLF(path string, data []byte, staged func() ([]byte, error)) ([]byte, error) {
	safe := r.Strict && r.config.safe
	if r.lines == binaryLines || len(data) == 0 || !safe && bytes.IndexByte(data, '\r') < 0 {
		return data, nil
	}
	s := count(data)
	convert, err := r.converts(path, s, staged)
	if err != nil || !convert {
		return data, err
	}
	out := make([]byte, 0, len(data)-s.crlf)
	for rest := data; ; {
		at := bytes.Index(rest, []byte("\r\n"))
		if at < 0 {
			return append(out, rest...), nil
		}
		out = append(out, rest[:at]...)
		rest = rest[at+1:]
	}
}

// converts decides whether content with these counts gets its CRLFs changed to LF.
func (r Rules) converts(path string, s stats, staged func() ([]byte, error)) (bool, error) {
	convert := s.crlf > 0
	if r.lines.auto() {
		if s.binary() {
			return false, nil
		}
		if convert {
			// What is stored with CRLFs stays so, or else every checkout would show it as changed.
			keep, err := storedWithCRLF(staged)
			if err != nil {
				return false, err
			}
			convert = !keep
		}
	}
	if r.Strict && r.config.safe {
		return convert, r.survives(path, s, convert)
	}
	return convert, nil
}

func storedWithCRLF(staged func() ([]byte, error)) (bool, error) {
	if staged == nil {
		return false, nil
	}
	data, err := staged()
	if err != nil || bytes.IndexByte(data, '\r') < 0 {
		return false, err
	}
	s := count(data)
	return s.crlf > 0 && !s.binary(), nil
}

// survives plays the way to the index and back, for core.safecrlf.
func (r Rules) survives(path string, old stats, convert bool) error {
	s := old
	if convert {
		s.lf, s.crlf = s.lf+s.crlf, 0
	}
	if r.lines.addsCRLF(&s) {
		s.lf, s.crlf = 0, s.crlf+s.lf
	}
	switch {
	case old.crlf > 0 && s.crlf == 0:
		return &Error{"CRLF would be replaced by LF in " + path}
	case old.lf > 0 && s.lf == 0:
		return &Error{"LF would be replaced by CRLF in " + path}
	}
	return nil
}

// addsCRLF decides whether stored content with these counts gets CRLFs in the work tree. A guess leaves alone what has any CR.
func (l lineRule) addsCRLF(s *stats) bool {
	switch l {
	case textCRLF:
		return s.lf > 0
	case autoCRLF:
		return s.lf > 0 && s.crlf == 0 && !s.binary()
	}
	return false
}

// toCRLF makes the work tree's line ends.
func (l lineRule) toCRLF(data []byte) []byte {
	if l != textCRLF && l != autoCRLF {
		return data
	}
	s := count(data)
	if !l.addsCRLF(&s) {
		return data
	}
	out := make([]byte, 0, len(data)+s.lf)
	for i, c := range data {
		if c == '\n' && (i == 0 || data[i-1] != '\r') {
			out = append(out, '\r')
		}
		out = append(out, c)
	}
	return out
}
