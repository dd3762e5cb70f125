// Package writer changes a repository as git would: add, commit, checkout, stash, reset and branch creation.
//
// Every operation is planned first, touching nothing, and then applied: the index is locked, what the plan expects is
// checked again, objects are written, then files of the work tree, the index, refs with their logs, and last the files that
// tell of an operation under way. Each file is written beside its place and renamed into it, so that a process that dies
// leaves a repository that git-fsck(1) accepts and that a later call can go on with, once the stale lock is removed.
//
// A lock is git's: a file NAME.lock beside NAME, created exclusively. So git and ingit can write to one repository.
// No hook, filter, signing program or merge driver is ever run; where one would have a say, the operation is refused.
package writer
