// Package refs reads references: loose files, the packed-refs file, symbolic
// references, the references that belong to one work tree, and reflogs.
//
// Terms: a ref's name is its full name ("refs/heads/main", "HEAD"). A symbolic
// ref has a target instead of an id. A broken ref is one that is there but
// has no usable value; it is marked in listings and never stops one. The
// layout is that of gitrepository-layout(5), the rules for names are those of
// git-check-ref-format(1), the work-tree rules those of git-worktree(1), "REFS".
package refs
