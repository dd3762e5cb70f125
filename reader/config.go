package reader

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/sandbox"
)

// sources are the user's own files. Git skips those that it may not read.
func (u *User) sources() []gitconfig.Source {
	if u == nil || u.ReadFile == nil {
		return nil
	}
	open := func(what, name string) ([]byte, error) {
		data, err := u.ReadFile(name)
		if what == "" && errors.Is(err, fs.ErrPermission) {
			err = fs.ErrNotExist
		}
		return data, err
	}
	var sources []gitconfig.Source
	if u.SystemConfig != "" {
		sources = append(sources, gitconfig.Source{Path: u.SystemConfig, Scope: gitconfig.System, Open: open})
	}
	for _, name := range u.GlobalConfig {
		sources = append(sources, gitconfig.Source{Path: name, Scope: gitconfig.Global, Open: open})
	}
	return sources
}

// loadConfig reads the format and then the whole configuration, and remembers
// what the repository's own files looked like.
func (r *Repository) loadConfig() error {
	l := &r.layout
	r.seen = map[string]sandbox.Stat{}
	var err error
	if l.format, err = readFormat(l); err != nil {
		return err
	}
	sources := append(r.options.User.sources(),
		r.source(l.commonDir, "config", l.commonName(), gitconfig.Local))
	if l.format.worktreeConfig {
		sources = append(sources, r.source(l.gitDir, "config.worktree", l.name, gitconfig.Worktree))
	}
	loader := gitconfig.Loader{GitDir: l.gitDir.Path(), Branch: r.branchForConfig}
	if r.options.User != nil {
		loader.Home = r.options.User.Home
	}
	config, err := loader.Load(sources...)
	if err != nil {
		return err
	}
	if err := checkDefaults(config); err != nil {
		return err
	}
	r.config = config
	return nil
}

// source reads a config file of the repository, and what it includes, inside
// the workspace only.
func (r *Repository) source(dir *sandbox.Dir, name, dirName string, scope gitconfig.Scope) gitconfig.Source {
	ws := dir.Workspace()
	return gitconfig.Source{
		Path: path.Join(dir.Path(), name), Origin: dirName + "/" + name, Scope: scope,
		Open: func(what, file string) ([]byte, error) {
			var f *sandbox.File
			var err error
			if what == "" {
				f, err = dir.OpenFollow(name)
			} else {
				f, err = ws.OpenFile(path.Clean(file))
			}
			if errors.Is(err, fs.ErrNotExist) {
				r.seen[file] = sandbox.Stat{}
			}
			var outside *sandbox.OutsideError
			if errors.As(err, &outside) && what != "" {
				return nil, &sandbox.OutsideError{What: what, Path: file}
			}
			if err != nil {
				return nil, err
			}
			defer f.Close()
			r.seen[file] = f.Stat()
			return f.ReadAll(0)
		},
	}
}

// branchForConfig is the branch that "onbranch" conditions see.
func (r *Repository) branchForConfig() string {
	ref, _ := r.refs.Resolve("HEAD")
	branch, _ := strings.CutPrefix(ref.Name, "refs/heads/")
	if branch == ref.Name {
		return ""
	}
	return branch
}

// openWorkTree finds the work tree as git's setup does: where .git was found,
// or where core.worktree says; none in a bare repository.
func (r *Repository) openWorkTree(opened string) {
	l := &r.layout
	f := l.format
	switch {
	case f.bareSet && f.bare && f.workTreeSet:
		r.noTree = &FormatError{"unable to set up work tree using invalid config"}
	case f.bareSet && f.bare:
		r.noTree = ErrNoWorkTree
	case f.workTreeSet:
		r.workTree, r.noTree = configuredWorkTree(l.gitDir, f.workTree)
	case l.top == nil:
		r.noTree = ErrNoWorkTree
	default:
		r.workTree = l.top
	}
	if r.workTree == nil {
		return
	}
	if rest, ok := strings.CutPrefix(opened, strings.TrimSuffix(r.workTree.Path(), "/")+"/"); ok && rest != "" {
		r.prefix = rest + "/"
	}
}

func configuredWorkTree(gitDir *sandbox.Dir, name string) (*sandbox.Dir, error) {
	target := below(gitDir.Path(), name)
	dir, err := gitDir.Workspace().OpenDir(target)
	var outside *sandbox.OutsideError
	switch {
	case errors.As(err, &outside):
		return nil, &sandbox.OutsideError{What: "core.worktree", Path: target}
	case errors.Is(err, fs.ErrNotExist):
		return nil, &chdirError{name, "No such file or directory"}
	case errors.Is(err, sandbox.ErrNotDir):
		return nil, &chdirError{name, "Not a directory"}
	}
	return dir, err
}

type chdirError struct{ name, why string }

func (e *chdirError) Error() string        { return "cannot chdir to '" + e.name + "': " + e.why }
func (e *chdirError) Is(target error) bool { return target == fs.ErrNotExist }

// ErrConfigChanged says that a repository that is kept open was opened with
// another configuration than it has now: it must be opened again.
var ErrConfigChanged = errors.New("the configuration changed since the repository was opened")

// Revalidate brings a repository that is kept open up to date with its files:
// new packs and replacement refs are found. Refs and the index look after
// themselves at every use. Everything else hangs on the configuration, which
// others may be using: a changed one is ErrConfigChanged, and the repository
// is as it was.
func (r *Repository) Revalidate() error {
	if err := r.checkConfig(); err != nil {
		return err
	}
	if err := r.objects.Refresh(); err != nil {
		return err
	}
	return r.loadReplacements()
}

// checkConfig reads the configuration again when its files are not as they
// were. Files that only look different are remembered as they look now.
func (r *Repository) checkConfig() error {
	r.mu.Lock()
	touched := r.configTouched()
	r.mu.Unlock()
	if !touched {
		return nil
	}
	fresh := &Repository{options: r.options, layout: r.layout, refs: r.refs}
	if err := fresh.loadConfig(); err != nil {
		return err
	}
	if fresh.layout.format != r.layout.format || !slices.Equal(fresh.config.Entries(), r.config.Entries()) {
		return ErrConfigChanged
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = fresh.seen
	return nil
}

func (r *Repository) configTouched() bool {
	for _, e := range r.config.Entries() {
		if e.Section == "includeif" && strings.HasPrefix(e.Subsection, "onbranch:") {
			return true // it depends on HEAD as well
		}
	}
	for name, old := range r.seen {
		f, err := r.Workspace().OpenFile(name)
		if err != nil {
			if old != (sandbox.Stat{}) {
				return true
			}
			continue
		}
		now := f.Stat()
		f.Close()
		if now != old {
			return true
		}
	}
	return false
}

// partialClone reports whether objects may be missing on purpose
// (git-clone(1), --filter).
func (r *Repository) partialClone() bool {
	if _, ok := r.config.Get("extensions.partialclone"); ok {
		return true
	}
	for _, remote := range r.config.Subsections("remote") {
		if promisor, _ := r.config.Bool("remote."+remote+".promisor", false); promisor {
			return true
		}
	}
	return false
}
