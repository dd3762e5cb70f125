package sandbox

import "syscall"

// hostNumbers says that Stat.Ino tells files apart, unless it is zero. Windows numbers files, but
// not in the structure that Stat is made from.
const hostNumbers = false

// addSystemStat adds what only the host's own structure tells. As in Git for Windows the change time
// is the time of creation.
func addSystemStat(st *Stat, sys any) {
	s, ok := sys.(*syscall.Win32FileAttributeData)
	if !ok {
		return
	}
	ns := s.CreationTime.Nanoseconds()
	st.CTime = Time{ns / 1e9, uint32(ns % 1e9)}
}

const (
	errorWriteProtect = syscall.Errno(19)
	errIsDir          = syscall.EISDIR
)

// isReadOnlyFS says whether a writing call failed because the medium is write-protected.
func isReadOnlyFS(err error) bool { return err == errorWriteProtect }
