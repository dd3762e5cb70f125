// Package convert changes content between the work tree's form and the stored one (gitattributes(5): "text", "eol", "ident", "filter",
// "working-tree-encoding"; git-config(1): core.autocrlf, core.eol, core.safecrlf).
//
// To clean is to make the stored form, to smudge is to make the work tree's. A filter driver is a pair of programs that do it; they are
// never run here, but for Git LFS, whose pointer files are made and resolved natively.
package convert
