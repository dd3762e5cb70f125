// Package reader reads a git repository as plain values: refs, objects,
// commits, trees, the index, configuration, revisions, walks and changes. It
// cannot write.
//
// Terms: the git directory holds what belongs to one work tree (HEAD, the
// index); the common directory holds what all work trees of a repository share
// (objects, branches, config) and is the same directory in most repositories.
// The top is the directory of the work tree that paths are relative to; the
// prefix is where below the top the repository was opened. A rev is what a
// user typed, an id is what it resolved to; tips are the ids a walk starts at.
package reader
