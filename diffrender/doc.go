// Package diffrender turns changed files into the texts that git shows for
// them: patches, statistics and lists of names.
package diffrender
