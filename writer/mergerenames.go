package writer

import (
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/renames"
	"github.com/ingit-dev/ingit/reader"
)

// defaultMergeRenameLimit is git's when merge.renameLimit and diff.renameLimit are unset.
const defaultMergeRenameLimit = 7000

// followRenames brings together what the sides have of a file under different names.
func (m *treeMerge) followRenames(oursChanges, theirsChanges []reader.Change) error {
	on, limit, err := mergeRenameSettings(m.w.repo.Config())
	if err != nil || !on {
		return err
	}
	oursRenames, err := m.findRenames(oursChanges, oursSide, limit)
	if err != nil {
		return err
	}
	theirsRenames, err := m.findRenames(theirsChanges, theirsSide, limit)
	if err != nil {
		return err
	}
	for _, old := range sortedKeys(oursRenames, theirsRenames) {
		oursNew, inOurs := oursRenames[old]
		theirsNew, inTheirs := theirsRenames[old]
		switch {
		case inOurs && inTheirs && oursNew == theirsNew:
			m.renamedAlike(old, oursNew)
		case inOurs && inTheirs:
			if err := m.renamedApart(old, oursNew, theirsNew); err != nil {
				return err
			}
		case inOurs:
			m.renamed(old, oursNew, oursSide)
		case inTheirs:
			m.renamed(old, theirsNew, theirsSide)
		}
	}
	return nil
}

// mergeRenameSettings reads merge.renames, merge.renameLimit and those of diff that stand in for them.
func mergeRenameSettings(config *gitconfig.Config) (on bool, limit int, err error) {
	on = true
	for _, key := range []string{"merge.renames", "diff.renames"} {
		value, ok := config.Get(key)
		if !ok {
			continue
		}
		if value == "copies" || value == "copy" {
			break
		}
		if on, err = config.Bool(key, true); err != nil {
			return false, 0, err
		}
		break
	}
	for _, key := range []string{"merge.renameLimit", "diff.renameLimit"} {
		n, err := config.Int(key, 0)
		if err != nil {
			return false, 0, err
		}
		if _, ok := config.Get(key); ok && n > 0 {
			return on, int(n), nil
		}
	}
	return on, defaultMergeRenameLimit, nil
}

// findRenames pairs the files that a side deleted, where the other side changed them, with those that it added.
func (m *treeMerge) findRenames(changes []reader.Change, side, limit int) (map[string]string, error) {
	other := oursSide + theirsSide - side
	var candidates []renames.Candidate
	for _, c := range changes {
		switch {
		case c.Old.Present() && c.New.Present():
			continue
		case c.Old.Present() && sameEntry(m.paths[c.Old.Path].sides[other], c.Old):
			continue // the other side left it alone: a rename would change nothing
		}
		candidates = append(candidates, renames.Candidate{Old: renameSide(c.Old), New: renameSide(c.New)})
	}
	contents := renames.Contents{
		Size: func(e renames.Entry) (int64, error) {
			_, size, err := m.w.repo.Objects().Header(e.ID)
			return size, err
		},
		Read: func(e renames.Entry) ([]byte, error) {
			_, data, err := m.objects.read(e.ID)
			return data, err
		},
	}
	pairs, err := renames.Detect(m.ctx, candidates, renames.Options{Limit: limit, NoEmpty: true}, contents)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string, len(pairs))
	for _, p := range pairs {
		found[candidates[p.Source].Old.Path] = candidates[p.Dest].New.Path
	}
	return found, nil
}

func renameSide(e reader.Entry) renames.Entry {
	return renames.Entry{Path: e.Path, Mode: e.Mode, ID: e.ID}
}

// sortedKeys returns the keys of both maps, each once, sorted.
func sortedKeys(x, y map[string]string) []string {
	var keys []string
	for key := range x {
		keys = append(keys, key)
	}
	for key := range y {
		if _, both := x[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}

// renamedAlike merges a file that both sides renamed to the same name.
func (m *treeMerge) renamedAlike(old, new string) {
	from, to := m.paths[old], m.paths[new]
	to.sides[baseSide], to.names[baseSide] = from.sides[baseSide], old
	from.sides = [3]reader.Entry{}
}

// renamed merges a file that one side renamed with what the other made of it under the old name.
func (m *treeMerge) renamed(old, new string, side int) {
	from, to := m.paths[old], m.paths[new]
	other := oursSide + theirsSide - side
	switch {
	case !from.sides[other].Present():
		to.sides[baseSide], to.names[baseSide], to.moved = from.sides[baseSide], old, true
		to.say("CONFLICT (rename/delete): %s renamed to %s in %s, but deleted in %s.", old, new, m.labels[side], m.labels[other])
	case kindOf(from.sides[other].Mode) != kindOf(to.sides[side].Mode): // it is a link there now, say: a file of its own
		to.sides[baseSide], to.names[baseSide], to.typed = from.sides[baseSide], old, true
		from.sides[baseSide] = reader.Entry{}
		return
	case to.sides[other].Present(): // the other side has a file of its own there
		m.renamedOnto(from, to, side)
	default:
		to.sides[baseSide], to.sides[other] = from.sides[baseSide], from.sides[other]
		to.names[baseSide], to.names[other] = old, old
	}
	from.sides = [3]reader.Entry{}
}

// renamedOnto is a rename to a name that the other side gave to a new file: the renamed file is merged with its own history
// first, and then the two are merged without a base.
func (m *treeMerge) renamedOnto(from, to *mergePath, side int) {
	other := oursSide + theirsSide - side
	merged := &mergePath{path: to.path}
	merged.sides[baseSide], merged.names[baseSide] = from.sides[baseSide], from.path
	merged.sides[side], merged.names[side] = to.sides[side], to.path
	merged.sides[other], merged.names[other] = from.sides[other], from.path
	if err := m.decide(merged); err == nil {
		to.sides[side] = merged.result
		to.messages = append(to.messages, merged.messages...)
	}
}

// renamedApart is a file that the sides gave different names: both names get the merged content.
func (m *treeMerge) renamedApart(old, oursNew, theirsNew string) error {
	from, ours, theirs := m.paths[old], m.paths[oursNew], m.paths[theirsNew]
	merged := &mergePath{path: old, names: [3]string{old, oursNew, theirsNew}}
	merged.sides = [3]reader.Entry{from.sides[baseSide], ours.sides[oursSide], theirs.sides[theirsSide]}
	if err := m.decide(merged); err != nil {
		return err
	}
	from.messages = append(from.messages, merged.messages...)
	from.say("CONFLICT (rename/rename): %s renamed to %s in %s and to %s in %s.",
		old, oursNew, m.labels[oursSide], theirsNew, m.labels[theirsSide])
	from.conflict = true
	from.sides = [3]reader.Entry{baseSide: from.sides[baseSide]}
	ours.conflict, ours.result = true, merged.result
	theirs.conflict, theirs.result = true, merged.result
	return nil
}
