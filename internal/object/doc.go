// Package object reads the bytes of commits, trees and tags in place.
//
// The parsers work on raw object data, build no go-git values and are as
// tolerant as git: what git reads, they read; what git refuses, they refuse
// with git's sentence. Slices in results point into the data that was given.
//
// Terms: an ident line is the part of an "author", "committer" or "tagger"
// header after the key ("Name <mail> 1700000000 +0100"); a mode is the octal
// number of a tree entry; an id is a [plumbing.Hash].
//
// Formats: git's Documentation/gitformat-*.txt do not describe these three;
// the behaviour follows git-hash-object(1), git-mktree(1) and what git 2.39
// accepts.
package object
