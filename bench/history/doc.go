// Package history writes a made-up project history for benchmarks, as a stream
// for git fast-import: the same bytes for the same parameters on every machine,
// from one seed, without clock and without the order of maps.
//
// Terms: the main line is the branch main; a topic forks from it, gets some
// commits, and is merged later by replaying its edits on the main line's
// version of each file, so that merges are real and clean. An edit is found
// again by its anchor, the line before it; every line holds a token of its own.
package history
