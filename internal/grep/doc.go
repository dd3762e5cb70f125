// Package grep finds the lines of a text that match patterns, as git-grep(1)
// does.
//
// Terms: a hit is a line that a pattern matches; context are the lines around
// it; a candidate is a place at or before the next hit, found by a quick
// search; a need is a text that every match of an expression contains.
package grep
