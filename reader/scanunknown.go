package reader

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

// treatment is what becomes of a name in a listing, weakest first: a
// directory's own treatment is the strongest of its children's.
type treatment int

const (
	treatNone treatment = iota
	treatRecurse
	treatExcluded
	treatUntracked
)

// wholeDirs reports that untracked directories are shown by their name alone.
func (s *scan) wholeDirs() bool { return s.opts.untracked == UntrackedNormal }

func (s *scan) showIgnored() bool {
	return s.opts.ignored == IgnoredTraditional || s.opts.ignored == IgnoredMatching
}

// unknown finds the names in the folder that its index entries [from, to) do
// not account for. When the listing has no more names than present, which were
// there a moment ago, and none came or went since, there is nothing to look up.
func (f *folder) unknown(from, to, present int, found *findings) error {
	known, fresh := f.kept()
	if known != nil {
		f.plain = known.plain
		return f.treatOthers(known.others, found)
	}
	names := nameTables.Get().(*nameTable)
	defer nameTables.Put(names)
	entries, more, err := f.dir.ReadDirUnless(present, names.listing[:0])
	if err == nil && !more {
		if f.unchanged() {
			f.keep(fresh)
			return nil
		}
		entries, _, err = f.dir.ReadDirUnless(-1, names.listing[:0])
	}
	if err != nil {
		return unlessUnreadable(err)
	}
	names.listing = entries
	f.plain = !hasIgnoreFile(entries)
	names.fill(f, from, to, len(entries))
	others, err := f.others(entries, names, from, to, found)
	if err != nil {
		return err
	}
	f.keep(fresh, others...)
	return f.treatOthers(others, found)
}

// unchanged reports that no name came or went in the folder since its files were
// looked at.
func (f *folder) unchanged() bool {
	st, err := f.dir.Stat()
	return err == nil && st.MTime == f.seen.MTime && st.CTime == f.seen.CTime
}

// others returns the entries that the names of the index do not account for,
// in the table's own memory.
func (f *folder) others(entries []sandbox.Entry, names *nameTable, from, to int, found *findings) ([]otherName, error) {
	others := names.others[:0]
	for _, entry := range entries {
		kind := names.slot(f.fold(entry.Name)).kind
		isDir := entry.Type.IsDir()
		switch {
		case f.scan.ignoreCase && kind == knownDir && isDir && !f.scan.ix.HasDir(f.path+entry.Name):
			if err := f.otherCase(entry.Name, from, to, found); err != nil {
				return nil, err
			}
		case kind == knownModule, kind != knownNot && (kind == knownDir) == isDir:
		default:
			others = append(others, otherName{entry, kind == knownNot})
		}
	}
	names.others = others
	return others, nil
}

func (f *folder) treatOthers(others []otherName, found *findings) error {
	for i := range others {
		if err := f.treatAndRecord(others[i].Entry, others[i].unknown, found); err != nil {
			return err
		}
	}
	return nil
}

// fold returns the form of a name under which the index is searched.
func (f *folder) fold(name string) string {
	if f.scan.ignoreCase {
		return strings.ToLower(name)
	}
	return name
}

// record notes a path by its treatment. other says that the index is known to
// have no file of that name.
func (s *scan) record(path string, dir bool, state treatment, other bool, found *findings) {
	if state != treatUntracked && (state != treatExcluded || !s.showIgnored()) {
		return
	}
	if !other && !s.isOther(path) {
		return
	}
	if dir {
		path += "/"
	}
	if state == treatExcluded {
		found.ignored = append(found.ignored, path)
	} else {
		found.untracked = append(found.untracked, path)
	}
}

// isOther reports that the index has no file of that name, as it may where a
// directory stands in its place.
func (s *scan) isOther(name string) bool {
	if at, ok := s.ix.Find(name, 0); ok {
		return false
	} else if at < len(s.ix.Entries) && s.ix.Entries[at].Name == name {
		return false
	}
	return true
}

