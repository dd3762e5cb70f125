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
	st.CTime = Time{s.Ctime, uint32(s.CtimeNsec)}
	st.Dev, st.Ino = uint64(s.Dev), s.Ino
	st.UID, st.GID = s.Uid, s.Gid
}

// isReadOnlyFS says whether a writing call failed because nothing can be written.
func isReadOnlyFS(err error) bool { return err == syscall.EROFS || err == syscall.ENOSYS }

const errIsDir = syscall.EISDIR
