package reader_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// writeTree writes the trees of a flat map of files, path to content; a
// content that starts with "x" makes the file executable.
func writeTree(t testing.TB, dir string, files map[string]string) plumbing.Hash {
	type entry struct {
		mode string
		id   plumbing.Hash
	}
	entries := map[string]entry{}
	below := map[string]map[string]string{}
	for path, content := range files {
		if first, rest, ok := strings.Cut(path, "/"); ok {
			if below[first] == nil {
				below[first] = map[string]string{}
			}
			below[first][rest] = content
			continue
		}
		mode := "100644"
		if strings.HasPrefix(content, "x") {
			mode = "100755"
		}
		entries[path] = entry{mode, writeObject(t, dir, "blob", []byte(content))}
	}
	for name, sub := range below {
		entries[name+"/"] = entry{"40000", writeTree(t, dir, sub)}
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		e := entries[name]
		fmt.Fprintf(&b, "%s %s\x00", e.mode, strings.TrimSuffix(name, "/"))
		b.Write(e.id[:])
	}
	return writeObject(t, dir, "tree", b.Bytes())
}

var filePaths = []string{"a", "b", "d/a", "d/b", "d/e/a", "d/e/f/g", "dx/a", "d.txt", "top.c", "lib.c"}

// randomTrees writes n commits that change a few files each; merges take each
// file from one of their parents.
func randomTrees(t testing.TB, dir string, r *rand.Rand, n int) []plumbing.Hash {
	var ids []plumbing.Hash
	var states []map[string]string
	for i := range n {
		var parents []int
		for range min(i, []int{1, 1, 1, 1, 2, 2, 3}[r.IntN(7)]) {
			parents = append(parents, max(0, i-1-r.IntN(5)))
		}
		state := map[string]string{}
		if len(parents) > 0 {
			state = maps.Clone(states[parents[0]])
			for _, path := range filePaths {
				from := states[parents[r.IntN(len(parents))]]
				if content, ok := from[path]; ok {
					state[path] = content
				} else {
					delete(state, path)
				}
			}
		}
		for range r.IntN(3) {
			path := filePaths[r.IntN(len(filePaths))]
			switch r.IntN(4) {
			case 0:
				delete(state, path)
			case 1:
				if len(state) > 0 { // a copy or rename
					from := slices.Sorted(maps.Keys(state))[r.IntN(len(state))]
					state[path] = state[from]
					if r.IntN(2) == 0 && from != path {
						delete(state, from)
					}
				}
			default:
				state[path] = []string{"", "", "x"}[r.IntN(3)] + strings.Repeat(fmt.Sprintf("line %d\n", r.IntN(4)), 1+r.IntN(3)) + fmt.Sprintf("word%d\n", r.IntN(5))
			}
		}
		date := 1600000000 + i*10 - r.IntN(3)*r.IntN(60)
		var b bytes.Buffer
		fmt.Fprintf(&b, "tree %s\n", writeTree(t, dir, state))
		for _, p := range parents {
			fmt.Fprintf(&b, "parent %s\n", ids[p])
		}
		who := []string{"Ann <ann@x>", "Bob B. <bob@y>", "ann <ANN@z>"}
		fmt.Fprintf(&b, "author %s %d +0000\ncommitter %s %d +0000\n\nsubject %d\n\nBody of kind%d (x+y)\n", who[r.IntN(3)], date-r.IntN(200), who[r.IntN(3)], date, i, r.IntN(4))
		ids, states = append(ids, writeObject(t, dir, "commit", b.Bytes())), append(states, state)
	}
	return ids
}

// randomGraph writes a commit-graph of the history that ids end: one file or a
// chain, perhaps of a part only, with changed paths or without; or none.
func randomGraph(t testing.TB, dir string, r *rand.Rand, ids []plumbing.Hash) {
	filters := func() string { return []string{"--changed-paths", "--no-changed-paths"}[r.IntN(2)] }
	at := func(n int) { write(t, dir, ".git/refs/heads/main", ids[n].String()+"\n") }
	defer at(len(ids) - 1)
	if r.IntN(4) == 0 {
		fixtures.Git(t, dir, "config", "commitGraph.generationVersion", "1")
	}
	switch r.IntN(4) {
	case 0:
	case 1:
		fixtures.Git(t, dir, "commit-graph", "write", "--reachable", filters())
	case 2:
		at(len(ids) * 2 / 3)
		fixtures.Git(t, dir, "commit-graph", "write", "--reachable", filters())
	default:
		for i := 1; i <= 3; i++ {
			at(len(ids)*i/3 - 1)
			fixtures.Git(t, dir, "commit-graph", "write", "--reachable", "--split=no-merge", filters())
		}
	}
}

