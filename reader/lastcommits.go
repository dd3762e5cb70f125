package reader

import (
	"context"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/sandbox"
)

// LastCommit is an entry of a tree and the commit that changed it last.
type LastCommit struct {
	Entry  Entry
	Commit plumbing.Hash
}

// LastCommits finds for each entry of a commit's tree the commit that git log -1
// shows for its path, all in one walk. The options are ListTree's; a Path should
// be empty or end in a slash. The entries come in the tree's order.
func (r *Repository) LastCommits(ctx context.Context, id plumbing.Hash, opts ListTreeOptions) ([]LastCommit, error) {
	g, err := r.newGraph()
	if err != nil {
		return nil, err
	}
	commit, err := r.peelTo(id, plumbing.CommitObject)
	if err != nil {
		return nil, err
	}
	l := lastFinder{ctx: ctx, repo: r, graph: g, waiting: map[*node][]int{}, max: r.Workspace().Policy().Limits.WithDefaults().Commits}
	if strings.HasSuffix(opts.Path, "/") {
		l.dir = strings.TrimSuffix(opts.Path, "/")
		l.ends = &signatures{reader: r.objects.NewReader(), paths: []plainPath{{names: strings.Split(l.dir, "/")}}, memo: map[memoKey]leaf{}}
	}
	var all []int
	for entry, err := range r.ListTree(ctx, commit, opts) {
		if err != nil {
			return nil, err
		}
		all = append(all, len(l.found))
		l.found = append(l.found, LastCommit{Entry: entry})
	}
	l.index(opts.Recursive)
	start := g.node(commit)
	if err := g.load(start); err != nil {
		return nil, err
	}
	l.wait(start, all)
	return l.found, l.run()
}

// lastFinder hands paths from commits to those parents that have the same there.
// A path that no parent has the same was changed last by the commit.
type lastFinder struct {
	ctx     context.Context
	repo    *Repository
	graph   *graph
	queue   queue
	waiting map[*node][]int // the paths that have come to a commit, by number
	found   []LastCommit
	dir     string         // where the paths lie
	ends    *signatures    // finds dir
	numbers map[string]int // of paths relative to dir
	flat    bool           // folders are not looked into
	keys    []commitgraph.Key
	dirKey  commitgraph.Key
	max     int
}

// index prepares the look-ups of paths.
func (l *lastFinder) index(recursive bool) {
	l.numbers, l.flat = make(map[string]int, len(l.found)), !recursive
	for i := range l.found {
		l.numbers[strings.TrimPrefix(strings.TrimPrefix(l.found[i].Entry.Path, l.dir), "/")] = i
	}
	if l.graph.table == nil || !l.graph.table.HasFilters() {
		return
	}
	l.dirKey = commitgraph.NewKey(l.dir)
	for i := range l.found {
		l.keys = append(l.keys, commitgraph.NewKey(l.found[i].Entry.Path))
	}
}

func (l *lastFinder) wait(n *node, paths []int) {
	if len(paths) == 0 {
		return
	}
	have, ok := l.waiting[n]
	if !ok {
		l.queue.push(n)
	}
	l.waiting[n] = append(have, paths...)
}

func (l *lastFinder) run() error {
	for len(l.queue.items) > 0 {
		if l.graph.len() > l.max {
			return &sandbox.LimitError{Limit: "Commits", Max: int64(l.max)}
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
		n := l.queue.pop()
		paths := l.waiting[n]
		delete(l.waiting, n)
		if err := l.settle(n, paths); err != nil {
			return err
		}
	}
	return nil
}

// settle passes paths on to the first parent that has the same, or notes the
// commit.
func (l *lastFinder) settle(n *node, paths []int) error {
	for i, p := range n.parents {
		if err := l.graph.load(p); err != nil {
			return childError(err, n.id)
		}
		if i == 0 && l.surelySame(n, paths) {
			l.wait(p, paths)
			return nil
		}
		changed, err := l.changed(n, p)
		if err != nil {
			return err
		}
		if len(changed) == 0 {
			l.wait(p, paths)
			return nil
		}
		var same, rest []int
		for _, path := range paths {
			if changed[path] {
				rest = append(rest, path)
			} else {
				same = append(same, path)
			}
		}
		l.wait(p, same)
		if paths = rest; len(paths) == 0 {
			return nil
		}
	}
	for _, path := range paths {
		l.found[path].Commit = n.id
	}
	return nil
}

// fewPaths is up to how many paths are asked for one by one.
const fewPaths = 32

// surelySame asks the commit-graph's filters about the first parent.
func (l *lastFinder) surelySame(n *node, paths []int) bool {
	if l.keys == nil || n.place == 0 {
		return false
	}
	table := l.graph.table
	if l.dir != "" && table.Changed(n.place-1, l.dirKey) == commitgraph.No {
		return true
	}
	if len(paths) > fewPaths {
		return false
	}
	for _, path := range paths {
		if table.Changed(n.place-1, l.keys[path]) != commitgraph.No {
			return false
		}
	}
	return true
}

// changed returns the paths that differ between a commit and a parent.
func (l *lastFinder) changed(n, parent *node) (map[int]bool, error) {
	now, err := l.side(n)
	if err != nil {
		return nil, err
	}
	before, err := l.side(parent)
	if err != nil || now == before {
		return nil, err
	}
	changed := map[int]bool{}
	w := treeWalk{ctx: l.ctx, repo: l.repo, flat: l.flat}
	w.emit = l.repo.withoutIgnored(l.ctx, ChangeOptions{}, func(c Change) error {
		if number, ok := l.numbers[c.New.Path]; ok {
			changed[number] = true
		}
		return nil
	})
	return changed, w.run(before, now)
}

// side is the folder in a commit; the zero id where there is none.
func (l *lastFinder) side(n *node) (plumbing.Hash, error) {
	if l.ends == nil {
		return n.tree, nil
	}
	end, err := l.ends.end(n.tree, 0, 0)
	if err != nil || end.mode != modeDir {
		return plumbing.ZeroHash, err
	}
	return end.id, nil
}
