package reader

import (
	"context"
	"fmt"
	"iter"
	"runtime"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/grep"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/sandbox"
)

// GrepOptions say what Grep looks for and what it yields (git-grep(1)).
type GrepOptions struct {
	Patterns         []string // any of them matches; each line of a pattern is one of its own
	Type             PatternType
	IgnoreCase, Word bool
	Paths            *pathspec.Spec // nil: all

	Before, After int  // lines of context
	FunctionNames bool // also the line that begins the function of a hit
	Functions     bool // also the rest of a hit's function
	MaxCount      int  // hits of a file; 0: all
	NamesOnly     bool // yield no lines
	CountOnly     bool // yield the number of hits instead of lines

	// NoAttributes leaves the attributes of paths alone, as git does in trees
	// that no commit led to.
	NoAttributes bool

	// Function returns, for a path, what tells the lines that begin a function;
	// "" is a file without a path of its own. It is called from several
	// goroutines at once, and only where function lines are asked for.
	Function func(path string) (func(line []byte) bool, error)
}

// GrepLine is a hit, or a line of its context.
type GrepLine = grep.Line

// GrepFile is a file with hits.
type GrepFile struct {
	Path   string
	Binary bool       // its lines are not to be shown
	Count  int        // with CountOnly: how many hits
	Lines  []GrepLine // the hits with their context; empty when Binary
}

// Grep yields the files of a side, sorted as the side is, that have lines which
// match. Files of the work tree are the tracked ones, as they are, without
// conversion. Paths and content of a side are searched on all cores. The error
// is a *grep.PatternError, or what the side's files gave.
func (r *Repository) Grep(ctx context.Context, side Side, opts GrepOptions) iter.Seq2[GrepFile, error] {
	return func(yield func(GrepFile, error) bool) {
		s, err := r.newGrepSearch(ctx, side, opts)
		if err == nil {
			err = s.run(yield)
		}
		if err != nil && err != errStop {
			yield(GrepFile{}, err)
		}
	}
}

// GrepBlob searches one blob, whose path decides about its attributes. It
// reports false when there is no hit.
func (r *Repository) GrepBlob(ctx context.Context, id plumbing.Hash, path string, opts GrepOptions) (GrepFile, bool, error) {
	s, err := r.newGrepSearch(ctx, Empty, opts)
	if err != nil {
		return GrepFile{}, false, err
	}
	return s.newWorker().search(grepItem{path: path, id: id})
}

// grepSearch is one run of Grep.
type grepSearch struct {
	ctx     context.Context
	repo    *Repository
	side    Side
	opts    GrepOptions
	matcher *grep.Matcher
	drivers *binaryDrivers
	top     *sandbox.Dir // of the work tree's side
	ix      *index.Index // of the index' and the work tree's side
	limit   int64        // of bytes of a file
}

func (r *Repository) newGrepSearch(ctx context.Context, side Side, opts GrepOptions) (s *grepSearch, err error) {
	s = &grepSearch{ctx: ctx, repo: r, side: side, opts: opts, limit: r.Workspace().Policy().Limits.WithDefaults().ObjectBytes}
	kind, err := r.patternType(opts.Type)
	if err != nil {
		return nil, err
	}
	column, err := r.Config().Bool("grep.column", false)
	if err != nil {
		return nil, err
	}
	if s.matcher, err = grep.New(grep.Options{
		Patterns: opts.Patterns, Fixed: kind == PatternFixed, Extended: kind == PatternExtended,
		IgnoreCase: opts.IgnoreCase, Word: opts.Word, Column: column,
		Before: opts.Before, After: opts.After, MaxCount: opts.MaxCount,
		FunctionNames: opts.FunctionNames, Functions: opts.Functions,
	}); err != nil {
		return nil, err
	}
	if s.drivers, err = r.newBinaryDrivers(opts.NoAttributes, side == WorkTreeSide || side == IndexSide); err != nil {
		return nil, err
	}
	if side == WorkTreeSide {
		if s.top, err = r.WorkTree(); err != nil {
			return nil, err
		}
	}
	if side == WorkTreeSide || side == IndexSide {
		s.ix, err = r.FullIndex(ctx)
	}
	return s, err
}

// grepItem is a file to search.
type grepItem struct {
	path string
	id   plumbing.Hash // of the blob; zero for the file of the work tree
}

// grepBatch is how many files a core searches before it asks for more.
const grepBatch = 64

// grepJob is a batch on its way: its files, and after done what was found.
type grepJob struct {
	items []grepItem
	found []GrepFile
	err   error
	done  chan struct{}
}

