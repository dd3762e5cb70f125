// Package index reads and writes git's index, the file that says what the next commit holds and what the work tree held
// when it was last looked at (gitformat-index(5)).
//
// An entry is one path in one stage: stage 0 is an ordinary path, stages 1 to 3 are the base, ours and theirs of a conflict.
// The cache tree remembers the tree ids of directories whose entries have not changed. A split index keeps most entries in
// a second file, the shared index. A sparse index holds whole directories as one entry.
package index
