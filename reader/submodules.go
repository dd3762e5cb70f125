package reader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

// submodules answers what a walk asks about repositories inside the work tree
// (gitsubmodules(7)).
type submodules struct {
	ctx  context.Context
	repo *Repository
	opts ChangeOptions
	ix   *index.Index

	ignores func() (map[string]SubmoduleIgnore, error) // by path
}

func newSubmodules(ctx context.Context, r *Repository, ix *index.Index, opts ChangeOptions) *submodules {
	m := &submodules{ctx: ctx, repo: r, opts: opts, ix: ix}
	m.ignores = sync.OnceValues(m.loadIgnores)
	return m
}

// isNested reports that an untracked directory is a repository of its own, so
// that git does not look inside.
func (m *submodules) isNested(dir *sandbox.Dir) (bool, error) {
	if _, err := dir.Lstat(".git"); err != nil {
		return false, nil
	}
	found, ok, err := dotGit(dir)
	if err != nil {
		var broken *GitFileError
		return !errors.As(err, &broken), nil
	}
	if !ok {
		return false, nil
	}
	defer found.close()
	return found.gitDir.Path() != m.repo.GitDir().Path(), nil
}

// head returns the commit that is checked out in the repository at name; false
// when there is none.
func (m *submodules) head(parent *sandbox.Dir, name string) (plumbing.Hash, bool) {
	dir, err := parent.OpenDir(name)
	if err != nil {
		return plumbing.ZeroHash, false
	}
	defer dir.Close()
	found, ok, err := dotGit(dir)
	if err != nil || !ok {
		return plumbing.ZeroHash, false
	}
	defer found.close()
	ref, err := refs.Open(found.gitDir, found.commonDir).Resolve("HEAD")
	return ref.ID, err == nil && !ref.ID.IsZero()
}

// state looks into a submodule's work tree as git status does there.
func (m *submodules) state(parent *sandbox.Dir, name string, ignoreUntracked bool) (SubmoduleState, error) {
	dir, err := parent.OpenDir(name)
	if err != nil {
		return SubmoduleState{}, unlessUnreadable(err)
	}
	defer dir.Close()
	found, ok, err := dotGit(dir)
	if broken := (*GitFileError)(nil); errors.As(err, &broken) {
		return SubmoduleState{}, m.fromTop(broken)
	}
	if err != nil {
		return SubmoduleState{}, err
	}
	if !ok {
		if stat, err := dir.Lstat(".git"); err == nil && stat.IsDir() {
			return SubmoduleState{}, fmt.Errorf("'%s/.git' not recognized as a git repository", name)
		}
		return SubmoduleState{}, nil // not checked out
	}
	found.close()
	sub, err := Open(m.ctx, dir, m.repo.Options())
	if err != nil {
		return SubmoduleState{}, err
	}
	defer sub.Close()
	opts := StatusOptions{NoBranch: true}
	if ignoreUntracked {
		opts.Untracked = UntrackedNo
	}
	status, err := sub.Status(m.ctx, opts)
	if err != nil {
		return SubmoduleState{}, err
	}
	return summaryOf(status), nil
}

// fromTop names the file of a broken submodule as git does, from the top of the
// work tree.
func (m *submodules) fromTop(err *GitFileError) error {
	top, topErr := m.repo.WorkTree()
	if topErr != nil {
		return err
	}
	return &GitFileError{strings.Replace(err.text, strings.TrimSuffix(top.Path(), "/")+"/", "", 1)}
}

// summaryOf reduces the status of a submodule to the letters that its parent
// shows: a submodule inside of which only untracked files differ counts as
// untracked, too.
func summaryOf(status *Status) SubmoduleState {
	state := SubmoduleState{Untracked: len(status.Untracked) > 0}
	for i := range status.Entries {
		e := &status.Entries[i]
		onlyUntracked := e.IsSubmodule() && e.Submodule == SubmoduleState{Untracked: true}
		state.Untracked = state.Untracked || e.IsSubmodule() && e.Submodule.Untracked
		state.Modified = state.Modified || e.Conflict != 0 || e.OldPath != "" || !onlyUntracked
	}
	return state
}

// CheckGitmodules returns what is wrong with .gitmodules, which git reads where it compares a submodule with its work tree.
func (r *Repository) CheckGitmodules(ctx context.Context, ix *index.Index) error {
	_, err := newSubmodules(ctx, r, ix, ChangeOptions{}).ignores()
	return err
}

// ignore returns what to ignore in the submodule at path.
func (m *submodules) ignore(path string) (SubmoduleIgnore, error) {
	if m.opts.IgnoreSubmodules != "" {
		return m.opts.IgnoreSubmodules, nil
	}
	ignores, err := m.ignores()
	if err != nil {
		return "", err
	}
	if value, ok := ignores[path]; ok {
		return value, nil
	}
	if value, ok := m.repo.Config().Get("diff.ignoresubmodules"); ok {
		ignore, err := parseIgnore(value)
		if ignore == IgnoreNone && m.opts.submoduleDefault != "" {
			ignore = m.opts.submoduleDefault // of git status -uno
		}
		return ignore, err
	}
	if m.opts.submoduleDefault != "" {
		return m.opts.submoduleDefault, nil
	}
	return IgnoreUntracked, nil
}

func parseIgnore(value string) (SubmoduleIgnore, error) {
	switch ignore := SubmoduleIgnore(value); ignore {
	case IgnoreNone, IgnoreUntracked, IgnoreDirty, IgnoreAll:
		return ignore, nil
	}
	return "", fmt.Errorf("bad --ignore-submodules argument: %s", value)
}

// loadIgnores reads submodule.NAME.ignore from the configuration and from
// .gitmodules, which gives the paths (gitmodules(5)).
func (m *submodules) loadIgnores() (map[string]SubmoduleIgnore, error) {
	modules, err := m.repo.gitmodules(m.ix)
	if err != nil {
		return nil, err
	}
	ignores := make(map[string]SubmoduleIgnore)
	for _, name := range modules.Subsections("submodule") {
		path, ok := modules.Get("submodule." + name + ".path")
		if !ok {
			continue
		}
		value, ok := m.repo.Config().Get("submodule." + name + ".ignore")
		if !ok {
			value, ok = modules.Get("submodule." + name + ".ignore")
			if _, err := parseIgnore(value); err != nil {
				continue // git warns and goes on
			}
		}
		if ok {
			if ignores[path], err = parseIgnore(value); err != nil {
				return nil, err
			}
		}
	}
	return ignores, nil
}

// gitmodules reads .gitmodules from the work tree, or from the index where the
// work tree has none; while it is unmerged it is empty.
func (r *Repository) gitmodules(ix *index.Index) (*gitconfig.Config, error) {
	const name = ".gitmodules"
	at, staged := ix.Find(name, 0)
	if !staged && at < len(ix.Entries) && ix.Entries[at].Name == name {
		return gitconfig.New(), nil
	}
	top, err := r.WorkTree()
	if err != nil {
		return nil, err
	}
	data, err := top.ReadFile(name, maxRuleFile)
	inIndex := errors.Is(err, fs.ErrNotExist) && staged
	if inIndex {
		_, data, err = r.Objects().Read(ix.Entries[at].ID)
	}
	if err != nil {
		return gitconfig.New(), unlessUnreadable(ignoreIrregular(err))
	}
	entries, err := gitconfig.Parse(data, top.Path()+"/"+name)
	if err != nil && !inIndex { // a damaged blob git passes over
		return nil, err
	}
	return gitconfig.New(entries), nil
}
