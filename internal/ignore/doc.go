// Package ignore decides which paths git ignores (gitignore(5)).
//
// A List is the patterns of one source: a .gitignore file, info/exclude, or core.excludesFile. A Matcher stands for one directory
// and knows all lists that govern its children; a walk derives a child directory's matcher from its parent's.
package ignore
