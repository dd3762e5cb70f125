// Package wildmatch matches paths against git's shell patterns, as ignore files, attributes and pathspecs use them
// (gitignore(5), gitglossary(7) under "pathspec").
//
// "?" is one byte, "*" any number, "[...]" one of a class with ranges, negation by "!" or "^", and POSIX names such as
// "[:alpha:]"; a backslash takes the next byte as it is. Under PathName none of them crosses a slash, but "**" does where it
// is a whole component. Bytes are compared, not characters.
package wildmatch
