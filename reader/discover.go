package reader

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/sandbox"
)

// layout is where the parts of a repository are.
type layout struct {
	top       *sandbox.Dir // the directory that holds .git; nil when the git directory was found itself
	gitDir    *sandbox.Dir
	commonDir *sandbox.Dir // == gitDir in an ordinary repository
	objects   *sandbox.Dir
	name      string // the git directory's name in messages: ".git", "." or an absolute path
	format    format
}

func (l *layout) close() error {
	var errs []error
	for _, d := range []*sandbox.Dir{l.objects, l.top, l.gitDir} {
		if d != nil {
			errs = append(errs, d.Close())
		}
	}
	if l.commonDir != nil && l.commonDir != l.gitDir {
		errs = append(errs, l.commonDir.Close())
	}
	return errors.Join(errs...)
}

// commonName is the common directory's name in messages.
func (l *layout) commonName() string {
	if l.commonDir == l.gitDir {
		return l.name
	}
	return l.commonDir.Path()
}

// GitFileError is a .git file that leads to no repository.
type GitFileError struct{ text string }

// Error is git's sentence, without "fatal: ".
func (e *GitFileError) Error() string { return e.text }

// Is makes the error fs.ErrNotExist: no repository was found.
func (e *GitFileError) Is(target error) bool { return target == fs.ErrNotExist }

// discover goes up from dir to the first directory that is, or has, a git
// directory.
func discover(dir *sandbox.Dir, user *User) (layout, error) {
	ws := dir.Workspace()
	for p := dir.Path(); ; p = path.Dir(p) {
		found, ok, err := discoverAt(ws, p)
		if ok && err == nil && found.top == nil {
			if err = embedded(ws, p, user); err != nil {
				found.close()
			}
		}
		if ok || err != nil {
			return found, err
		}
		if parent := path.Dir(p); parent == p || !ws.Contains(parent) {
			return layout{}, ErrNotRepository
		}
	}
}

// discoverAt looks at one directory: for its .git, then at itself.
func discoverAt(ws *sandbox.Workspace, p string) (found layout, ok bool, err error) {
	top, err := ws.OpenDir(p)
	if err != nil {
		return layout{}, false, err
	}
	found, ok, err = dotGit(top)
	if ok && err == nil {
		found.top = top
		return found, true, nil
	}
	if err != nil {
		top.Close()
		return layout{}, false, err
	}
	found, ok, err = gitDirectory(top, ".")
	if !ok || err != nil {
		top.Close()
	}
	return found, ok, err
}

// dotGit looks at the entry .git of a directory: a git directory, a link to
// one, or a file that names one.
func dotGit(top *sandbox.Dir) (layout, bool, error) {
	stat, err := top.Lstat(".git")
	if err != nil {
		return layout{}, false, nil
	}
	if stat.IsRegular() {
		return gitFile(top)
	}
	gitDir, err := top.OpenDirFollow(".git")
	var outside *sandbox.OutsideError
	switch {
	case errors.As(err, &outside):
		return layout{}, false, &sandbox.OutsideError{What: ".git", Path: outside.Path}
	case errors.Is(err, sandbox.ErrNotDir) && stat.IsSymlink():
		return gitFile(top)
	case err != nil:
		return layout{}, false, nil
	}
	found, ok, err := gitDirectory(gitDir, ".git")
	if !ok || err != nil {
		gitDir.Close()
	}
	return found, ok, err
}

// maxGitFile is the size beyond which git takes a file for no .git file.
const maxGitFile = 1 << 20

// gitFile follows a file "gitdir: PATH". Once there is such a file, git looks
// no further up.
func gitFile(top *sandbox.Dir) (layout, bool, error) {
	name := path.Join(top.Path(), ".git")
	f, err := top.OpenFollow(".git")
	if errors.Is(err, sandbox.ErrNotRegular) || errors.Is(err, fs.ErrNotExist) {
		return layout{}, false, nil
	}
	if err != nil {
		return layout{}, false, err
	}
	defer f.Close()
	if f.Size() > maxGitFile {
		return layout{}, false, &GitFileError{fmt.Sprintf("too large to be a .git file: '%s'", name)}
	}
	data, err := f.ReadAll(maxGitFile)
	if err != nil {
		return layout{}, false, err
	}
	target, ok := bytes.CutPrefix(data, []byte("gitdir: "))
	if !ok {
		return layout{}, false, &GitFileError{"invalid gitfile format: " + name}
	}
	target = bytes.TrimRight(target, "\r\n")
	if len(target) == 0 {
		return layout{}, false, &GitFileError{"no path in gitfile: " + name}
	}
	return gitFileTarget(top, string(target))
}

func gitFileTarget(top *sandbox.Dir, target string) (layout, bool, error) {
	full := below(top.Path(), target)
	gitDir, err := top.Workspace().OpenDir(full)
	if err != nil {
		var outside *sandbox.OutsideError
		if errors.As(err, &outside) {
			return layout{}, false, &sandbox.OutsideError{What: "the repository's directory, named by .git,", Path: full}
		}
		return layout{}, false, &GitFileError{"not a git repository: " + named(top.Path(), target)}
	}
	found, ok, err := gitDirectory(gitDir, gitDir.Path())
	if !ok || err != nil {
		gitDir.Close()
		if err == nil {
			err = &GitFileError{"not a git repository: " + named(top.Path(), target)}
		}
		return layout{}, false, err
	}
	return found, true, nil
}

