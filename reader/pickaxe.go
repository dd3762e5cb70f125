package reader

import (
	"bytes"
	"regexp"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/posixre"
)

// pickaxe chooses among the changes of commits by content (git-log(1), options
// -S and -G). A nil one takes all.
type pickaxe struct {
	repo    *Repository
	text    []byte // of -S, in small letters if fold is set
	fold    bool   // letters of either case are the same
	pattern *regexp.Regexp
	binary  func(path string) (binary, known bool, err error) // nil: contents tell
}

func (r *Repository) newPickaxe(o *LogOptions) (*pickaxe, error) {
	p := &pickaxe{repo: r, text: []byte(o.Pickaxe), fold: o.Match.IgnoreCase, binary: o.Binary}
	switch {
	case o.Pickaxe != "" && o.PickaxeRegex != "":
		return nil, &SelectionError{"options '-G', '-S', and '--find-object' cannot be used together"}
	case o.PickaxeRegex != "":
		var err error
		p.pattern, err = posixre.Compile(o.PickaxeRegex, posixre.Options{Extended: true, Lines: true, IgnoreCase: p.fold})
		return p, err
	case o.Pickaxe == "":
		return nil, nil
	case p.fold:
		p.text = lowered(p.text)
	}
	return p, nil
}

// lowered is a copy with small ASCII letters, as many bytes as before.
func lowered(text []byte) []byte {
	out := make([]byte, len(text))
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return out
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
	data, err := p.content(e)
	if p.fold {
		data = lowered(data)
	}
	return bytes.Count(data, p.text), err
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
	if p.binary != nil && (e.Mode^modeFile)&modeTypeMask == 0 {
		if binary, known, err := p.binary(e.Path); known || err != nil {
			return binary, err
		}
	}
	return isBinary(data), nil
}

func (p *pickaxe) content(e Entry) ([]byte, error) {
	switch {
	case !e.Present():
		return nil, nil
	case e.Mode == modeGitlink:
		return []byte("Subproject commit " + e.ID.String() + "\n"), nil
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
