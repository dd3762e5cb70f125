// Package commitgraph reads commit-graph files: parents, trees, dates and
// generation numbers of commits without inflating them, and filters that tell
// which paths a commit did not change.
//
// Terms: a position is a commit's number in the graph; a layer is one file of
// a chain, whose positions follow those of the layers below; the generation of
// a commit is greater than that of each of its parents; a filter answers "no"
// or "maybe" for a path.
//
// A commit-graph is an aid only. Files that cannot be as they say are ignored,
// and callers fall back to the commits themselves when a look-up fails. It
// says what commits were written as: with replacements, grafts or a shallow
// clone it must not be used, as in git.
//
// Format: gitformat-commit-graph(5).
package commitgraph
