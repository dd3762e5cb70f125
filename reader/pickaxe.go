package reader

import (
	"bytes"
	"regexp"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/needle"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/internal/posixre"
)

// pickaxe chooses among the changes of commits by content (git-log(1), options
// -S and -G). A nil one takes all.
type pickaxe struct {
	repo    *Repository
	objects *odb.Reader
	text    *needle.Needle        // of -S
	known   map[plumbing.Hash]int // how often it is in blobs: what a commit has replaced, one before has made
	pattern *regexp.Regexp
	drivers *binaryDrivers // for pattern
}

func (r *Repository) newPickaxe(o *LogOptions) (*pickaxe, error) {
	p := &pickaxe{repo: r}
	switch {
	case o.Pickaxe != "" && o.PickaxeRegex != "":
		return nil, &SelectionError{"options '-G', '-S', and '--find-object' cannot be used together"}
	case o.PickaxeRegex != "":
		var err error
		if p.drivers, err = r.newBinaryDrivers(false, true); err != nil {
			return nil, err
		}
		p.pattern, err = posixre.Compile(o.PickaxeRegex, posixre.Options{Extended: true, Lines: true, IgnoreCase: o.Match.IgnoreCase})
		return p, err
	case o.Pickaxe == "":
		return nil, nil
	}
	p.text, p.known, p.objects = needle.New(o.Pickaxe, o.Match.IgnoreCase), map[plumbing.Hash]int{}, r.objects.NewReader()
	return p, nil
}

// picks says whether a change is one of those that are looked for.
func (p *pickaxe) picks(c Change) (bool, error) {
	switch {
	case c.Old.Mode == c.New.Mode && c.Old.ID == c.New.ID:
		return false, nil
	case p == nil:
		return true, nil
	case p.pattern == nil:
		return p.counts(c)
	}
	return p.matches(c)
}

// kept leaves the changes that are picked.
func (p *pickaxe) kept(changes []Change) ([]Change, error) {
	if p == nil {
		return changes, nil
	}
	kept := changes[:0]
	for _, c := range changes {
		picked, err := p.picks(c)
		if err != nil {
			return nil, err
		}
		if picked {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// counts says whether the text occurs more often, or less, than before.
func (p *pickaxe) counts(c Change) (bool, error) {
	before, err := p.count(c.Old)
	if err != nil {
		return false, err
	}
	after, err := p.count(c.New)
	return before != after, err
}

func (p *pickaxe) count(e Entry) (int, error) {
	if !e.Present() || e.Mode == modeGitlink {
		data, err := p.content(e)
		return p.text.Count(data), err
	}
	if n, ok := p.known[e.ID]; ok {
		return n, nil
	}
	_, data, err := p.objects.Read(e.ID)
	if err != nil {
		return 0, err
	}
	n := p.text.Count(data)
	p.known[e.ID] = n
	return n, nil
}

// matches says whether the expression matches an added or removed line of a
// text.
func (p *pickaxe) matches(c Change) (bool, error) {
	before, err := p.content(c.Old)
	if err != nil {
		return false, err
	}
	after, err := p.content(c.New)
	if err != nil {
		return false, err
	}
	for _, side := range []struct {
		entry Entry
		data  []byte
	}{{c.Old, before}, {c.New, after}} {
		if binary, err := p.isBinary(side.entry, side.data); err != nil || binary {
			return false, err
		}
	}
	return p.changedLine(before, after), nil
}

func (p *pickaxe) isBinary(e Entry, data []byte) (bool, error) {
	if (e.Mode^modeFile)&modeTypeMask == 0 {
		return p.drivers.isBinary(e.Path, data)
	}
	return isBinary(data), nil
}

func (p *pickaxe) content(e Entry) ([]byte, error) {
	switch {
	case !e.Present():
		return nil, nil
	case e.Mode == modeGitlink:
		return subproject(e.ID), nil
	}
	_, data, err := p.repo.objects.Read(e.ID)
	return data, err
}

// changedLine matches the pattern against the lines that were added or
// removed. Git gives it each with its newline, after which "^$" matches, too.
func (p *pickaxe) changedLine(before, after []byte) bool {
	old, new := bytes.SplitAfter(before, []byte("\n")), bytes.SplitAfter(after, []byte("\n"))
	for _, c := range linediff.Diff(before, after, linediff.Options{}) {
		for _, line := range old[c.OldStart : c.OldStart+c.OldCount] {
			if p.pattern.Match(line) {
				return true
			}
		}
		for _, line := range new[c.NewStart : c.NewStart+c.NewCount] {
			if p.pattern.Match(line) {
				return true
			}
		}
	}
	return false
}

// binaryPeek is how far git looks for a NUL byte.
const binaryPeek = 8000

func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), binaryPeek)], 0) >= 0
}
