// Package diffrender turns changed files into the texts that git shows for
// them: patches, statistics and lists of names.
//
// Terms: a side is the old or the new state of a file; a patch is the text that
// git-diff(1) calls so; a hunk is a part of it with its line numbers; a driver
// is a set of rules for a kind of file (gitattributes(5), "diff"), among them
// which lines begin a function; a combined diff compares one result with
// several parents (git-diff(1), "Combined diff format").
package diffrender
