// Package statustext renders a reader.Status as git status prints it: in the
// porcelain formats for programs, in the short and in the long one for people
// (git-status(1)). Nothing is coloured or translated.
package statustext
