// Package charset converts text between encodings known by the names that iconv(3) takes, as git does for commit messages and for
// "working-tree-encoding". A text that does not fit is refused as a whole; nothing is replaced.
package charset
