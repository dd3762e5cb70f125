// Package renames pairs added files with the deleted (or, for copies, changed)
// files that they came from, as git's diff and status do.
//
// Terms: a candidate is one changed path with its old and its new side; a
// source is a side that a file may have been renamed from, a destination an
// added path. A score counts in 60,000ths, as git counts it.
package renames
