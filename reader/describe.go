package reader

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/internal/wildmatch"
)

// DescribeOptions are those of git-describe(1). The zero value looks for
// annotated tags.
type DescribeOptions struct {
	Tags        bool // lightweight tags, too
	All         bool // all refs
	Long        bool // distance and id even at a tag
	Always      bool // an abbreviated id where no name is found
	Exact       bool // only a name of the commit itself
	FirstParent bool
	Candidates  int      // how many names to compare, at most 26; 0: 10
	Match       []string // only names that match one of these shell patterns
	Exclude     []string // no names that match one of these
	Abbrev      int      // digits of an id at least; 0: as configured, negative: no distance and id
}

// describeName is a ref by which a commit may be described.
type describeName struct {
	path      string // below refs/tags, or with All below refs
	tag       *object.Tag
	annotated bool
	isTag     bool
	target    plumbing.Hash // what the tag object names
	date      int64         // of the tagger
}

func (n *describeName) rank() int {
	switch {
	case n.annotated:
		return 2
	case n.isTag:
		return 1
	}
	return 0
}

// DescribeError says that no name describes a commit.
type DescribeError struct{ text string }

// Error is git's sentence.
func (e *DescribeError) Error() string { return e.text }

// Describe names a commit by the nearest tag from which it can be reached:
// "v1.0", or "v1.0-3-g1234567" three commits later. The error is a
// *DescribeError where there is no such name.
func (r *Repository) Describe(ctx context.Context, commit plumbing.Hash, opts DescribeOptions) (string, error) {
	names, err := r.describeNames(opts)
	if err != nil {
		return "", err
	}
	if len(names) == 0 && !opts.Always {
		return "", &DescribeError{"No names found, cannot describe anything."}
	}
	d := describer{repo: r, ctx: ctx, opts: opts, names: names, within: map[*node]uint32{}}
	if n := names[commit]; n != nil && d.usable(n) {
		text := n.shown(opts.All)
		if opts.Long || n.misnamed() {
			text += d.suffix(0, n.named(commit))
		}
		return text, nil
	}
	if opts.Exact {
		return "", &DescribeError{fmt.Sprintf("no tag exactly matches '%s'", commit)}
	}
	if d.graph, err = r.newGraph(); err != nil {
		return "", err
	}
	return d.describe(commit)
}

// describeNames lists the best name of each commit that has one.
func (r *Repository) describeNames(opts DescribeOptions) (map[plumbing.Hash]*describeName, error) {
	prefix := "refs/tags/"
	if opts.All {
		prefix = "refs/"
	}
	found, err := r.refs.List(prefix)
	if err != nil {
		return nil, err
	}
	names := make(map[plumbing.Hash]*describeName, len(found))
	for _, ref := range found {
		if ref.Broken || !describes(ref.Name, opts) {
			continue
		}
		name, id := r.describeName(ref, prefix)
		if known := names[id]; known == nil || known.rank() < name.rank() || known.annotated && name.annotated && known.date < name.date {
			names[id] = name
		}
	}
	return names, nil
}

// describes applies the patterns, which look at names below refs/tags, or
// below the folders of branches.
func describes(name string, opts DescribeOptions) bool {
	if len(opts.Match) == 0 && len(opts.Exclude) == 0 {
		return true
	}
	short := ""
	for _, folder := range []string{"refs/tags/", "refs/heads/", "refs/remotes/"} {
		if rest, ok := strings.CutPrefix(name, folder); ok {
			short = rest
		}
	}
	matches := func(pattern string) bool { return wildmatch.Match(pattern, short, 0) }
	return short != "" && !slices.ContainsFunc(opts.Exclude, matches) && (len(opts.Match) == 0 || slices.ContainsFunc(opts.Match, matches))
}

// describeName reads a ref and returns the object that it leads to.
func (r *Repository) describeName(ref refs.Ref, prefix string) (*describeName, plumbing.Hash) {
	n := &describeName{path: ref.Name[len(prefix):], isTag: strings.HasPrefix(ref.Name, "refs/tags/")}
	id := ref.ID
	for range maxTagDepth {
		kind, data, err := r.objects.Read(id)
		if err != nil || kind != plumbing.TagObject {
			break
		}
		tag, err := object.ParseTag(id, data)
		if err != nil {
			break
		}
		if !n.annotated {
			n.annotated, n.tag, n.target = true, &tag, tag.Target
			if ident, ok := object.SplitIdent(tag.Tagger); ok {
				n.date = ident.When()
			}
		}
		id = tag.Target
	}
	return n, id
}

// shown is the name that the tag object itself has, which may be another than
// the ref's.
func (n *describeName) shown(all bool) string {
	switch {
	case n.tag == nil:
		return n.path
	case all:
		return "tags/" + string(n.tag.Name)
	}
	return string(n.tag.Name)
}

