// Package gitconfig reads git's configuration files as git does.
//
// Terms: a file is parsed into entries; an entry's name is its section, its
// subsection (if any) and its key joined by dots, with section and key in
// lower case ("branch.Main.remote"). Files are read in layers (system, global,
// local, worktree); the last entry of a name wins. The format is described in
// git-config(1), "CONFIGURATION FILE".
package gitconfig