// named is a path as git prints it in messages: joined, but not cleaned.
func named(dir, target string) string {
	if isAbsolute(target) {
		return target
	}
	return dir + "/" + target
}

// below is the absolute path that a file in dir means by target.
func below(dir, target string) string {
	if isAbsolute(target) {
		return target
	}
	return path.Join(dir, target)
}

func isAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && (p[2] == '/' || p[2] == '\\')
}

// gitDirectory decides whether dir has the signs of a git directory: a HEAD
// that could be one, and objects and refs in the common directory.
func gitDirectory(dir *sandbox.Dir, name string) (found layout, ok bool, err error) {
	if !plausibleHead(dir) {
		return layout{}, false, nil
	}
	found = layout{gitDir: dir, name: name}
	if found.commonDir, err = commonDirectory(dir); err != nil || found.commonDir == nil {
		return layout{}, false, err
	}
	if found.objects, err = found.commonDir.OpenDirFollow("objects"); err == nil {
		var refs *sandbox.Dir
		if refs, err = found.commonDir.OpenDirFollow("refs"); err == nil {
			refs.Close()
			return found, true, nil
		}
		found.objects.Close()
	}
	if found.commonDir != dir {
		found.commonDir.Close()
	}
	var outside *sandbox.OutsideError
	if errors.As(err, &outside) {
		return layout{}, false, err
	}
	return layout{}, false, nil
}

// plausibleHead applies git's test of a HEAD file: a symbolic ref into refs/,
// or an id.
func plausibleHead(dir *sandbox.Dir) bool {
	stat, err := dir.Lstat("HEAD")
	if err != nil {
		return false
	}
	if stat.IsSymlink() {
		target, err := dir.Readlink("HEAD")
		return err == nil && strings.HasPrefix(target, "refs/")
	}
	if !stat.IsRegular() {
		return false
	}
	f, err := dir.Open("HEAD")
	if err != nil {
		return false
	}
	defer f.Close()
	var buffer [256]byte
	n, _ := f.ReadAt(buffer[:], 0)
	head := buffer[:n]
	if target, ok := bytes.CutPrefix(head, []byte("ref:")); ok {
		return bytes.HasPrefix(bytes.TrimLeft(target, " \t\n\r"), []byte("refs/"))
	}
	return len(head) >= 40 && bytes.IndexFunc(head[:40], notHex) < 0
}

func notHex(r rune) bool {
	return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F')
}

// commonDirectory follows the file commondir, which linked work trees have.
// nil without an error means that it leads nowhere.
func commonDirectory(dir *sandbox.Dir) (*sandbox.Dir, error) {
	f, err := dir.OpenFollow("commondir")
	if errors.Is(err, fs.ErrNotExist) {
		return dir, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := f.ReadAll(maxGitFile)
	if err != nil {
		return nil, err
	}
	target := below(dir.Path(), string(bytes.TrimRight(data, "\r\n")))
	common, err := dir.Workspace().OpenDir(target)
	var outside *sandbox.OutsideError
	switch {
	case errors.As(err, &outside):
		return nil, &sandbox.OutsideError{What: "commondir", Path: target}
	case err != nil:
		return nil, missingParent(dir.Workspace(), target)
	}
	return common, nil
}

// missingParent returns git's error for a path that is not there when not even
// the folder that should hold it is; nil otherwise.
func missingParent(ws *sandbox.Workspace, target string) error {
	parent := path.Dir(path.Clean(target))
	if dir, err := ws.OpenDir(parent); err == nil {
		return dir.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := missingParent(ws, parent); err != nil {
		return err
	}
	return fmt.Errorf("Invalid path '%s': %s", parent, "No such file or directory")
}

// BareError refuses a bare repository inside another one, as git does with
// safe.bareRepository=explicit: its config is content of the outer repository,
// which somebody else may have written.
type BareError struct{ Path string }

// Error is git's sentence, without "fatal: ".
func (e *BareError) Error() string {
	return fmt.Sprintf("cannot use bare repository '%s' (safe.bareRepository is 'explicit')", e.Path)
}

// Is makes the error a refusal.
func (e *BareError) Is(target error) bool { return target == fs.ErrPermission }

// embedded refuses a git directory that was found as itself when another
// repository lies around it, or when the user's safe.bareRepository says so.
// The directories that git keeps in a .git directory are no such thing.
func embedded(ws *sandbox.Workspace, p string, user *User) error {
	if path.Base(p) == ".git" || strings.Contains(p, "/.git/worktrees/") || strings.Contains(p, "/.git/modules/") {
		return nil
	}
	if config, err := userConfig(user); err == nil {
		if v, _ := config.Get("safe.barerepository"); v == "explicit" {
			return &BareError{Path: p}
		}
	}
	for parent := path.Dir(p); parent != p && ws.Contains(parent); p, parent = parent, path.Dir(parent) {
		outer, ok, _ := discoverAt(ws, parent)
		if ok {
			outer.close()
			return &BareError{Path: p}
		}
	}
	return nil
}

func userConfig(user *User) (*gitconfig.Config, error) {
	loader := gitconfig.Loader{}
	if user != nil {
		loader.Home = user.Home
	}
	return loader.Load(user.sources()...)
}
