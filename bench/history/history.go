package history

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
)

// Params shape a history. The zero value of a field stands for the default.
type Params struct {
	Commits    int     // 20,000
	Seed       uint64  // 1
	Files      int     // 1,500 in the first commit; twice that at the end
	Folders    int     // 60
	OpenTopics int     // 40 at once
	Merges     float64 // 0.25, the share of steps that merge a topic
	Hot        float64 // 0.04, the share of topic commits that touch each hot file
	HotLines   int     // 4,000, what hot files grow to
	RenameIn   int     // 150, one rename per so many commits
	Authors    int     // 800
	TagEvery   int     // 1,000 commits
}

func (p Params) withDefaults() Params {
	setInt := func(v *int, def int) {
		if *v == 0 {
			*v = def
		}
	}
	setInt(&p.Commits, 20_000)
	setInt(&p.Files, 1_500)
	setInt(&p.Folders, 60)
	setInt(&p.OpenTopics, 40)
	setInt(&p.HotLines, 4_000)
	setInt(&p.RenameIn, 150)
	setInt(&p.Authors, 800)
	setInt(&p.TagEvery, 1_000)
	if p.Seed == 0 {
		p.Seed = 1
	}
	if p.Merges == 0 {
		p.Merges = 0.25
	}
	if p.Hot == 0 {
		p.Hot = 0.04
	}
	return p
}

// file is one file of one version; a change makes another.
type file struct {
	path  string
	lines []string
}

// topic is an open branch: its own version of the files, and what it changed.
type topic struct {
	tree  []file
	mark  int
	edits []edit
}

// edit replaces the removed lines behind the anchor.
type edit struct {
	file    int
	anchor  string
	removed []string
	added   []string
}

// writer holds what grows while the stream is written.
type writer struct {
	Params
	out     *bufio.Writer
	rng     *rand.Rand
	words   []string
	authors []string
	folders []string
	main    []file
	tip     int // mark of the main line's last commit
	topics  []*topic
	marks   int
	commits int
	clock   int64
	tokens  int
}

// start is the second of the first commit, in 2009.
const start = 1_234_567_890

// Write writes the stream that git fast-import makes the history of: the branch
// main and a tag per Params.TagEvery commits.
func Write(out io.Writer, p Params) error {
	p = p.withDefaults()
	w := &writer{Params: p, out: bufio.NewWriterSize(out, 1<<20), rng: rand.New(rand.NewPCG(p.Seed, 2)), clock: start}
	w.vocabulary()
	w.first()
	for w.commits < p.Commits {
		w.step()
		if w.commits%p.TagEvery == 0 {
			fmt.Fprintf(w.out, "reset refs/tags/v%d\nfrom :%d\n\n", w.commits/p.TagEvery, w.tip)
		}
	}
	return w.out.Flush()
}

// step writes one commit: on a topic, a merge of one, or on the main line.
func (w *writer) step() {
	switch chance := w.rng.Float64(); {
	case chance < w.Merges && len(w.topics) > 0:
		w.merge(w.rng.IntN(len(w.topics)))
	case len(w.topics) < w.OpenTopics && chance < w.Merges*2:
		t := &topic{tree: append([]file(nil), w.main...), mark: w.tip}
		w.topics = append(w.topics, t)
		w.topicCommit(t)
	case len(w.topics) > 0 && chance < 0.85:
		w.topicCommit(w.topics[w.rng.IntN(len(w.topics))])
	default:
		w.mainCommit()
	}
}

// first writes the commit that the history starts with.
func (w *writer) first() {
	hot := []string{"Makefile", "diff.c"}
	w.begin("refs/heads/main", nil)
	for i := range w.Files {
		f := file{path: w.newPath(), lines: w.newLines(w.length())}
		if i < len(hot) {
			f = file{path: hot[i], lines: w.newLines(w.HotLines / 8)}
		}
		w.main = append(w.main, f)
		w.modify(f)
	}
	w.tip = w.end()
}

