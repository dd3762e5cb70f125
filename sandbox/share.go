package sandbox

import "io/fs"

// Share decides what becomes of the permissions that the umask has left to a new file or directory. Of fs.FileMode's other
// bits it may add fs.ModeSetgid.
type Share func(perm fs.FileMode, isDir bool) fs.FileMode

// Share has everything that is created through the directory, and through directories opened from it later, changed as s
// says. It must not be called while others use the directory.
func (d *Dir) Share(s Share) { d.share = s }

// Private returns the directory without its Share, for files that are to have the usual permissions. It holds the same
// handle: close only one of the two.
func (d *Dir) Private() *Dir { return &Dir{ws: d.ws, path: d.path, h: d.h} }

// shared changes a file that was just created or opened.
func (f *File) shared(s Share) error {
	if s == nil {
		return nil
	}
	if perm := s(f.stat.Mode.Perm(), false); perm != f.stat.Mode.Perm() {
		return f.Chmod(perm)
	}
	return nil
}

// sharedDir changes a directory that was just made.
func (p parent) sharedDir(s Share) error {
	if s == nil {
		return nil
	}
	st, err := p.lstat(p.last)
	if err != nil {
		return err
	}
	kept := st.Mode & (fs.ModePerm | fs.ModeSetgid)
	if perm := s(st.Mode.Perm(), true) | kept&fs.ModeSetgid; perm != kept {
		return p.chmod(p.last, perm)
	}
	return nil
}
