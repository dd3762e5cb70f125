package reader

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// memory is what the index's untracked cache knows of a folder
// (git-update-index(1), "Untracked cache"). Where git believes it, it is
// believed here, even where it is wrong by now: git would answer the same.
type memory struct {
	node  *index.UntrackedDir // nil when nothing is known
	stale bool                // an ignore file of the folder or above it has changed since
	// believed is set by recall: the names that were untracked still are.
	believed bool
	// passed is set where git does not look for untracked files at all: its
	// cache knows of none below, or it is a submodule.
	passed bool
}

// remembered returns what the untracked cache knows of the top directory, nil
// when git status would not use it for this walk.
func (s *scan) remembered(top *sandbox.Dir) (*index.UntrackedDir, bool, error) {
	if !s.opts.cached || len(s.ix.Untracked) == 0 || s.opts.untracked == UntrackedNo || s.opts.ignored != "" && s.opts.ignored != IgnoredNo ||
		!s.opts.paths.Empty() {
		return nil, false, nil
	}
	if kept, err := s.repo.Config().Bool("core.untrackedcache", true); err == nil && !kept {
		return nil, false, nil
	}
	flags := uint32(0)
	if s.wholeDirs() {
		flags = index.UntrackedAsDirs
	}
	cache := s.ix.UntrackedCache()
	if cache == nil || cache.Flags != flags || cache.ExcludePerDir != ".gitignore" || cache.Ident != untrackedIdent(top) {
		return nil, false, nil
	}
	sources, err := s.sources()
	stale := sourceID(sources.info) != cache.InfoExclude || sourceID(sources.user) != cache.ExcludesFile
	return cache.Root, stale, err
}

// untrackedIdent names the work tree and the system that an untracked cache is
// for; it equals no cache's where git's name of the system is not known.
func untrackedIdent(top *sandbox.Dir) string {
	system := map[string]string{"linux": "Linux", "darwin": "Darwin", "windows": "Windows", "freebsd": "FreeBSD"}[runtime.GOOS]
	return fmt.Sprintf("Location %s, system %s", top.Path(), system)
}

// sourceID is the id of an ignore file outside the work tree.
func sourceID(source *attributes.Source) plumbing.Hash {
	if source == nil {
		return plumbing.ZeroHash
	}
	return ignoreID(source.Data)
}

// ignoreID is the id by which the untracked cache knows the content of an
// ignore file: git hashes it with the line end that it has added.
func ignoreID(data []byte) plumbing.Hash {
	if len(data) == 0 {
		return plumbing.NewHash(emptyBlob)
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data)+1)
	h.Write(data)
	h.Write([]byte{'\n'})
	var id plumbing.Hash
	h.Sum(id[:0])
	return id
}

// below returns what is known of a child directory, once recall has decided on
// the folder itself.
func (f *folder) below(name string) memory {
	if f.node == nil {
		return memory{passed: f.passed}
	}
	listed := f.node.Lists(name)
	return memory{node: f.node.Child(name), stale: f.stale, passed: f.passed || f.believed && (listed == nil || listed.CheckOnly)}
}

// recall decides whether what is known of the folder is believed. checkOnly
// says that it is only asked whether anything is untracked.
func (f *folder) recall(checkOnly bool) error {
	if f.node == nil || f.stale || f.passed {
		return nil
	}
	unchanged := false
	if f.node.Valid && f.node.CheckOnly == checkOnly {
		st, err := f.dir.Stat()
		unchanged = err == nil && f.scan.rules.sameDir(f.node, &st)
	}
	if unchanged && f.node.ExcludeID.IsZero() {
		f.believed = true
		return nil
	}
	if !unchanged && len(f.node.Dirs) == 0 {
		return nil
	}
	id, err := f.ignoreFileID()
	f.stale = id != f.node.ExcludeID
	f.believed = unchanged && !f.stale
	return err
}

// ignoreFileID returns the id by which git would know the folder's ignore file
// now, zero when there is none.
func (f *folder) ignoreFileID() (plumbing.Hash, error) {
	const name = ".gitignore"
	at, tracked := f.scan.ix.Find(f.path+name, 0)
	var e *index.Entry
	if tracked {
		e = &f.scan.ix.Entries[at]
	}
	data, err := f.dir.ReadFile(name, maxRuleFile)
	if err != nil {
		if tracked && e.SkipWorktree {
			return e.ID, nil
		}
		return plumbing.ZeroHash, unlessUnreadable(ignoreIrregular(err))
	}
	if len(data) > 0 && tracked && f.upToDate(name, e) {
		return e.ID, nil
	}
	return ignoreID(data), nil
}

// upToDate reports that git status takes a tracked file of the folder for
// unchanged, and would store it as it is.
func (f *folder) upToDate(name string, e *index.Entry) bool {
	s := f.scan
	if rules, err := s.content.rules(e.Name); err != nil || !rules.Identity() {
		return false
	}
	if e.AssumeValid || e.SkipWorktree && !s.sparse {
		return true
	}
	st, err := f.dir.Lstat(name)
	if err != nil || e.IntentToAdd {
		return false
	}
	changed, err := s.differs(f, name, e, &st, &fileChange{mode: s.rules.mode(e, &st)})
	return err == nil && !changed
}

// repeat lists what was untracked in the folder when git looked, and looks
// into the directories that it looked into. It returns the strongest
// treatment, as list does.
func (f *folder) repeat(until treatment, found *findings) (treatment, error) {
	s, strongest := f.scan, treatNone
	for i := range f.node.Dirs {
		d := &f.node.Dirs[i]
		if !d.CheckOnly && s.ix.HasDir(f.path+d.Name) {
			continue // its tracked files lead there
		}
		state, err := f.repeatDir(d, until, found)
		if err != nil {
			return treatNone, err
		}
		if strongest = max(strongest, state); until != treatNone && strongest >= until {
			return strongest, nil
		}
	}
	for _, name := range f.node.Names {
		strongest = treatUntracked
		if until != treatNone {
			break
		}
		s.record(f.path+strings.TrimSuffix(name, "/"), strings.HasSuffix(name, "/"), treatUntracked, false, found)
	}
	return strongest, nil
}

// repeatDir looks into a directory without tracked files.
func (f *folder) repeatDir(d *index.UntrackedDir, until treatment, found *findings) (treatment, error) {
	dir, err := f.dir.OpenDir(d.Name)
	if odd := (*sandbox.NameError)(nil); errors.As(err, &odd) {
		return treatNone, nil
	}
	if err != nil {
		return treatNone, unlessUnreadable(err)
	}
	defer dir.Close()
	child := &folder{scan: f.scan, parent: f, dir: dir, path: f.path + d.Name + "/", memory: memory{node: d, stale: f.stale}}
	if !d.CheckOnly {
		child.node = f.node.Child(d.Name)
		state, err := child.list(until, found)
		return max(state, treatRecurse), err
	}
	state, err := child.list(treatUntracked, found)
	if err == nil && until == treatNone {
		f.scan.record(f.path+d.Name, true, state, false, found)
	}
	return state, err
}