// run searches on all cores and yields in order.
func (s *grepSearch) run(yield func(GrepFile, error) bool) error {
	outer := s.ctx
	var cancel context.CancelFunc
	s.ctx, cancel = context.WithCancel(outer)
	s.ctx = sandbox.WithClock(s.ctx)
	workers := runtime.GOMAXPROCS(0)
	jobs, order := make(chan *grepJob), make(chan *grepJob, 4*workers)
	finished := make(chan struct{})
	defer func() { // nobody works on when this returns
		cancel()
		for range order {
		}
		for range workers {
			<-finished
		}
	}()
	for range workers {
		go func() {
			defer func() { finished <- struct{}{} }()
			s.work(jobs)
		}()
	}
	var listing error
	go func() {
		defer close(order)
		defer close(jobs)
		listing = s.list(&grepFeeder{search: s, jobs: jobs, order: order})
	}()
	for job := range order {
		<-job.done
		for _, file := range job.found {
			if !yield(file, nil) {
				return errStop
			}
		}
		if job.err != nil {
			return job.err
		}
	}
	if err := outer.Err(); err != nil {
		return err
	}
	return listing
}

func (s *grepSearch) work(jobs <-chan *grepJob) {
	w := s.newWorker()
	defer w.close()
	for job := range jobs {
		for _, item := range job.items {
			file, hit, err := w.search(item)
			if err != nil {
				job.err = err
				break
			}
			if hit {
				job.found = append(job.found, file)
			}
		}
		close(job.done)
	}
}

// grepFeeder hands batches of files to the workers.
type grepFeeder struct {
	search      *grepSearch
	items       []grepItem
	jobs, order chan<- *grepJob
}

func (f *grepFeeder) add(item grepItem) error {
	f.items = append(f.items, item)
	if len(f.items) < grepBatch {
		return nil
	}
	return f.flush()
}

func (f *grepFeeder) flush() error {
	job := &grepJob{items: f.items, done: make(chan struct{})}
	f.items = nil
	select {
	case f.jobs <- job:
		f.order <- job
		return nil
	case <-f.search.ctx.Done():
		return f.search.ctx.Err()
	}
}

// list finds the files to search.
func (s *grepSearch) list(f *grepFeeder) (err error) {
	switch side := s.side.(type) {
	case Tree:
		l := grepTreeLister{s, f, s.repo.Objects().NewReader(), s.repo.Workspace().Policy().Limits.WithDefaults().TreeDepth}
		err = l.list(plumbing.Hash(side), "")
	case fixedSide:
		if s.ix != nil {
			err = s.listIndex(f)
		}
	}
	if err != nil {
		return err
	}
	return f.flush()
}

// listIndex takes entries of the index: for the work tree those that are to be
// looked at there, the first one of each path in conflict.
func (s *grepSearch) listIndex(f *grepFeeder) error {
	cached, last := s.side == IndexSide, ""
	for i := range s.ix.Entries {
		e := &s.ix.Entries[i]
		if e.Mode&modeTypeMask != modeFile&modeTypeMask || !cached && e.SkipWorktree || e.Stage > 0 && e.Name == last || !s.opts.Paths.Match(e.Name, false) {
			continue
		}
		item := grepItem{path: e.Name}
		if cached || e.AssumeValid {
			if e.Stage > 0 || e.IntentToAdd {
				continue
			}
			item.id = e.ID
		}
		last = e.Name
		if err := f.add(item); err != nil {
			return err
		}
	}
	return nil
}

// grepTreeLister walks a tree for its files.
type grepTreeLister struct {
	search  *grepSearch
	feeder  *grepFeeder
	objects interface {
		Read(plumbing.Hash) (plumbing.ObjectType, []byte, error)
	}
	depth int // trees that may still lie inside each other
}

func (l *grepTreeLister) list(id plumbing.Hash, prefix string) error {
	if l.depth--; l.depth < 0 {
		return &sandbox.LimitError{Limit: "TreeDepth", Max: int64(l.search.repo.Workspace().Policy().Limits.WithDefaults().TreeDepth)}
	}
	defer func() { l.depth++ }()
	if err := l.search.ctx.Err(); err != nil {
		return err
	}
	_, data, err := l.objects.Read(id)
	if err != nil {
		return fmt.Errorf("unable to read tree (%s): %w", id, err)
	}
	data = append([]byte(nil), data...)
	paths := l.search.opts.Paths
	for entries := object.NewTreeIter(data); ; {
		e, ok, err := entries.Next()
		if !ok || err != nil {
			return err
		}
		path := prefix + string(e.Name)
		switch {
		case e.IsTree():
			if paths.MatchesDir(path) {
				err = l.list(e.ID, path+"/")
			}
		case e.Mode&modeTypeMask == modeFile&modeTypeMask:
			if paths.Match(path, false) {
				err = l.feeder.add(grepItem{path, e.ID})
			}
		}
		if err != nil {
			return err
		}
	}
}
