package reader

import (
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

// otherCase lists what is untracked in a directory whose name is that of a
// tracked one but for the case, on a file system that tells them apart although
// core.ignoreCase says that it does not: git takes it for the tracked one. The
// entries [from, to) are those of f.
func (f *folder) otherCase(name string, from, to int, found *findings) error {
	dir, err := f.dir.OpenDir(name)
	if err != nil {
		return unlessUnreadable(err)
	}
	defer dir.Close()
	listing, err := dir.ReadDir()
	if err != nil {
		return unlessUnreadable(err)
	}
	child := &folder{scan: f.scan, parent: f, dir: dir, path: f.path + name + "/"}
	for _, entry := range listing {
		isDir := entry.Type.IsDir()
		switch known := f.scan.knownFolded(child.path+entry.Name, isDir, from, to); {
		case known && isDir:
			err = child.otherCase(entry.Name, from, to, found)
		case !known:
			err = child.treatAndRecord(entry, false, found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// knownFolded reports that one of the entries [from, to) is the path, or below
// it, in any case.
func (s *scan) knownFolded(path string, isDir bool, from, to int) bool {
	for i := from; i < to; i++ {
		name := s.ix.Entries[i].Name
		if len(name) < len(path) || !strings.EqualFold(name[:len(path)], path) {
			continue
		}
		if rest := name[len(path):]; rest == "" || isDir && rest[0] == '/' {
			return true
		}
	}
	return false
}

// treatAndRecord decides on a name that is not tracked, and notes it. other is
// record's.
func (f *folder) treatAndRecord(entry sandbox.Entry, other bool, found *findings) error {
	path := f.path + entry.Name
	own, _, err := f.treat(entry, path, treatNone, found)
	if err == nil {
		f.scan.record(path, entry.Type.IsDir(), own, other, found)
	}
	return err
}