func (n *describeName) misnamed() bool {
	return n.tag != nil && strings.TrimPrefix(n.path, "tags/") != string(n.tag.Name)
}

// named is the object whose id follows an exact name.
func (n *describeName) named(commit plumbing.Hash) plumbing.Hash {
	if n.tag != nil {
		return n.target
	}
	return commit
}

// describer is one search for a name.
type describer struct {
	repo       *Repository
	ctx        context.Context
	opts       DescribeOptions
	names      map[plumbing.Hash]*describeName
	graph      *graph
	queue      queue
	candidates []*candidate
	within     map[*node]uint32 // which candidates a commit is below; seen is bit 0
	unusable   bool             // a lightweight tag was met
}

// candidate is a name that was met on the way.
type candidate struct {
	name  *describeName
	depth int    // commits that it doesn't reach, so far
	bit   uint32 // in within
}

func (d *describer) usable(n *describeName) bool {
	return n.annotated || d.opts.Tags || d.opts.All
}

func (d *describer) suffix(depth int, id plumbing.Hash) string {
	if d.opts.Abbrev < 0 {
		return ""
	}
	return fmt.Sprintf("-%d-g%s", depth, d.repo.Abbrev(id, d.opts.Abbrev))
}

// describe walks back from a commit until enough names were met, and takes the
// one with the fewest commits in between (git-describe(1), "SEARCH STRATEGY").
func (d *describer) describe(commit plumbing.Hash) (string, error) {
	start := d.graph.node(commit)
	if err := d.graph.load(start); err != nil {
		return "", err
	}
	d.within[start] = 1
	d.queue.push(start)
	if err := d.meet(); err != nil {
		return "", err
	}
	if len(d.candidates) == 0 {
		return d.nameless(commit)
	}
	best := slices.MinFunc(d.candidates, func(x, y *candidate) int { return cmp.Compare(x.depth, y.depth) })
	if err := d.finish(best); err != nil {
		return "", err
	}
	return best.name.shown(d.opts.All) + d.suffix(best.depth, commit), nil
}

func (d *describer) nameless(commit plumbing.Hash) (string, error) {
	switch {
	case d.opts.Always:
		return d.repo.Abbrev(commit, d.opts.Abbrev), nil
	case d.unusable:
		return "", &DescribeError{fmt.Sprintf("No annotated tags can describe '%s'.\nHowever, there were unannotated tags: try --tags.", commit)}
	}
	return "", &DescribeError{fmt.Sprintf("No tags can describe '%s'.\nTry --always, or create some tags.", commit)}
}

// meet gathers candidates and counts their depth.
func (d *describer) meet() error {
	most := min(cmp.Or(d.opts.Candidates, 10), 26)
	for seen := 0; len(d.queue.items) > 0; seen++ {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		n := d.queue.pop()
		if name := d.names[n.id]; name != nil {
			switch {
			case !d.usable(name):
				d.unusable = true
			case len(d.candidates) == most:
				d.queue.push(n)
				return nil
			default:
				c := &candidate{name: name, depth: seen, bit: 2 << len(d.candidates)}
				d.candidates = append(d.candidates, c)
				d.within[n] |= c.bit
			}
		}
		for _, c := range d.candidates {
			if d.within[n]&c.bit == 0 {
				c.depth++
			}
		}
		if len(d.queue.items) == 0 && d.covered(n) {
			return nil
		}
		if err := d.expand(n, d.opts.FirstParent); err != nil {
			return err
		}
	}
	return nil
}

// covered says whether the only way on lies below the best candidates, one of
// the names met being an annotated tag.
func (d *describer) covered(n *node) bool {
	annotated, depth, bits := false, math.MaxInt, uint32(0)
	for _, c := range d.candidates {
		annotated = annotated || c.name.annotated
		if c.depth < depth {
			depth, bits = c.depth, 0
		}
		if c.depth == depth {
			bits |= c.bit
		}
	}
	return annotated && d.within[n]&bits == bits
}

func (d *describer) expand(n *node, firstParent bool) error {
	for _, p := range n.parents {
		if err := d.graph.load(p); err != nil {
			return childError(err, n.id)
		}
		if d.within[p] == 0 {
			d.queue.push(p)
		}
		d.within[p] |= d.within[n]
		if firstParent {
			break
		}
	}
	return nil
}

// finish counts the commits on the way that the best candidate doesn't reach.
func (d *describer) finish(best *candidate) error {
	for len(d.queue.items) > 0 {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		n := d.queue.pop()
		if d.within[n]&best.bit == 0 {
			best.depth++
		} else if !slices.ContainsFunc(d.queue.items, func(n *node) bool { return d.within[n]&best.bit == 0 }) {
			return nil
		}
		if err := d.expand(n, false); err != nil {
			return err
		}
	}
	return nil
}
