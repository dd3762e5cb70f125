// Package artifacts fits long answers into a reader's budget.
//
// A text that is too long is cut at a line end into pages. Each page but the
// last comes with a cursor: an opaque string that, sent back with the same
// request, continues exactly where the page ended, so that the pages joined
// are the whole text byte for byte. Nothing is kept between two pages: the
// cursor holds the place and a checksum of what came before it, and the text
// is produced again.
package artifacts
