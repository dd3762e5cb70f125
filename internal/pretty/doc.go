// Package pretty prints commits as git log does: the line format of the tool
// contract, the medium header, dates in git's formats, and texts in the
// encoding that i18n.logOutputEncoding asks for.
//
// Terms: an ident is the person and moment of an author or committer header; a
// zone is kept as git keeps it, the decimal reading of its digits (+0130 is
// 130). The formats are described in git-log(1), "PRETTY FORMATS" and "Commit
// Formatting"; malformed input prints as real git prints it.
package pretty
