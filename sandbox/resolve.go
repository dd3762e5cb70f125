package sandbox

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// maxLinks is how many links one path may lead through, as on Linux.
const maxLinks = 40

// Resolve opens the directory that a request works in: the workspace's top for "". Another one must
// be absolute (ErrRelativeCwd) and, its links resolved, lie in the workspace or an allowed path
// (*OutsideError, in the reference's words).
func (w *Workspace) Resolve(cwd string) (*Dir, error) {
	if cwd == "" {
		return w.OpenDir(w.Root())
	}
	if strings.IndexByte(cwd, 0) >= 0 {
		return nil, &NameError{Name: cwd, Why: "NUL byte"}
	}
	if !w.isAbs(cwd) {
		return nil, ErrRelativeCwd
	}
	dir, err := w.OpenDir(cwd)
	var outside *OutsideError
	if !errors.As(err, &outside) {
		return dir, err
	}
	if !w.fsys {
		// The request may reach the workspace through links outside it, which repository data may not.
		if real, err := filepath.EvalSymlinks(cwd); err == nil && w.Contains(real) {
			return w.OpenDir(real)
		}
	}
	return nil, &OutsideError{What: "cwd", Path: cwd}
}

// OpenDir opens the directory that data of a repository names by an absolute path (a gitfile,
// commondir, alternates, core.worktree). Links on the way are resolved one by one and nothing
// outside is looked at: a path that leaves is *OutsideError.
func (w *Workspace) OpenDir(path string) (*Dir, error) {
	dir, name, err := w.follow(path)
	if err != nil || name == "" {
		return dir, err
	}
	defer dir.Close()
	return dir.OpenDir(name)
}

// OpenFile opens the regular file that data of a repository names by an absolute path (include.path),
// as OpenDir does.
func (w *Workspace) OpenFile(path string) (*File, error) {
	dir, name, err := w.follow(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if name == "" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return dir.Open(name)
}

func (w *Workspace) isAbs(path string) bool {
	if w.fsys {
		return strings.HasPrefix(path, "/")
	}
	return filepath.IsAbs(path)
}

// follow resolves a path. It returns the open directory that it means and "", or, for anything else
// (a file, something missing), the directory that holds it and its name.
func (w *Workspace) follow(path string) (*Dir, string, error) {
	if strings.IndexByte(path, 0) >= 0 || !w.isAbs(path) {
		return nil, "", &NameError{Name: path, Why: "not an absolute path"}
	}
	t := trail{ws: w}
	defer func() { t.drop(0) }()
	name, err := t.walk(path)
	if err != nil {
		return nil, "", err
	}
	if len(t.dirs) == 0 {
		return nil, "", &OutsideError{Path: path}
	}
	last := len(t.dirs) - 1
	dir := t.dirs[last]
	t.dirs = t.dirs[:last]
	return dir, name, nil
}

// trail is a position on the way along a path: the open directories from a root down to it, or none
// while it is outside, where only its text is known.
type trail struct {
	ws    *Workspace
	at    string
	dirs  []*Dir
	links int
}

// walk moves along an absolute path, returning a last component that is no directory.
func (t *trail) walk(path string) (string, error) {
	rest, err := t.start(path)
	if err != nil {
		return "", err
	}
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		if part == "" || part == "." {
			continue
		}
		if part == ".." {
			if len(t.dirs) == 0 && !t.ws.above(t.at) {
				return "", &OutsideError{Path: path} // what is there, a link or nothing, is not looked at
			}
			t.up()
			continue
		}
		if len(t.dirs) == 0 {
			if err := t.outside(part); err != nil {
				return "", err
			}
			continue
		}
		target, isDir, err := t.enter(part)
		switch {
		case isDir:
		case target != "":
			if rest, err = t.link(target, rest); err != nil {
				return "", err
			}
		case len(rest) == 0:
			return part, nil
		case err == nil:
			return "", &fs.PathError{Op: "open", Path: join(t.at, part), Err: missingBelowError{}}
		default:
			return "", err
		}
	}
	return "", nil
}

// start moves to the top of the path's volume and returns its components.
func (t *trail) start(path string) ([]string, error) {
	volume := ""
	if !t.ws.fsys {
		volume = filepath.VolumeName(path)
		path = filepath.ToSlash(path)
	}
	t.drop(0)
	t.at = filepath.ToSlash(volume)
	return strings.Split(path[len(volume):], "/"), t.outside("")
}

// outside moves down by text alone; at a root's path it is inside from then on.
func (t *trail) outside(part string) error {
	t.at = join(t.at, part)
	r := t.ws.rootAt(t.at)
	if r == nil {
		return nil
	}
	h, err := r.open()
	if err != nil {
		return err
	}
	if h, err = h.reopen(); err != nil {
		return &fs.PathError{Op: "open", Path: r.path, Err: err}
	}
	t.at = r.path
	t.dirs = append(t.dirs, &Dir{ws: t.ws, path: r.path, h: h})
	return nil
}

// enter moves into a directory below, or says where a link leads.
func (t *trail) enter(part string) (target string, isDir bool, err error) {
	dir := t.dirs[len(t.dirs)-1]
	st, err := dir.Lstat(part)
	switch {
	case err != nil:
		return "", false, err
	case st.IsSymlink():
		target, err = dir.Readlink(part)
		return target, false, err
	case !st.IsDir():
		return "", false, nil
	}
	sub, err := dir.OpenDir(part)
	if err != nil {
		return "", false, err
	}
	t.dirs = append(t.dirs, sub)
	t.at = sub.path
	return "", true, nil
}

// link replaces a link by its target.
func (t *trail) link(target string, rest []string) ([]string, error) {
	if t.links++; t.links > maxLinks {
		return nil, &fs.PathError{Op: "open", Path: t.at, Err: ErrTooManyLinks}
	}
	if t.ws.isAbs(target) {
		parts, err := t.start(target)
		return append(parts, rest...), err
	}
	if !t.ws.fsys {
		target = filepath.ToSlash(target)
	}
	return append(strings.Split(target, "/"), rest...), nil
}

// up moves to the directory above.
func (t *trail) up() {
	if len(t.dirs) == 1 && strings.HasSuffix(t.at, "/") {
		return // the top of a volume, which is a root: it is its own parent
	}
	if i := strings.LastIndexByte(t.at, '/'); i > 0 {
		t.at = t.at[:i]
	} else {
		t.at = "/"
	}
	if n := len(t.dirs); n > 0 {
		t.drop(n - 1)
	}
}

// drop closes the directories from the nth on.
func (t *trail) drop(n int) {
	for _, dir := range t.dirs[n:] {
		dir.Close()
	}
	t.dirs = t.dirs[:n]
}
