package reader

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/sandbox"
)

// fileChange is a tracked path whose work tree file differs from its index
// entry. The kind is Unmerged for the first of an unmerged path's entries.
type fileChange struct {
	at      int // of the entry in the index
	kind    Kind
	mode    uint32 // of the file, 0 when it is gone
	id      plumbing.Hash
	idKnown bool
	content *[]byte // that was read to compare it, if kept
	module  SubmoduleState
}

// presentFilesCount reports whether files outside the sparse checkout that
// exist nevertheless are compared (git-sparse-checkout(1),
// sparse.expectFilesOutsideOfPatterns).
func presentFilesCount(cfg *gitconfig.Config) (bool, error) {
	sparse, err := cfg.Bool("core.sparsecheckout", false)
	if err != nil || !sparse {
		return false, err
	}
	expected, err := cfg.Bool("sparse.expectfilesoutsideofpatterns", false)
	return !expected, err
}

// missing reports the entries [from, to) of a directory that does not exist.
func (s *scan) missing(from, to int, found *findings) error {
	if !s.opts.tracked {
		return nil
	}
	for i := from; i < to; {
		e, next := &s.ix.Entries[i], i+1
		for e.Stage != 0 && next < to && s.ix.Entries[next].Name == e.Name {
			next++
		}
		if s.selected(e) {
			s.report(i, next, nil, false, plumbing.ZeroHash, found)
		}
		i = next
	}
	return nil
}

func (s *scan) selected(e *index.Entry) bool {
	return s.opts.paths.Empty() || s.opts.paths.Match(e.Name, e.Mode == modeGitlink)
}

// compare looks at the file of the entries [at, next), which are one path in
// one or several stages. It reports whether the folder's listing has the name
// because of it.
func (f *folder) compare(name string, at, next int, found *findings) (bool, error) {
	s := f.scan
	e := &s.ix.Entries[at]
	if name == "" { // a sparse directory, which run expands when it exists
		return false, nil
	}
	if !s.opts.tracked || !s.selected(e) || e.SkipWorktree && !s.sparse {
		return false, nil
	}
	st, err := f.dir.Lstat(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		s.report(at, next, nil, false, plumbing.ZeroHash, found)
		return false, nil
	}
	if e.Stage == 0 && e.Mode != modeGitlink && !e.IntentToAdd && s.rules.fits(e, &st) {
		return true, nil // as nearly all are
	}
	return !st.IsDir() || e.Mode == modeGitlink, f.compareFile(name, at, next, &st, found)
}

func (f *folder) compareFile(name string, at, next int, st *sandbox.Stat, found *findings) error {
	s := f.scan
	e := &s.ix.Entries[at]
	there, head := true, plumbing.ZeroHash
	if st.IsDir() && e.Mode != modeGitlink {
		head, there = s.modules.head(f.dir, name)
	} else if st.IsDir() && e.Stage != 0 {
		head, _ = s.modules.head(f.dir, name)
	}
	at, e = s.report(at, next, st, there, head, found)
	if e == nil {
		return nil
	}
	change := fileChange{at: at, kind: Modified, mode: s.rules.mode(e, st), id: head, idKnown: !head.IsZero()}
	changed, err := s.differs(f, name, e, st, &change)
	if err != nil || !changed {
		if err == nil && change.idKnown && e.Mode != modeGitlink {
			found.touched = append(found.touched, Touched{Path: e.Name, Stat: *st})
		}
		return err
	}
	if change.kind != Deleted && change.mode&modeTypeMask != e.Mode&modeTypeMask {
		change.kind = TypeChanged
	}
	found.changed = append(found.changed, change)
	return nil
}

// report records what stat data alone decides: that a file is gone, is only
// intended to be added, or is unmerged. st is nil when nothing has its name;
// there is false, too, for a directory in its place. It returns the entry that
// is left to be compared, nil when none is.
func (s *scan) report(at, next int, st *sandbox.Stat, there bool, head plumbing.Hash, found *findings) (int, *index.Entry) {
	e := &s.ix.Entries[at]
	if e.Stage != 0 {
		unmerged := fileChange{at: at, kind: Unmerged}
		if there {
			unmerged.mode, unmerged.id = s.rules.mode(e, st), head
		}
		found.changed = append(found.changed, unmerged)
		for at < next && s.ix.Entries[at].Stage != 2 {
			at++
		}
		if at == next {
			return at, nil
		}
		e = &s.ix.Entries[at]
	}
	switch {
	case e.AssumeValid || e.SkipWorktree && (!s.sparse || st == nil):
	case !there:
		found.changed = append(found.changed, fileChange{at: at, kind: Deleted})
	case e.IntentToAdd:
		found.changed = append(found.changed, fileChange{at: at, kind: Added, mode: s.rules.mode(e, st)})
	default:
		return at, e
	}
	return at, nil
}

// differs compares a file with its entry as git does: by stat data, and by
// content where that leaves doubt.
func (s *scan) differs(f *folder, name string, e *index.Entry, st *sandbox.Stat, change *fileChange) (bool, error) {
	if e.Mode == modeGitlink {
		return s.submoduleDiffers(f, name, e, st, change)
	}
	if s.rules.fits(e, st) {
		return false, nil
	}
	stat := s.rules.compare(e, st)
	certain := stat&(statMode|statType) != 0 || stat&statData != 0 && e.Size != 0
	if certain && s.opts.changes.KeepSameContent {
		return true, nil
	}
	if st.IsDir() {
		return true, nil
	}
	id, content, err := s.identity(f, name, e.Name, st)
	if err != nil {
		if !undecided(err) {
			return true, err
		}
		if _, err := f.dir.Lstat(name); errors.Is(err, fs.ErrNotExist) { // it went away meanwhile
			*change = fileChange{at: change.at, kind: Deleted}
		}
		return true, nil
	}
	change.id, change.idKnown, change.content = id, true, content
	return id != e.ID || change.mode != object.CanonMode(e.Mode), nil
}

// identity returns the id of a file's content, and the content if the caller
// is going to need it.
func (s *scan) identity(f *folder, name, path string, st *sandbox.Stat) (plumbing.Hash, *[]byte, error) {
	if s.keep {
		return s.content.identify(f.dir, name, path, st)
	}
	id, err := s.content.hash(f.dir, name, path, st)
	return id, nil, err
}

// undecided reports errors of reading a file that leave it counted as changed.
func undecided(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrChanged) || errors.Is(err, sandbox.ErrNotRegular)
}

// submoduleDiffers compares the commit that is checked out in a submodule, and
// its work tree if asked for.
func (s *scan) submoduleDiffers(f *folder, name string, e *index.Entry, st *sandbox.Stat, change *fileChange) (bool, error) {
	ignore, err := s.modules.ignore(e.Name)
	if err != nil || ignore == IgnoreAll {
		return false, err
	}
	if st.IsSymlink() && s.opts.changes.RefuseLinkedSubmodules && ignore != IgnoreDirty {
		return false, complaint(fmt.Sprintf("expected submodule path '%s' not to be a symbolic link", e.Name))
	}
	if !st.IsDir() {
		return true, nil
	}
	head, ok := s.modules.head(f.dir, name)
	if ok && head != e.ID {
		change.module.Commits, change.id, change.idKnown = true, head, true
	}
	if ignore != IgnoreDirty {
		dirty, err := s.modules.state(f.dir, name, ignore == IgnoreUntracked)
		if err != nil {
			return false, err
		}
		change.module.Modified, change.module.Untracked = dirty.Modified, dirty.Untracked
	}
	return change.module != SubmoduleState{}, nil
}
