package sandbox

import "syscall"

// hostNumbers says that Stat.Ino tells files apart, unless it is zero.
const hostNumbers = true

// addSystemStat adds what only the host's own structure tells.
func addSystemStat(st *Stat, sys any) {
	s, ok := sys.(*syscall.Stat_t)
	if !ok {
		return
	}
	st.CTime = Time{int64(s.Ctime / 1e9), uint32(s.Ctime % 1e9)}
	st.Dev, st.Ino = s.Dev, s.Ino
}

// isReadOnlyFS says whether a writing call failed because nothing can be written. WASI hosts say so
// in several ways.
func isReadOnlyFS(err error) bool {
	return err == syscall.EROFS || err == syscall.ENOSYS || err == syscall.ENOTCAPABLE
}

const errIsDir = syscall.EISDIR
