package writer

import (
	"errors"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// refusal is a reason for which a path keeps trees from being switched. The order is that of git's messages.
type refusal int

const (
	overwrittenChanges   refusal = iota // index and both trees differ
	changedFiles                        // the file differs from the index
	untrackedInDirectory                // a directory in the way has untracked files
	overwrittenUntracked                // an untracked file is in the way of a new one
	removedUntracked                    // an untracked file is in a removed one's place
	refusalKinds
)

// refusals collects the paths of each reason, in the order of the index.
type refusals struct {
	paths [refusalKinds][]string
	at    map[string]bool // the paths that were being decided on
}

// add notes that path was refused while at was decided on.
func (r *refusals) add(why refusal, path, at string) {
	r.paths[why] = append(r.paths[why], path)
	if r.at == nil {
		r.at = map[string]bool{}
	}
	r.at[at] = true
}

// above reports whether a directory of path was refused as a file: git does not look below it then.
func (r *refusals) above(path string) bool {
	for slash := strings.LastIndexByte(path, '/'); slash > 0; slash = strings.LastIndexByte(path[:slash], '/') {
		if r.at[path[:slash]] {
			return true
		}
	}
	return false
}

// OverwriteError says that work tree content would be lost. Nothing was changed.
type OverwriteError struct {
	Operation string // "checkout" or "merge"
	paths     [refusalKinds][]string
}

// err returns nil when nothing was refused.
func (r *refusals) err(operation string) error {
	for _, paths := range r.paths {
		if len(paths) > 0 {
			return &OverwriteError{Operation: operation, paths: r.paths}
		}
	}
	return nil
}

// Paths lists all paths that would be lost.
func (e *OverwriteError) Paths() []string {
	var all []string
	for _, paths := range e.paths {
		all = append(all, paths...)
	}
	return all
}

// Error is git's text, which lists the paths by reason.
func (e *OverwriteError) Error() string {
	doing := map[string]string{"checkout": "switch branches", "merge": "merge"}[e.Operation]
	untracked := "Please move or remove them before you " + doing + "."
	var parts []string
	for why, paths := range e.paths {
		if len(paths) == 0 {
			continue
		}
		var head, tail string
		switch refusal(why) {
		case overwrittenChanges, changedFiles:
			head = "Your local changes to the following files would be overwritten by " + e.Operation + ":"
			tail = "Please commit your changes or stash them before you " + doing + "."
		case untrackedInDirectory:
			head = "Updating the following directories would lose untracked files in them:"
		case overwrittenUntracked:
			head, tail = "The following untracked working tree files would be overwritten by "+e.Operation+":", untracked
		case removedUntracked:
			head, tail = "The following untracked working tree files would be removed by "+e.Operation+":", untracked
		}
		parts = append(parts, head+"\n\t"+strings.Join(paths, "\n\t")+"\n"+tail)
	}
	return strings.Join(parts, "\nerror: ") + "\nAborting"
}

// GitLevel makes it an error, as git prints it.
func (e *OverwriteError) GitLevel() string { return "error" }

// statFile looks at a path of the work tree; zero when nothing is there, or only below a link or file.
func (p *Plan) statFile(path string) (sandbox.Stat, error) {
	top, err := p.w.repo.WorkTree()
	if err != nil {
		return sandbox.Stat{}, err
	}
	return orNothing(top.Lstat(path))
}

func orNothing(stat sandbox.Stat, err error) (sandbox.Stat, error) {
	if errorIsNotExist(err) || errors.Is(err, sandbox.ErrSymlink) || errors.Is(err, sandbox.ErrNotDir) {
		return sandbox.Stat{}, nil
	}
	return stat, err
}

// glance is statFile for many paths in order: the directory that was looked into last stays open.
type glance struct {
	top, dir *sandbox.Dir
	path     string
}

func (p *Plan) newGlance() (*glance, error) {
	top, err := p.w.repo.WorkTree()
	return &glance{top: top}, err
}

func (g *glance) stat(path string) (sandbox.Stat, error) {
	dir, err := g.parent(path)
	if err != nil {
		return orNothing(sandbox.Stat{}, err)
	}
	return orNothing(dir.Lstat(path[strings.LastIndexByte(path, '/')+1:]))
}

// parent opens the directory of a path.
func (g *glance) parent(path string) (*sandbox.Dir, error) {
	name := dirOf(path)
	if name == "" {
		return g.top, nil
	}
	if g.dir != nil && g.path == name {
		return g.dir, nil
	}
	g.close()
	dir, err := g.top.OpenDir(name)
	if err == nil {
		g.dir, g.path = dir, name
	}
	return dir, err
}

func (g *glance) close() {
	if g.dir != nil {
		g.dir.Close()
		g.dir = nil
	}
}

// obstacle looks for what is in a path's place, or in the place of a directory above it, without being tracked. Ignored files
// may go, and so may what the switch itself removes; all else is a refusal.
func (s *treeSwitch) obstacle(path string, mode uint32, why refusal) error {
	for slash := strings.IndexByte(path, '/'); slash >= 0; slash = nextSlash(path, slash) {
		stat, err := s.plan.statFile(path[:slash])
		if err != nil {
			return err
		}
		if stat.Mode == 0 {
			return nil
		}
		if !stat.IsDir() {
			return s.fileInTheWay(path[:slash], path, stat, why)
		}
	}
	stat, err := s.plan.statFile(path)
	switch {
	case err != nil || stat.Mode == 0:
		return err
	case stat.IsDir():
		return s.directoryInTheWay(path, mode, why)
	}
	return s.fileInTheWay(path, path, stat, why)
}

func nextSlash(path string, slash int) int {
	next := strings.IndexByte(path[slash+1:], '/')
	if next < 0 {
		return -1
	}
	return slash + 1 + next
}

// fileInTheWay refuses for a file, in the way of the path at, that is neither ignored nor on its way out of the index.
func (s *treeSwitch) fileInTheWay(path, at string, stat sandbox.Stat, why refusal) error {
	if s.gone[path] || s.resumed && s.entry(path) != nil {
		return nil
	}
	ignored, err := s.ignoring.Match(path, false)
	if err != nil {
		return err
	}
	if !ignored.Ignored {
		s.refused.add(why, path, at)
		return nil
	}
	if !s.cleared[path] && why == overwrittenUntracked {
		s.cleared[path] = true
		s.plan.files = append(s.plan.files, fileChange{path: path, seen: stat})
	}
	return nil
}

// directoryInTheWay refuses for a directory with changed or untracked files; one with nothing else but ignored files goes,
// and so do tracked files in it that the switch does not know of.
func (s *treeSwitch) directoryInTheWay(path string, mode uint32, why refusal) error {
	if mode == index.ModeGitlink {
		return nil
	}
	from, to := s.old.DirRange(path)
	for i := from; i < to; i++ {
		if e := &s.old.Entries[i]; s.isDirty(e) {
			s.refused.add(changedFiles, e.Name, path)
			return nil
		}
	}
	ignored, err := s.ignoring.Match(path, true)
	if err != nil {
		return err
	}
	if !ignored.Ignored {
		untracked, err := s.ignoring.Untracked(path)
		if err != nil {
			return err
		}
		if len(untracked) > 0 {
			s.refused.add(untrackedInDirectory, path, path)
			return nil
		}
	}
	for i := from; i < to; i++ {
		s.displaced = append(s.displaced, displacedEntry{&s.old.Entries[i], why == removedUntracked})
	}
	s.cleared[path] = why != removedUntracked
	return nil
}

// sortChanges brings changes into the order that index.Apply wants.
func sortChanges(changes []index.PathChange) {
	slices.SortFunc(changes, func(x, y index.PathChange) int { return strings.Compare(x.Name, y.Name) })
}
