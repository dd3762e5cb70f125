package blame

import (
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/reader"
)

// Copies says where lines are looked for that were moved or copied (git-blame(1),
// options -M and -C).
type Copies uint8

// Each value looks where those before it look, too.
const (
	NoCopies     Copies = iota // nowhere
	MovedWithin                // -M: elsewhere in the file
	ChangedFiles               // -C: in files that the same commit changed
	FromCreation               // -C -C: in all files, for the commit that created the file
	AllFiles                   // -C -C -C: in all files, for every commit
)

// How many letters and digits lines must have, and one more, to be looked for.
const (
	moveScore = 20
	copyScore = 40
)

// countLetters prepares score.
func (b *blamer) countLetters(content []byte) {
	b.final.Split(content)
	b.letters = make([]int, b.final.Count()+1)
	for i := range b.final.Count() {
		n := b.letters[i]
		for _, c := range b.final.Line(i) {
			if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
				n++
			}
		}
		b.letters[i+1] = n
	}
}

// score tells how much there is in lines.
func (b *blamer) score(e entry) int { return 1 + b.letters[e.final+e.count] - b.letters[e.final] }

// passMoved gives suspects to the parents' files that have them somewhere else.
// Found are the origins of the same file.
func (b *blamer) passMoved(o *origin, found []*origin) error {
	if b.copies == NoCopies || len(o.suspects) == 0 {
		return nil
	}
	p := passing{blamer: b, origin: o, moved: map[*origin][]entry{}}
	defer p.finish()
	if p.setSmallAside(moveScore); len(o.suspects) > 0 {
		for _, parent := range found {
			if parent == nil {
				continue
			}
			if err := p.within(parent); err != nil || len(o.suspects) == 0 {
				return err
			}
		}
	}
	if b.copies < ChangedFiles {
		return nil
	}
	p.setSmallAside(copyScore)
	for i, parent := range b.scapegoats(o.commit) {
		if len(o.suspects) == 0 {
			return nil
		}
		ok, err := b.history.load(parent)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := p.copied(parent, found[i]); err != nil {
			return err
		}
	}
	return nil
}

// passing moves the suspects of one origin.
type passing struct {
	*blamer
	origin *origin
	small  []entry // too short to be looked for
	moved  map[*origin][]entry
	order  []*origin // of moved
}

func (p *passing) setSmallAside(score int) {
	p.origin.suspects, p.small = p.partSmall(p.origin.suspects, p.small, score)
}

// partSmall moves what isn't worth more than score to small.
func (b *blamer) partSmall(entries, small []entry, score int) (rest, smaller []entry) {
	for _, e := range entries {
		if b.score(e) <= score {
			small = append(small, e)
		} else {
			rest = append(rest, e)
		}
	}
	return rest, small
}

// finish queues what was moved and takes back what was set aside.
func (p *passing) finish() {
	for _, to := range p.order {
		entries := p.moved[to]
		sortBySource(entries)
		p.queue(to, entries)
	}
	p.origin.suspects = append(p.small, p.origin.suspects...)
}

// accept gives the middle part of a split to an origin and returns what is left.
func (p *passing) accept(to *origin, s split, left []entry) []entry {
	if _, ok := p.moved[to]; !ok {
		p.order = append(p.order, to)
	}
	p.moved[to] = append(p.moved[to], s.middle)
	for _, e := range []entry{s.before, s.after} {
		if e.count > 0 {
			left = append(left, e)
		}
	}
	return left
}

// split parts an entry: the middle is found elsewhere.
type split struct{ before, middle, after entry }

// within looks for suspects elsewhere in the same file of a parent.
func (p *passing) within(parent *origin) error {
	data, err := p.content(parent)
	if err != nil {
		return err
	}
	var lines linediff.Lines
	lines.Split(data)
	var leftover []entry
	for todo := p.origin.suspects; len(todo) > 0; {
		var next []entry
		for _, e := range todo {
			s, ok, err := p.findIn(e, &lines)
			if err != nil {
				return err
			}
			if ok && p.score(s.middle) > moveScore {
				next = p.accept(parent, s, next)
			} else {
				leftover = append(leftover, e)
			}
		}
		todo, p.small = p.partSmall(next, p.small, moveScore)
	}
	p.origin.suspects = leftover
	return nil
}

