package blame

import (
	"context"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// Options of File. The zero value does what git blame does without options.
type Options struct {
	// Lines limits the answer to ranges of lines, each in the syntax of
	// git-blame(1), option -L: "10,20", "10,", ",20", "10,+5", "10,-5", with
	// "/EXPRESSION/" for a line, and ":FUNCTION".
	Lines []string
	// Function returns, for a path, what tells the lines that begin a function;
	// nil, in both places, stands for git's default rule.
	Function func(path string) (func(line []byte) bool, error)
	// IgnoreWhitespace takes lines that differ in white space only as
	// unchanged (-w).
	IgnoreWhitespace bool
	// Exclude are commits behind which, as behind their ancestors, blame does
	// not look.
	Exclude []plumbing.Hash
	// Since makes commits with an older committer date boundaries, in seconds
	// since 1970; 0: none.
	Since int64
	// Copies looks for lines that were moved or copied. Where two places are as
	// good, and commits equally old, git's choice is not defined.
	Copies Copies
	// Reverse, if not nil, asks up to which commit lines lasted, instead of which
	// commit brought them: the file is that of the commit, and history goes on to
	// these commits (--reverse). Exclude and Since have no meaning then.
	Reverse []plumbing.Hash
	// Name is what errors call the revision; "": its id.
	Name string
}

// File finds out which commit each line of the file at path, relative to the
// top of the repository, comes from. The id is a commit; the zero id means the
// file in the work tree, its uncommitted changes included. A file that is not
// there is a *PathError, a range of lines that makes no sense a *RangeError;
// what a commit should have and the repository lacks is an *odb.NotFoundError.
func File(ctx context.Context, r *reader.Repository, id plumbing.Hash, path string, opts Options) (*Result, error) {
	b, err := newBlamer(ctx, r, opts)
	if err != nil {
		return nil, err
	}
	result := &Result{Path: path}
	var final *origin
	if id.IsZero() {
		final, err = b.workTreeFile(path, result)
	} else {
		final, err = b.committedFile(id, path)
	}
	if err != nil {
		return nil, err
	}
	if result.Content, err = b.content(final); err != nil {
		return nil, err
	}
	final.keep = true
	if b.copies != NoCopies {
		b.countLetters(result.Content)
	}
	if final.suspects, err = selected(result.Content, opts.Lines, path, opts.Function); err != nil {
		return nil, err
	}
	if opts.Reverse != nil {
		err = b.findChildren(final.commit, opts.Reverse)
	} else {
		err = b.exclude(final.commit)
	}
	if err != nil {
		return nil, err
	}
	if len(final.suspects) > 0 {
		b.history.queue.Push(final.commit)
	}
	if err := b.run(); err != nil {
		return nil, err
	}
	result.Groups = b.groups()
	return result, nil
}

// blamer is one run of File.
type blamer struct {
	ctx      context.Context
	repo     *reader.Repository
	history  *history
	files    map[string]*file
	diff     linediff.Options
	differ   linediff.Differ
	settings settings
	since    int64
	name     string
	excluded []plumbing.Hash
	inside   map[plumbing.Hash]bool // the commits that are not excluded; nil: all
	ignored  map[plumbing.Hash]bool
	settled  []settledEntry
	buffers  [][]byte // contents that are not needed any more
	spare    []*linediff.Lines
	copies   Copies
	final    linediff.Lines        // of the result, where copies are looked for
	letters  []int                 // how many letters and digits there are before each of its lines
	part     linediff.Lines        // scratch
	children map[*commit][]*commit // nil unless in reverse
}

// settledEntry is a run of lines whose origin is found.
type settledEntry struct {
	entry
	origin *origin
}

func newBlamer(ctx context.Context, r *reader.Repository, opts Options) (*blamer, error) {
	h, err := newHistory(r)
	if err != nil {
		return nil, err
	}
	b := &blamer{
		ctx: ctx, repo: r, history: h, files: map[string]*file{},
		since: opts.Since, name: opts.Name, excluded: opts.Exclude, copies: opts.Copies,
	}
	b.diff.ZeroContext = true
	b.diff.Stop = func() bool { return ctx.Err() != nil }
	if opts.IgnoreWhitespace {
		b.diff.Whitespace = linediff.IgnoreAll
	}
	if b.settings, err = readSettings(r); err != nil {
		return nil, err
	}
	b.diff.NoIndentHeuristic = !b.settings.indentHeuristic
	return b, b.readIgnored()
}

// exclude finds out which commits are left when the excluded ones and their
// ancestors are gone.
func (b *blamer) exclude(final *commit) error {
	if len(b.excluded) == 0 {
		return nil
	}
	tips := []plumbing.Hash{final.id}
	if final.id.IsZero() {
		tips = tips[:0]
		for _, p := range final.parents {
			tips = append(tips, p.id)
		}
	}
	b.inside = map[plumbing.Hash]bool{final.id: final.id.IsZero()}
	for c, err := range b.repo.Log(b.ctx, reader.LogOptions{Tips: tips, Exclude: b.excluded}) {
		if err != nil {
			return err
		}
		b.inside[c.ID] = true
	}
	return nil
}

// run finds the origins of all suspects, the newest commit's first.
func (b *blamer) run() error {
	for b.history.queue.Len() > 0 {
		c := b.history.queue.Pop()
		for o := c.suspect(); o != nil; o = c.suspect() {
			if err := b.settle(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle passes an origin's suspects to the parents of its commit. What is
// left comes from the commit itself.
func (b *blamer) settle(o *origin) error {
	if err := b.history.check(b.ctx); err != nil {
		return err
	}
	c := o.commit
	if b.children == nil && (b.inside != nil && !b.inside[c.id] || b.since != 0 && int64(c.date) < b.since) {
		c.boundary = true
	} else if err := b.pass(o); err != nil {
		return err
	}
	if len(c.parents) == 0 && !b.settings.showRoot {
		c.boundary = true
	}
	for _, e := range o.suspects {
		b.settled = append(b.settled, settledEntry{e, o})
	}
	o.suspects = nil
	b.release(o)
	return nil
}

// groups puts what was found in the order of the final lines, and joins
// neighbours.
func (b *blamer) groups() []Group {
	slices.SortFunc(b.settled, func(x, y settledEntry) int { return x.final - y.final })
	origins := map[*origin]*Origin{}
	var groups []Group
	for _, e := range b.settled {
		public := origins[e.origin]
		if public == nil {
			public = e.origin.public()
			if e.origin.previous != nil {
				public.Previous = e.origin.previous.public()
			}
			origins[e.origin] = public
		}
		if n := len(groups); n > 0 {
			last := &groups[n-1]
			if last.Origin == public && last.Source+last.Count == e.source+1 && last.Final+last.Count == e.final+1 &&
				last.Ignored == e.ignored && last.Unblamable == e.unblamable {
				last.Count += e.count
				continue
			}
		}
		groups = append(groups, Group{public, e.source + 1, e.final + 1, e.count, e.ignored, e.unblamable})
	}
	return groups
}
