package fsck

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/refs"
)

// headers takes an object's header lines from its front. What is missing reads
// as an empty line.
type headers struct{ rest string }

// take removes a word at the front and says whether it was there.
func (h *headers) take(word string) (ok bool) {
	h.rest, ok = strings.CutPrefix(h.rest, word)
	return ok
}

// line removes the rest of the line and returns it; false at the data's end.
func (h *headers) line() (line string, ok bool) {
	line, rest, ok := strings.Cut(h.rest, "\n")
	if ok {
		h.rest = rest
	}
	return line, ok
}

// id removes an object's name with the line's end.
func (h *headers) id() bool {
	const digits = 2 * len(plumbing.Hash{})
	if len(h.rest) <= digits || h.rest[digits] != '\n' {
		return false
	}
	if _, err := hex.DecodeString(h.rest[:digits]); err != nil {
		return false
	}
	h.rest = h.rest[digits+1:]
	return true
}

// terminated checks that the headers end as they must; false when not.
func (c *Checker) terminated(data string) bool {
	end := strings.Index(data, "\n\n")
	head := data
	if end >= 0 {
		head = data[:end]
	}
	if at := strings.IndexByte(head, 0); at >= 0 {
		c.fault("nulInHeader", fmt.Sprintf("unterminated header: NUL at offset %d", at))
		return false
	}
	if end < 0 && !strings.HasSuffix(data, "\n") {
		c.fault("unterminatedHeader", "unterminated header")
		return false
	}
	return true
}

func (c *Checker) commit(content []byte) {
	data := string(content)
	if !c.terminated(data) {
		return
	}
	h := headers{data}
	if !h.take("tree ") {
		c.fault("missingTree", "invalid format - expected 'tree' line")
		return
	}
	if !h.id() {
		c.fault("badTreeSha1", "invalid 'tree' line format - bad sha1")
		return
	}
	for h.take("parent ") {
		if !h.id() {
			c.fault("badParentSha1", "invalid 'parent' line format - bad sha1")
			return
		}
	}
	if !c.authors(&h) {
		return
	}
	if !h.take("committer ") {
		c.fault("missingCommitter", "invalid format - expected 'committer' line")
		return
	}
	if c.ident(&h) && strings.IndexByte(data, 0) >= 0 {
		c.fault("nulInCommit", "NUL byte in the commit object body")
	}
}

// authors checks the author lines; false ends the check.
func (c *Checker) authors(h *headers) bool {
	count := 0
	for ; h.take("author "); count++ {
		if !c.ident(h) {
			return false
		}
	}
	switch {
	case count == 0:
		return !c.fault("missingAuthor", "invalid format - expected 'author' line")
	case count > 1:
		return !c.fault("multipleAuthors", "invalid format - multiple 'author' lines")
	}
	return true
}

func (c *Checker) tag(content []byte) {
	data := string(content)
	if !c.terminated(data) {
		return
	}
	h := headers{data}
	if !h.take("object ") {
		c.fault("missingObject", "invalid format - expected 'object' line")
		return
	}
	if !h.id() {
		c.fault("badObjectSha1", "invalid 'object' line format - bad sha1")
		return
	}
	if !h.take("type ") {
		c.fault("missingTypeEntry", "invalid format - expected 'type' line")
		return
	}
	kind, ok := h.line()
	if !ok {
		c.fault("missingType", "invalid format - unexpected end after 'type' line")
		return
	}
	if _, known := object.ParseType([]byte(kind)); !known && c.fault("badType", "invalid 'type' value") {
		return
	}
	if !h.take("tag ") {
		c.fault("missingTagEntry", "invalid format - expected 'tag' line")
		return
	}
	name, ok := h.line()
	if !ok {
		c.fault("missingTag", "invalid format - unexpected end after 'type' line")
		return
	}
	if !refs.ValidName("refs/tags/"+name) && c.fault("badTagName", "invalid 'tag' name: "+name) {
		return
	}
	c.tagger(&h)
}

func (c *Checker) tagger(h *headers) {
	if !h.take("tagger ") {
		if c.fault("missingTaggerEntry", "invalid format - expected 'tagger' line") {
			return
		}
	} else {
		c.ident(h)
	}
	if h.rest != "" && h.rest[0] != '\n' {
		c.fault("extraHeaderEntry", "invalid format - extra header(s) after 'tagger'")
	}
}

// ident checks "Name <mail> TIME ZONE" at the front and removes the line;
// false after an error.
func (c *Checker) ident(h *headers) bool {
	line, ok := h.line()
	if !ok {
		line, h.rest = h.rest, ""
	}
	id, why := identFault(line, ok)
	return id == "" || !c.fault(id, "invalid author/committer line - "+why)
}

// identFault returns the message id of what is wrong with an identity, and
// what it is; ended says that a newline follows.
func identFault(line string, ended bool) (id, why string) {
	mail := strings.IndexAny(line, "<>")
	switch {
	case mail == 0 && line[0] == '<':
		return "missingNameBeforeEmail", "missing space before email"
	case mail < 0:
		return "missingEmail", "missing email"
	case line[mail] == '>':
		return "badName", "bad name"
	case line[mail-1] != ' ':
		return "missingSpaceBeforeEmail", "missing space before email"
	}
	rest := line[mail+1:]
	end := strings.IndexAny(rest, "<>")
	if end < 0 || rest[end] != '>' {
		return "badEmail", "bad email"
	}
	date, ok := strings.CutPrefix(rest[end+1:], " ")
	switch {
	case !ok:
		return "missingSpaceBeforeDate", "missing space before date"
	case strings.HasPrefix(date, "0") && !strings.HasPrefix(date, "0 "):
		return "zeroPaddedDate", "zero-padded date"
	}
	seconds, used := parseTime(date)
	zone, ok := strings.CutPrefix(date[used:], " ")
	switch {
	case seconds > math.MaxInt64:
		return "badDateOverflow", "date causes integer overflow"
	case used == 0 || !ok:
		return "badDate", "bad date"
	case !ended || !isZone(zone):
		return "badTimezone", "bad time zone"
	}
	return "", ""
}

// parseTime reads a number as C's strtoumax does: after white space, with a
// sign, no larger than it can be. used is 0 where there is none.
func parseTime(s string) (n uint64, used int) {
	i := len(s) - len(strings.TrimLeft(s, " \t\v\f\r"))
	negative := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		negative = s[i] == '-'
		i++
	}
	start, over := i, false
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		digit := uint64(s[i] - '0')
		over = over || n > (math.MaxUint64-digit)/10
		n = n*10 + digit
	}
	switch {
	case i == start:
		return 0, 0
	case over:
		n = math.MaxUint64
	case negative:
		n = -n
	}
	return n, i
}

func isZone(s string) bool {
	return len(s) == len("+0000") && (s[0] == '+' || s[0] == '-') && strings.Trim(s[1:], "0123456789") == ""
}