// findIn finds the part of an entry that is worth most and stands in lines; of
// equals the last one.
func (p *passing) findIn(e entry, lines *linediff.Lines) (best split, ok bool, err error) {
	p.part.Split(p.final.Range(e.final, e.final+e.count))
	changes := p.differ.DiffLines(lines, &p.part, p.diff)
	if err := p.ctx.Err(); err != nil {
		return best, false, err
	}
	from, old := 0, 0
	try := func(to int) {
		if from >= min(to, e.count) {
			return
		}
		s := split{before: e, middle: e, after: e}
		s.before.count = from
		s.middle.final, s.middle.source, s.middle.count = e.final+from, old, to-from
		s.after.final, s.after.source, s.after.count = e.final+to, e.source+to, e.count-to
		if !ok || p.score(s.middle) >= p.score(best.middle) {
			best, ok = s, true
		}
	}
	for _, c := range changes {
		try(c.NewStart)
		from, old = c.NewStart+c.NewCount, c.OldStart+c.OldCount
	}
	try(e.count)
	return best, ok, nil
}

// candidate is the best place of an entry so far.
type candidate struct {
	split split
	file  reader.Entry
	found bool
}

// copied looks for suspects in other files of a parent. Same is the file itself
// there, nil if it wasn't.
func (p *passing) copied(parent *commit, same *origin) error {
	files, err := p.sources(parent, same)
	if err != nil {
		return err
	}
	var leftover []entry
	for todo := p.origin.suspects; len(todo) > 0; {
		best, err := p.bestOf(todo, files)
		if err != nil {
			return err
		}
		var next []entry
		for i, e := range todo {
			c := &best[i]
			if !c.found || p.score(c.split.middle) <= copyScore {
				leftover = append(leftover, e)
				continue
			}
			to := p.addOrigin(parent, p.file(c.file.Path), c.file.Mode, c.file.ID, nil)
			next = p.accept(to, c.split, next)
		}
		todo, p.small = p.partSmall(next, p.small, copyScore)
	}
	p.origin.suspects = leftover
	return nil
}

// bestOf finds for each entry the file that has most of it; of equals the last
// one.
func (p *passing) bestOf(todo []entry, files []reader.Entry) ([]candidate, error) {
	best := make([]candidate, len(todo))
	var lines linediff.Lines
	for _, f := range files {
		data, err := p.read(f.ID)
		if err != nil {
			return nil, err
		}
		if len(data) > linediff.MaxSize {
			continue
		}
		lines.Split(data)
		for i, e := range todo {
			s, ok, err := p.findIn(e, &lines)
			if err != nil {
				return nil, err
			}
			if ok && (!best[i].found || p.score(s.middle) >= p.score(best[i].split.middle)) {
				best[i] = candidate{s, f, true}
			}
		}
	}
	return best, nil
}

// sources lists the files of a parent that lines may come from: those that the
// commit changed, or all.
func (p *passing) sources(parent *commit, same *origin) ([]reader.Entry, error) {
	o := p.origin
	created := same == nil || same.file != o.file
	var after reader.Side = reader.Tree(o.commit.tree)
	switch {
	case p.copies == AllFiles || p.copies == FromCreation && created:
		after = reader.Empty
	case o.commit.id.IsZero():
		after = reader.IndexSide
	}
	var files []reader.Entry
	for c, err := range p.repo.Changes(p.ctx, reader.Tree(parent.tree), after, reader.ChangeOptions{}) {
		if err != nil {
			return nil, err
		}
		if c.Old.Present() && c.Old.Mode != object.ModeGitlink && (same == nil || c.Old.Path != same.file.path) {
			files = append(files, c.Old)
		}
	}
	return files, nil
}
