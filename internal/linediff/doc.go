// Package linediff matches the lines of two texts and gives the same changes
// as git's own diff.
//
// Terms: a line includes its line feed; the last one may lack it. A change is
// a run of old lines that a run of new lines replaces; either may be empty.
// Compaction slides a change up or down, where equal neighbours allow it, to
// the place where git puts it. A hunk is a group of changes printed together
// with the unchanged lines around them. Lines count from 0 in this package.
package linediff
