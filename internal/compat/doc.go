// Package compat holds the differential tests: the same repository and the same
// request go to tools.Tool and to real git, and the bytes must be equal.
//
// Terms: a request is what tools.Tool.Call reads; its command line is what git
// is asked instead; a state is a repository as both find it. The tool is asked
// first, so that git's refreshed indexes never help it.
//
// There is nothing here to import.
package compat
