// Package pathspec parses and matches pathspecs (gitglossary(7)).
//
// A pathspec selects a file, everything below a directory, or what a pattern matches. Magic before it changes its meaning:
// ":(top)" or ":/" starts at the top of the work tree, ":(literal)" takes wildcards as they are, ":(glob)" keeps them from crossing
// slashes, ":(icase)" ignores case, ":(attr:…)" asks for attributes, and ":(exclude)", ":!" or ":^" takes away from what the others select.
package pathspec