// topicCommit edits one to five files of a topic.
func (w *writer) topicCommit(t *topic) {
	w.begin("refs/topics/open", []int{t.mark})
	touched := map[int]bool{}
	for hot := range 2 {
		if w.rng.Float64() < w.Hot {
			touched[hot] = true
			w.topicEdit(t, hot)
		}
	}
	for range 1 + int(4*pow(w.rng.Float64(), 2.2)+0.5) {
		if n := 2 + w.pickFile(len(t.tree)-2); !touched[n] {
			touched[n] = true
			w.topicEdit(t, n)
		}
	}
	t.mark = w.end()
}

func (w *writer) topicEdit(t *topic, n int) {
	e := w.newEdit(n, t.tree[n].lines)
	lines, _ := e.apply(t.tree[n].lines)
	t.tree[n].lines = lines
	t.edits = append(t.edits, e)
	w.modify(t.tree[n])
}

// merge replays a topic's edits on the main line.
func (w *writer) merge(n int) {
	t := w.topics[n]
	w.topics = append(w.topics[:n], w.topics[n+1:]...)
	w.begin("refs/heads/main", []int{w.tip, t.mark})
	var changed []int
	seen := map[int]bool{}
	for _, e := range t.edits {
		lines, ok := e.apply(w.main[e.file].lines)
		if !ok {
			continue
		}
		w.main[e.file].lines = lines
		if !seen[e.file] {
			seen[e.file] = true
			changed = append(changed, e.file)
		}
	}
	for _, c := range changed {
		w.modify(w.main[c])
	}
	w.tip = w.end()
}

// mainCommit renames a file, adds one, or edits some.
func (w *writer) mainCommit() {
	w.begin("refs/heads/main", []int{w.tip})
	switch chance := w.rng.Float64(); {
	case chance < 12.0/float64(w.RenameIn): // about one commit in twelve comes here
		n := 2 + w.rng.IntN(len(w.main)-2)
		old := w.main[n].path
		w.main[n].path = w.newPath()
		fmt.Fprintf(w.out, "R %s %s\n", old, w.main[n].path)
		w.mainEdit(n)
	case chance < 0.75 && len(w.main) < 2*w.Files:
		for range 1 + w.rng.IntN(2) {
			f := file{path: w.newPath(), lines: w.newLines(w.length())}
			w.main = append(w.main, f)
			w.modify(f)
		}
	default:
		w.mainEdit(2 + w.pickFile(len(w.main)-2))
	}
	w.tip = w.end()
}

func (w *writer) mainEdit(n int) {
	e := w.newEdit(n, w.main[n].lines)
	lines, _ := e.apply(w.main[n].lines)
	w.main[n].lines = lines
	w.modify(w.main[n])
}

// begin writes a commit's head; changes follow, then end.
func (w *writer) begin(ref string, parents []int) {
	w.commits++
	w.marks++
	w.clock += int64(600 + w.rng.IntN(7200))
	if len(parents) == 0 {
		fmt.Fprintf(w.out, "reset %s\n", ref)
	}
	author := w.authors[w.pickAuthor()]
	message := w.message()
	fmt.Fprintf(w.out, "commit %s\nmark :%d\nauthor %s %d +0100\ncommitter %s %d +0000\ndata %d\n%s\n",
		ref, w.marks, author, w.clock-int64(w.rng.IntN(86_400)), w.authors[0], w.clock, len(message), message)
	for i, p := range parents {
		fmt.Fprintf(w.out, "%s :%d\n", [...]string{"from", "merge"}[min(i, 1)], p)
	}
}

func (w *writer) modify(f file) {
	size := 0
	for _, l := range f.lines {
		size += len(l) + 1
	}
	fmt.Fprintf(w.out, "M 100644 inline %s\ndata %d\n", f.path, size)
	for _, l := range f.lines {
		w.out.WriteString(l)
		w.out.WriteByte('\n')
	}
	w.out.WriteByte('\n')
}

func (w *writer) end() int {
	w.out.WriteByte('\n')
	return w.marks
}
