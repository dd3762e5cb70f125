// Package sandbox is the border between ingit and everything that it does not trust: request
// strings, and the files of a repository that somebody else wrote.
//
// Terms:
//
//   - A workspace is a directory tree that may be read and written, with the paths that the
//     embedder allows beside it. Nothing outside is opened, whatever a repository's files say.
//   - A Dir is an open directory handle. Its children are reached from the handle, each opened
//     without following links, one component of the name after the other. A link that is swapped
//     in between a check and the use of its result is therefore never followed.
//   - A name is a slash-separated path below a Dir. Empty components, ".", "..", NUL bytes, a
//     leading and a trailing slash are refused with a *NameError.
//   - A Policy says what the embedder permits; its Limits bound what a hostile repository can cost.
//   - Parse functions turn request strings into types (Rev, Branch, Pathspec, Path, Date); behind
//     the border there are no raw request strings.
//
// Links are resolved in two kinds of places only, always by this package and never beyond the
// workspace: where data of a repository names a path (Workspace.OpenDir, Workspace.OpenFile), and
// where a file of the git directory may be a link (Dir.OpenFollow, Dir.OpenDirFollow).
//
// Hosts differ. On Linux, macOS and the BSDs a Dir is a descriptor, and openat(2) with its kin do the
// work; elsewhere it is an os.Root of its own, with a look at each name before it is opened. Under
// WASI a mount is no border: wazero follows a link out of the mounted folder on a plain open, and
// Node does so even beneath os.Root; both are refused here. A host that hides links from the module
// (wazero's WithFSMount over os.DirFS) cannot be guarded against from within: mount with
// WithDirMount or WithReadOnlyDirMount.
package sandbox
