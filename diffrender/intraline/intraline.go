// Package intraline tells which parts of a changed line differ from what it became, for pages that people read. It is no format of
// git's, and stands apart so that programs which print git's bytes do not link what it needs.
package intraline

import (
	"time"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Segment is a part of a line, for people's eyes: changed, or the same as in
// the other version of the line.
type Segment struct {
	Text    string
	Changed bool
}

// The bounds within which lines are compared in parts.
const (
	maxSegmented  = 4 << 10               // bytes of a line
	segmentBudget = 20 * time.Millisecond // for a pair of lines
)

// Segments compares a changed line with what it became, and tells which parts
// of each differ, so that a page can highlight them. What changed is cut at
// words rather than at letters that happen to be the same (diffmatchpatch's
// semantic clean-up). Joined, the segments are the line. Lines that have little
// in common, are longer than 4 KiB or are not UTF-8 give one changed segment
// each; this is no format of git's.
func Segments(old, new string) (olds, news []Segment) {
	if old == new {
		return segment(nil, old, false), segment(nil, new, false)
	}
	if max(len(old), len(new)) > maxSegmented || !utf8.ValidString(old) || !utf8.ValidString(new) {
		return segment(nil, old, true), segment(nil, new, true)
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = segmentBudget
	same := 0
	for _, d := range differ.DiffCleanupSemantic(differ.DiffMain(old, new, false)) {
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			olds = segment(olds, d.Text, true)
		case diffmatchpatch.DiffInsert:
			news = segment(news, d.Text, true)
		default:
			olds, news, same = segment(olds, d.Text, false), segment(news, d.Text, false), same+len(d.Text)
		}
	}
	if same*4 < max(len(old), len(new)) {
		return segment(nil, old, true), segment(nil, new, true)
	}
	return olds, news
}

// segment appends a part; neighbours of the same kind become one.
func segment(list []Segment, text string, changed bool) []Segment {
	n := len(list)
	switch {
	case text == "":
		return list
	case n > 0 && list[n-1].Changed == changed:
		list[n-1].Text += text
		return list
	}
	return append(list, Segment{text, changed})
}
