// Package blame finds the commit that wrote each line of a file, as git blame
// does, and prints the answer in git's formats.
//
// Terms: an origin is a file in a commit, (commit, path); its suspects are the
// lines of the final file that are known to stand in it and whose author is
// still sought. To pass lines is to move them from an origin to one of a parent
// commit, where they stand unchanged. A group is a run of final lines that
// follow one another in one origin, too. A boundary is a commit behind which
// blame does not look: a root, an excluded or an old one.
//
// The behaviour is that of git-blame(1).
package blame
