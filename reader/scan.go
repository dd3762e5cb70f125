package reader

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ingit-dev/ingit/internal/ignore"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/sandbox"
)

// scanOptions says what a walk of the work tree looks for.
type scanOptions struct {
	paths     *pathspec.Spec
	tracked   bool // compare the index entries
	untracked UntrackedMode
	ignored   IgnoredMode
	changes   ChangeOptions // how tracked entries are compared
	anyWill   bool          // stop at the first finding
	cached    bool          // believe the index's untracked cache where git status would
}

// scan is one walk of the work tree in step with the index: each folder is
// opened from its parent without following links, its tracked files are
// statted through that handle, and its listing is read only for what the index
// does not know.
type scan struct {
	repo    *Repository
	ctx     context.Context
	began   time.Time
	ix      *index.Index
	opts    scanOptions
	keep    bool // the contents of changed files, for the caller
	rules   statRules
	content *contents
	modules *submodules

	folders    *folders
	sparse     bool // skip-worktree entries that exist count as ordinary
	ignoreCase bool
	errands    *errands
	stop       *atomic.Bool // something was found, and anyWill do
	matcher    func() (*ignore.Matcher, error)
	sources    func() (ignoreSources, error)
}

// findings is what a goroutine of the walk collected.
type findings struct {
	changed   []fileChange
	touched   []Touched
	untracked []string
	ignored   []string
}

func (f *findings) add(other findings) {
	f.changed = append(f.changed, other.changed...)
	f.touched = append(f.touched, other.touched...)
	f.untracked = append(f.untracked, other.untracked...)
	f.ignored = append(f.ignored, other.ignored...)
}

// newScan prepares a walk over ix.
func (r *Repository) newScan(ctx context.Context, ix *index.Index, opts scanOptions) (*scan, error) {
	cfg := r.Config()
	rules, err := newStatRules(cfg, ix)
	if err != nil {
		return nil, err
	}
	s := &scan{repo: r, ctx: ctx, began: time.Now(), ix: ix, opts: opts, rules: rules, stop: new(atomic.Bool)}
	if c := opts.changes.Cleaner; c != nil && c.contents.ix == ix {
		s.content, s.keep = c.contents, true
	} else {
		s.content = newContents(ctx, r, ix)
	}
	s.modules = newSubmodules(ctx, r, ix, opts.changes)
	s.folders = r.foldersOf(ix)
	if s.sparse, err = presentFilesCount(cfg); err != nil {
		return nil, err
	}
	if s.ignoreCase, err = cfg.Bool("core.ignorecase", false); err != nil {
		return nil, err
	}
	s.errands = newErrands()
	s.sources = sync.OnceValues(r.ignoreSources)
	s.matcher = sync.OnceValues(func() (*ignore.Matcher, error) {
		sources, err := s.sources()
		return sources.matcher(s.ignoreCase), err
	})
	return s, nil
}

// run walks the whole work tree.
func (s *scan) run() (findings, error) {
	top, err := s.repo.WorkTree()
	if err != nil {
		return findings{}, err
	}
	root := &folder{scan: s, dir: top, first: 1}
	if root.node, root.stale, err = s.remembered(top); err != nil {
		return findings{}, err
	}
	defer s.errands.end()
	var found findings
	if err := root.walk(0, len(s.ix.Entries), &found); err != nil {
		return findings{}, err
	}
	var failed error
	found.changed = slices.DeleteFunc(found.changed, func(c fileChange) bool {
		e := &s.ix.Entries[c.at]
		if c.kind != Deleted || e.Mode != modeGitlink {
			return false
		}
		ignore, err := s.modules.ignore(e.Name)
		failed = errors.Join(failed, err)
		return ignore == IgnoreAll
	})
	if failed != nil {
		return findings{}, failed
	}
	slices.SortFunc(found.changed, func(x, y fileChange) int { return x.at - y.at })
	slices.Sort(found.untracked)
	found.untracked = slices.Compact(found.untracked) // an untracked cache may tell of one twice
	slices.Sort(found.ignored)
	return found, nil
}

// folder is an open directory of the work tree.
type folder struct {
	scan   *scan
	parent *folder
	dir    *sandbox.Dir
	path   string // "" or "a/b/"
	first  int    // the place after its own, of the first of its folders; 0 when the index has no file in it

	seen    sandbox.Stat // of the directory, before its files were looked at
	plain   bool         // its listing shows no ignore file
	once    sync.Once
	matcher *ignore.Matcher
	failed  error

	memory // of the untracked cache
}

