// Package tools answers requests: JSON objects that name a git operation and
// its parameters, as programs and language models send them.
//
//   - A Tool answers requests within one workspace.
//   - An operation is one thing that can be asked for (status, diff, …). All of
//     them stand in one catalogue; each is a file of this package that holds
//     its parameters and what it runs.
//   - A parameter is bound to the variable that receives its value, so that
//     decoding, checking, the JSON schemas and the command line all follow from
//     one table.
//   - A Result is the answer: the bytes that real git prints, or git's sentence.
//
// The package is glue: it opens the repository through reader, lets reader,
// diffrender and the text packages do the work, and is the only place where
// errors become sentences.
package tools
