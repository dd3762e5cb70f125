package blame

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/object"
)

// readIgnored reads the files of blame.ignoreRevsFile: the commits whose
// changes are somebody else's (git-blame(1), --ignore-revs-file).
func (b *blamer) readIgnored() error {
	files, err := b.repo.UserFiles("blame.ignoreRevsFile")
	if err != nil {
		return err
	}
	for _, file := range files {
		if file.Data == nil {
			return sentence("could not open object name list: " + file.Name)
		}
		for line := range bytes.Lines(file.Data) {
			name, _, _ := bytes.Cut(line, []byte("#"))
			if name = bytes.Trim(name, " \t\n\r"); len(name) == 0 {
				continue
			}
			if !plumbing.IsHash(string(name)) {
				return sentence("invalid object name: " + string(name))
			}
			b.ignore(plumbing.NewHash(string(name)))
		}
	}
	return nil
}

// ignore adds a commit to the ignored ones, or the commit that a tag leads to.
// What is something else is left out.
func (b *blamer) ignore(id plumbing.Hash) {
	for {
		kind, data, err := b.history.reader.Read(id)
		switch {
		case err != nil || kind != plumbing.TagObject && kind != plumbing.CommitObject:
			return
		case kind == plumbing.CommitObject:
			if b.ignored == nil {
				b.ignored = map[plumbing.Hash]bool{}
			}
			b.ignored[id] = true
			return
		}
		tag, err := object.ParseTag(id, data)
		if err != nil {
			return
		}
		id = tag.Target
	}
}

// passIgnored moves those suspects to a parent's origin that lie in a change
// but look like lines that were there before.
func (b *blamer) passIgnored(o, parent *origin) error {
	changes, err := b.changes(o, parent)
	if err != nil {
		return err
	}
	old := b.linesOf(parent, nil)
	g := guesser{fingerprints(old, 0, old.Count())}
	guesses := make([][]int, len(changes))
	for i, c := range changes {
		guesses[i] = g.guess(c, fingerprints(&b.differ.New, c.NewStart, c.NewCount))
	}
	kept, moved := divide(o.suspects, changes, func(change, line int) int {
		return guesses[change][line-changes[change].NewStart]
	}, false)
	o.suspects = kept
	sortBySource(moved)
	b.queue(parent, moved)
	return nil
}

// fingerprint counts the pairs of neighbouring characters of a line. Letters
// count as small ones, white space as one character.
type fingerprint map[uint16]int

func fingerprints(lines *linediff.Lines, from, count int) []fingerprint {
	prints := make([]fingerprint, count)
	for i := range prints {
		prints[i] = newFingerprint(lines.Line(from + i))
	}
	return prints
}

func newFingerprint(line []byte) fingerprint {
	f := fingerprint{}
	last := uint16(0)
	for i := range len(line) + 1 {
		c := uint16(0)
		if i < len(line) {
			c = uint16(folded(line[i]))
		}
		if pair := last | c<<8; pair != 0 {
			f[pair]++
		}
		last = c
	}
	return f
}

func folded(c byte) byte {
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		return 0
	case c >= 'A' && c <= 'Z':
		return c + 'a' - 'A'
	}
	return c
}

// similarity is how many pairs two lines have in common.
func (f fingerprint) similarity(other fingerprint) int {
	if len(other) < len(f) {
		f, other = other, f
	}
	n := 0
	for pair, count := range f {
		n += min(count, other[pair])
	}
	return n
}

// subtract takes the pairs of another line away.
func (f fingerprint) subtract(other fingerprint) {
	for pair, count := range other {
		if have := f[pair]; have <= count {
			delete(f, pair)
		} else {
			f[pair] = have - count
		}
	}
}