// walk compares the entries [from, to), which are all below the folder, and
// then looks for files that the index does not know.
func (f *folder) walk(from, to int, found *findings) error {
	if err := f.scan.ctx.Err(); err != nil {
		return err
	}
	if err := f.recall(false); err != nil {
		return err
	}
	looks := f.scan.opts.untracked != UntrackedNo && !f.passed
	if looks && !f.believed {
		var err error
		if f.seen, err = f.dir.Stat(); err != nil {
			return err
		}
	}
	var left []*errand
	present, err := f.tracked(from, to, found, &left)
	for _, e := range left {
		e.fetch()
		found.add(e.found)
		err = errors.Join(err, e.err)
	}
	if err != nil {
		return err
	}
	if !looks || f.scan.enough(found) {
		return nil
	}
	if f.believed {
		_, err = f.repeat(treatNone, found)
	} else {
		err = f.unknown(from, to, present, found)
	}
	if err != nil {
		return err
	}
	f.scan.enough(found)
	return nil
}

// enough reports that the walk may end since any finding will do.
func (s *scan) enough(found *findings) bool {
	if !s.opts.anyWill {
		return false
	}
	if len(found.changed)+len(found.untracked) > 0 {
		s.stop.Store(true)
	}
	return s.stop.Load()
}

// tracked compares the entries and returns how many of the folder's children
// they account for.
func (f *folder) tracked(from, to int, found *findings, left *[]*errand) (present int, err error) {
	entries, child := f.scan.ix.Entries, f.first
	for i := from; i < to && err == nil && !f.scan.enough(found); {
		name := entries[i].Name[len(f.path):]
		there, next := false, i+1
		if slash := strings.IndexByte(name, '/'); slash >= 0 {
			place := child
			next, child = f.scan.folders.behind(place)
			there, err = f.enter(name[:slash], i, next, place, found, left)
		} else {
			for entries[i].Stage != 0 && next < to && entries[next].Name == entries[i].Name {
				next++
			}
			there, err = f.compare(name, i, next, found)
		}
		if there {
			present++
		}
		i = next
	}
	return present, err
}

// isModule reports that a directory is a submodule in some stage of a conflict
// with files below it: git looks for no untracked files there.
func (s *scan) isModule(dir string) bool {
	if !s.folders.modules {
		return false
	}
	for at, found := s.ix.FindAny(dir); found && at < len(s.ix.Entries) && s.ix.Entries[at].Name == dir; at++ {
		if s.ix.Entries[at].Mode == modeGitlink {
			return true
		}
	}
	return false
}

// endOfFolder returns the end of the run of entries from i on that share the
// first n bytes of their name.
func endOfFolder(entries []index.Entry, i, to, n int) int {
	prefix := entries[i].Name[:n]
	low, step := i, 1
	for low+step < to && strings.HasPrefix(entries[low+step].Name, prefix) {
		low += step
		step *= 2
	}
	high := min(low+step, to)
	for low+1 < high {
		middle := int(uint(low+high) / 2)
		if strings.HasPrefix(entries[middle].Name, prefix) {
			low = middle
		} else {
			high = middle
		}
	}
	return low + 1
}

// enter walks the child directory name with its entries [from, to) and its
// place, or leaves that to another goroutine when the folder is worth it. It
// reports whether the directory accounts for a name in the folder's listing.
func (f *folder) enter(name string, from, to, place int, found *findings, left *[]*errand) (bool, error) {
	s := f.scan
	path := f.path + name + "/"
	if !s.opts.paths.Empty() && !s.opts.paths.MatchesDir(f.path+name) {
		return false, nil
	}
	dir, err := f.dir.OpenDir(name)
	if err != nil {
		if unreadable(err) {
			return false, err
		}
		return false, s.missing(from, to, found)
	}
	child := &folder{scan: s, parent: f, dir: dir, path: path, first: place + 1, memory: f.below(name)}
	counts := !s.isModule(f.path + name) // else its own entry does
	child.passed = child.passed || !counts
	if to-from >= worthLeaving {
		if e := s.errands.leave(child, from, to); e != nil {
			*left = append(*left, e)
			return counts, nil
		}
	}
	defer dir.Close()
	return counts, child.walk(from, to, found)
}

// unreadable reports an error other than that the directory is not there or
// is something else by now.
func unreadable(err error) bool {
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, sandbox.ErrSymlink) && !errors.Is(err, sandbox.ErrNotDir)
}
