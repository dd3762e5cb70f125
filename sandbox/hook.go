package sandbox

import "fmt"

// Op is a kind of file-system call that writes.
type Op int

// The calls that a Hook sees.
const (
	OpCreate Op = iota
	OpWrite
	OpSync
	OpRename
	OpRemove
	OpRmdir
	OpMkdir
	OpSymlink
	OpChmod
	OpSyncDir
	OpLink
)

// String returns the call's name, for example "rename".
func (o Op) String() string {
	names := [...]string{"create", "write", "sync", "rename", "remove", "rmdir", "mkdir", "symlink", "chmod", "syncdir", "link"}
	if o < 0 || int(o) >= len(names) {
		return fmt.Sprintf("op%d", int(o))
	}
	return names[o]
}

// Call is a file-system call that is about to write.
type Call struct {
	Op   Op
	Path string // absolute
	New  string // OpRename: the new absolute path; OpSymlink: the target
	Size int    // OpWrite: bytes
}

// Hook sees every call that writes, before it is made. An error that it returns is the call's
// result and the call is not made, but for a *TornWrite. It is for tests of crashes: it may also end
// the process. It may be called from many goroutines at once.
type Hook func(Call) error

// TornWrite is an error for a Hook to return for OpWrite: the first Size bytes are written, then the
// call fails with Err.
type TornWrite struct {
	Size int
	Err  error
}

// Error tells how much was written.
func (e *TornWrite) Error() string { return fmt.Sprintf("torn after %d bytes: %v", e.Size, e.Err) }

// Unwrap returns Err.
func (e *TornWrite) Unwrap() error { return e.Err }

// WithHook returns the same workspace, sharing its handles, whose writing calls the hook sees. Close
// only one of the two.
func (w *Workspace) WithHook(h Hook) *Workspace {
	hooked := *w
	hooked.hook = h
	return &hooked
}
