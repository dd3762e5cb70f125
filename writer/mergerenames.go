package writer

import (
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/renames"
	"github.com/ingit-dev/ingit/reader"
)

// defaultMergeRenameLimit is git's when merge.renameLimit and diff.renameLimit are unset.
const defaultMergeRenameLimit = 7000

// followRenames brings together what the sides have of a file under different names.
func (m *treeMerge) followRenames(changes [3][]reader.Change) error {
	settings, err := mergeRenameSettings(m.w.repo.Config())
	if err != nil || !settings.on {
		return err
	}
	dirs := newDirRenames(m, changes)
	var found [3]map[string]string
	for _, side := range []int{oursSide, theirsSide} {
		if found[side], err = m.findRenames(changes[side], side, settings.limit, dirs); err != nil {
			return err
		}
	}
	if settings.directories != keepDirectories {
		dirs.follow(found, settings.directories)
	}
	for _, old := range sortedKeys(found[oursSide], found[theirsSide]) {
		oursNew, inOurs := found[oursSide][old]
		theirsNew, inTheirs := found[theirsSide][old]
		switch {
		case inOurs && inTheirs && oursNew == theirsNew:
			m.renamedAlike(old, oursNew)
		case inOurs && inTheirs:
			err = m.renamedApart(old, oursNew, theirsNew)
		case inOurs:
			err = m.renamed(old, oursNew, oursSide)
		case inTheirs:
			err = m.renamed(old, theirsNew, theirsSide)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// matters reports whether a side changed the file, so that it is of interest what the other side renamed it to.
func (m *treeMerge) matters(old string, side int) bool {
	p := m.paths[old]
	return !sameEntry(p.sides[side], p.sides[baseSide])
}

// renameSettings say which renames a merge follows.
type renameSettings struct {
	on          bool
	limit       int
	directories directoryRenames
}

// mergeRenameSettings reads merge.renames, merge.renameLimit, merge.directoryRenames and those of diff that stand in for
// them (git-config(1)).
func mergeRenameSettings(config *gitconfig.Config) (s renameSettings, err error) {
	s = renameSettings{on: true, limit: defaultMergeRenameLimit, directories: suggestDirectories}
	for _, key := range []string{"merge.renames", "diff.renames"} {
		value, ok := config.Get(key)
		if !ok {
			continue
		}
		if value == "copies" || value == "copy" {
			break
		}
		if s.on, err = config.Bool(key, true); err != nil {
			return s, err
		}
		break
	}
	for _, key := range []string{"merge.renameLimit", "diff.renameLimit"} {
		n, err := config.Int(key, 0)
		if err != nil {
			return s, err
		}
		if _, ok := config.Get(key); ok && n > 0 {
			s.limit = int(n)
			break
		}
	}
	if value, ok := config.Get("merge.directoryRenames"); ok && value != "conflict" {
		follow, err := config.Bool("merge.directoryRenames", true)
		switch {
		case err != nil: // git takes it for conflict
		case follow:
			s.directories = moveDirectories
		default:
			s.directories = keepDirectories
		}
	}
	return s, nil
}

// findRenames pairs the files that a side deleted with those that it added. Where no file concerns the other side, there is
// nothing to look for.
func (m *treeMerge) findRenames(changes []reader.Change, side, limit int, dirs *dirRenames) (map[string]string, error) {
	other := oursSide + theirsSide - side
	relevant := func(path string) bool { return m.matters(path, other) || dirs.concerned(path) }
	var (
		candidates []renames.Candidate
		any        bool
	)
	for _, c := range changes {
		if c.Old.Present() && c.New.Present() {
			continue
		}
		any = any || c.Old.Present() && relevant(c.Old.Path)
		candidates = append(candidates, renames.Candidate{Old: renameSide(c.Old), New: renameSide(c.New)})
	}
	if !any {
		return nil, nil
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
	pairs, err := renames.Detect(m.ctx, candidates, renames.Options{Limit: limit, NoEmpty: true, Relevant: relevant}, contents)
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
	to.sides[baseSide] = from.sides[baseSide]
	from.sides = [3]reader.Entry{}
}

// renamed merges a file that one side renamed with what the other made of it under the old name.
func (m *treeMerge) renamed(old, new string, side int) error {
	from, to := m.paths[old], m.paths[new]
	other := oursSide + theirsSide - side
	deleted, collides := !from.sides[other].Present(), to.sides[other].Present()
	retyped := !deleted && isFile(from.sides[other]) != isFile(to.sides[side]) // it is a link there now, say: a file of its own
	if deleted {
		to.say("CONFLICT (rename/delete): %s renamed to %s in %s, but deleted in %s.", old, new, m.labels[side], m.labels[other])
	}
	switch {
	case collides && deleted:
		to.placed = true
	case collides && !retyped:
		if err := m.renamedOnto(from, to, side); err != nil {
			return err
		}
	default:
		to.sides[baseSide], to.names[baseSide] = from.sides[baseSide], old
		to.typed, to.moved = retyped, deleted
		if retyped {
			from.sides[baseSide] = reader.Entry{}
			return nil
		}
		if !deleted {
			to.sides[other], to.names[other] = from.sides[other], old
		}
	}
	from.sides = [3]reader.Entry{}
	return nil
}

func isFile(e reader.Entry) bool { return kindOf(e.Mode) == kindOf(index.ModeFile) }

// renamedOnto is a rename to a name that the other side gave to a new file: the renamed file is merged with its own history
// first, and then the two are merged without a base.
func (m *treeMerge) renamedOnto(from, to *mergePath, side int) error {
	sides, names := from.sides, [3]string{from.path, from.path, from.path}
	sides[side], names[side] = to.sides[side], to.path
	merged, err := m.contents(from.path, sides, names, 1)
	if err != nil {
		return err
	}
	from.messages = append(from.messages, merged.messages...)
	to.sides[side].Mode, to.sides[side].ID = merged.entry.Mode, merged.entry.ID
	if !merged.clean {
		to.say("CONFLICT (rename involved in collision): rename of %s -> %s has content conflicts AND collides with another path; "+
			"this may result in nested conflict markers.", from.path, to.path)
	}
	return nil
}

// renamedApart is a file that the sides gave different names: both names get the merged content.
func (m *treeMerge) renamedApart(old, oursNew, theirsNew string) error {
	from, ours, theirs := m.paths[old], m.paths[oursNew], m.paths[theirsNew]
	merged, err := m.contents(old, [3]reader.Entry{from.sides[baseSide], ours.sides[oursSide], theirs.sides[theirsSide]},
		[3]string{old, oursNew, theirsNew}, 1)
	if err != nil {
		return err
	}
	from.messages = append(from.messages, merged.messages...)
	from.say("CONFLICT (rename/rename): %s renamed to %s in %s and to %s in %s.",
		old, oursNew, m.labels[oursSide], theirsNew, m.labels[theirsSide])
	from.sides = [3]reader.Entry{baseSide: from.sides[baseSide]}
	from.placed, ours.placed, theirs.placed = true, true, true
	ours.sides[oursSide].Mode, ours.sides[oursSide].ID = merged.entry.Mode, merged.entry.ID
	if !merged.binary { // each keeps its own else
		theirs.sides[theirsSide].Mode, theirs.sides[theirsSide].ID = merged.entry.Mode, merged.entry.ID
	}
	return nil
}