// treat decides on one name of the folder, at path, that is not tracked. own is what the
// name itself is listed as, below what was found and listed inside it. Unless
// until is treatNone nothing is recorded: only the strongest treatment is
// wanted, and none stronger than until.
func (f *folder) treat(entry sandbox.Entry, path string, until treatment, found *findings) (own, below treatment, err error) {
	s, dir := f.scan, entry.Type.IsDir()
	if entry.Name == ".git" || s.ignoreCase && strings.EqualFold(entry.Name, ".git") {
		return treatNone, treatNone, nil
	}
	if !dir && !entry.Type.IsRegular() && entry.Type&fs.ModeSymlink == 0 {
		return treatNone, treatNone, nil
	}
	if !s.opts.paths.Empty() && !s.opts.paths.Match(path, dir) && !(dir && s.opts.paths.MatchesDir(path)) {
		return treatNone, treatNone, nil
	}
	matcher, err := f.ignoring()
	if err != nil {
		return treatNone, treatNone, err
	}
	excluded := matcher.Match(path, dir).Ignored
	switch {
	case excluded && !s.showIgnored():
		return treatExcluded, treatNone, nil
	case dir:
		return f.treatDir(entry.Name, excluded, until, found)
	case excluded:
		return treatExcluded, treatNone, nil
	}
	return treatUntracked, treatNone, nil
}

// treatDir decides on a directory without tracked files, and walks it where
// that is needed.
func (f *folder) treatDir(name string, excluded bool, until treatment, found *findings) (own, below treatment, err error) {
	s := f.scan
	listed := treatUntracked
	if excluded {
		listed = treatExcluded
	}
	if excluded && s.opts.ignored == IgnoredMatching {
		return listed, treatNone, nil
	}
	dir, err := f.dir.OpenDir(name)
	if err != nil {
		return treatNone, treatNone, unlessUnreadable(err)
	}
	defer dir.Close()
	child := &folder{scan: s, parent: f, dir: dir, path: f.path + name + "/", memory: f.below(name)}
	partly := !excluded && !s.opts.paths.Empty() && !s.opts.paths.Match(child.path, true)
	nested, err := s.modules.isNested(dir)
	switch {
	case err != nil, nested && partly:
		return treatNone, treatNone, err
	case nested:
		return listed, treatNone, nil
	case partly || !s.wholeDirs():
		below, err = child.list(until, found)
		return treatNone, max(below, treatRecurse), err
	}
	own, err = child.summarize(excluded, found)
	return own, treatNone, err
}

// summarize finds what a directory that is shown by its name alone is: nothing
// when it is empty, ignored when all of its files are.
func (f *folder) summarize(excluded bool, found *findings) (treatment, error) {
	s := f.scan
	until := treatNone
	if excluded {
		until = treatExcluded
	} else if !s.showIgnored() {
		until = treatUntracked
	}
	untracked, ignored := len(found.untracked), len(found.ignored)
	state, err := f.list(until, found)
	if err != nil {
		return treatNone, err
	}
	if state == treatExcluded {
		if s.opts.ignored == IgnoredMatching {
			state = treatNone
		} else {
			found.ignored = found.ignored[:ignored]
		}
	}
	found.untracked = found.untracked[:untracked]
	return state, nil
}

// list treats all names of a directory without tracked files and returns the
// strongest treatment among them, or stops at one as strong as until.
func (f *folder) list(until treatment, found *findings) (treatment, error) {
	if err := f.scan.ctx.Err(); err != nil {
		return treatNone, err
	}
	if err := f.recall(until != treatNone); err != nil {
		return treatNone, err
	}
	if f.believed {
		return f.repeat(until, found)
	}
	entries, err := f.dir.ReadDir()
	if err != nil {
		return treatNone, unlessUnreadable(err)
	}
	f.plain = !hasIgnoreFile(entries)
	strongest := treatNone
	for _, entry := range entries {
		path := f.path + entry.Name
		own, below, err := f.treat(entry, path, until, found)
		if err != nil {
			return treatNone, err
		}
		strongest = max(strongest, own, below)
		if until == treatNone {
			f.scan.record(path, entry.Type.IsDir(), own, false, found)
		} else if strongest >= until {
			break
		}
	}
	return strongest, nil
}

// unlessUnreadable drops the errors of a directory that cannot be looked into,
// which git only warns of.
func unlessUnreadable(err error) error {
	if errors.Is(err, fs.ErrPermission) || !unreadable(err) {
		return nil
	}
	return err
}