func TestPathLogEqualsGit(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	specs := [][]string{{"a"}, {"d"}, {"d/"}, {"d/e"}, {"d/e/a"}, {"a", "b"}, {"*.c"}, {"d/*"}, {":(exclude)d"}, {":(icase)D/A"}, {"none"}, {"."}, {":(glob)**/a"}, {"a/"}, {"d/e", "dx"}, {":!a", "d"}, {"d.txt"}, {"?"}}
	for round := range uint64(14) {
		r := rand.New(rand.NewPCG(seed, round))
		dir := fixtures.Init(t)
		ids := randomTrees(t, dir, r, 10+r.IntN(50))
		write(t, dir, ".git/refs/heads/main", ids[len(ids)-1].String()+"\n")
		randomGraph(t, dir, r, ids)
		if r.IntN(3) == 0 {
			write(t, dir, ".mailmap", "Anna <anna@x> <ann@x>\nRobert <bob@y>\nNobody <n@n> ann <ann@z>\n")
		}
		repo := mustOpen(t, dir)
		for range 14 {
			var opts reader.LogOptions
			var args, paths []string
			pick := func(n int) bool { return r.IntN(n) == 0 }
			if pick(3) {
				opts.Limit = 1 + r.IntN(6)
				args = append(args, fmt.Sprint("-", opts.Limit))
			}
			if pick(5) {
				opts.FirstParent = true
				args = append(args, "--first-parent")
			}
			if pick(4) {
				opts.Order = reader.Order(1 + r.IntN(3))
				if opts.FirstParent && opts.Order == reader.OrderAuthorDate {
					opts.Order = reader.OrderTopo // see COMPATIBILITY.md
				}
				args = append(args, []string{"", "--date-order", "--topo-order", "--author-date-order"}[opts.Order])
			}
			if pick(6) {
				opts.Reverse = true
				args = append(args, "--reverse")
			}
			if pick(6) {
				opts.Merges = reader.Merges(1 + r.IntN(2))
				args = append(args, []string{"", "--merges", "--no-merges"}[opts.Merges])
			}
			if pick(5) {
				opts.Since = int64(1600000000 + r.IntN(len(ids)*10))
				args = append(args, fmt.Sprint("--since=@", opts.Since, " +0000"))
			}
			if pick(5) {
				opts.Until = int64(1600000000 + r.IntN(len(ids)*10))
				args = append(args, fmt.Sprint("--until=@", opts.Until, " +0000"))
			}
			if pick(4) {
				opts.Match.Author = []string{[]string{"ann", "Bob", "^A", "x>$", "Robert", "anna@x", "B\\."}[r.IntN(7)]}
				args = append(args, "--author="+opts.Match.Author[0])
			}
			if pick(6) {
				opts.Match.Committer = []string{"nn <"}
				args = append(args, "--committer=nn <")
			}
			if pick(5) {
				opts.Match.Grep = []string{[]string{"kind[12]", "^subject .*3$", "(x+y)", "kind\\(0\\|3\\)", "BODY"}[r.IntN(5)], "kind2"}[:1+r.IntN(2)]
				for _, g := range opts.Match.Grep {
					args = append(args, "--grep="+g)
				}
				if pick(3) {
					opts.Match.AllMatch = true
					args = append(args, "--all-match")
				}
				if pick(3) {
					opts.Match.IgnoreCase = true
					args = append(args, "-i")
				}
				if pick(4) {
					opts.Match.Invert = true
					args = append(args, "--invert-grep")
				}
				if pick(3) {
					opts.Match.Type = reader.PatternExtended
					args = append(args, "-E")
				}
			}
			switch r.IntN(8) {
			case 0:
				opts.Pickaxe = []string{"line 1", "word2", "line 3\nword"}[r.IntN(3)]
				args = append(args, "-S"+opts.Pickaxe)
			case 1:
				opts.PickaxeRegex = []string{"line [12]", "^word4$", "e 3$"}[r.IntN(3)]
				args = append(args, "-G"+opts.PickaxeRegex)
			}
			if pick(3) {
				out := ids[r.IntN(len(ids))]
				opts.Exclude = []plumbing.Hash{out}
				args = append(args, "^"+out.String())
			}
			tip := ids[len(ids)-1-r.IntN(3)]
			opts.Tips = []plumbing.Hash{tip}
			args = append(args, tip.String())
			if len(opts.Exclude) > 0 && pick(2) { // the tip first
				opts.ExcludeAt = []int{1}
				args[len(args)-1], args[len(args)-2] = args[len(args)-2], args[len(args)-1]
			}
			if pick(4) {
				other := ids[r.IntN(len(ids))]
				opts.Tips = append(opts.Tips, other)
				args = append(args, other.String())
			}
			switch r.IntN(4) {
			case 0:
			case 1:
				if opts.Pickaxe == "" && opts.PickaxeRegex == "" {
					opts.Follow = filePaths[r.IntN(len(filePaths))]
					args = append([]string{"--follow"}, args...)
					paths = []string{opts.Follow}
				}
			default:
				paths = specs[r.IntN(len(specs))]
				spec, err := repo.Paths(paths)
				require.NoError(t, err)
				opts.Paths = spec
			}
			args = append(append(args, "--"), paths...)
			if !t.Run(fmt.Sprintf("%d/%d %q", seed, round, args), func(t *testing.T) {
				sameLog(t, dir, repo, opts, args...)
			}) {
				return
			}
		}
	}
}
