package reader

import (
	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/sandbox"
)

// SideReader reads contents of one side one after another, as Content does,
// and reuses its memory. It serves one goroutine.
type SideReader struct {
	objects *odb.Reader
	work    *contents // of the work tree's side, else nil
	top     *sandbox.Dir
}

// SideReader returns a reader for the contents of side; work reads those of
// the work tree.
func (r *Repository) SideReader(side Side, work *Cleaner) *SideReader {
	s := &SideReader{objects: r.Objects().NewReader()}
	if side == WorkTreeSide {
		s.work, s.top = work.contents, work.top
	}
	return s
}

// Close gives back the memory. What was read may not be used any more.
func (s *SideReader) Close() { s.objects.Close() }

// Read returns what Content returns, valid until the next call.
func (s *SideReader) Read(e Entry) ([]byte, error) {
	switch {
	case !e.Present():
		return nil, nil
	case e.Mode == modeGitlink:
		return subproject(e.ID), nil
	case e.content != nil:
		return *e.content, nil
	case s.fromFile(e):
		return s.work.read(s.top, e.Path, e.Path)
	}
	_, data, err := s.objects.Read(e.ID)
	return data, blobError(e.ID, err)
}

// fromFile reports that an entry's content is that of the work tree file: not
// where the index says that the file isn't to be looked at.
func (s *SideReader) fromFile(e Entry) bool {
	if s.work == nil {
		return false
	}
	at, ok := s.work.ix.Find(e.Path, 0)
	if !e.IDKnown {
		return true
	}
	if !ok {
		_, sparse := s.work.ix.SparseDirOf(e.Path)
		_, err := s.top.Lstat(e.Path)
		return !sparse || err == nil
	}
	entry := &s.work.ix.Entries[at]
	return !entry.SkipWorktree && !entry.AssumeValid || entry.ID != e.ID
}

// ReadUpTo is Read for a content of at most max bytes. Of a larger one it
// returns the size alone; for a work tree file, its size before conversion.
func (s *SideReader) ReadUpTo(e Entry, max int64) (data []byte, size int64, err error) {
	switch {
	case !e.Present() || e.Mode == modeGitlink || e.content != nil:
		data, err = s.Read(e)
		return data, int64(len(data)), err
	case s.fromFile(e):
		st, err := s.top.Lstat(e.Path)
		if err != nil || st.Size > max {
			return nil, st.Size, vanished(e.Path, err)
		}
		data, err = s.work.read(s.top, e.Path, e.Path)
		return data, st.Size, err
	}
	_, data, size, err = s.objects.ReadUpTo(e.ID, max)
	return data, size, blobError(e.ID, err)
}

// Attributes returns the attributes of paths as git diff sees them:
// .gitattributes files come from the work tree or else, with indexed, from the
// index; without a work tree there are none. Comparing trees git doesn't read
// the index, so that a file that is only there has no effect.
func (r *Repository) Attributes(indexed bool) (*attributes.Stack, error) {
	if _, err := r.WorkTree(); err != nil {
		return r.attributeStack(func(string) ([]byte, error) { return nil, nil })
	}
	if !indexed {
		return r.workAttributes(&index.Index{})
	}
	ix, err := r.Index()
	if err != nil {
		return nil, err
	}
	return r.workAttributes(ix)
}

// UserFile returns the content of the file that a path setting names, nil when
// it isn't set or there is no such file. A file outside the workspace is only
// read where the user's own configuration names it, else it is a
// *sandbox.OutsideError.
func (r *Repository) UserFile(key string) ([]byte, error) {
	if _, configured := r.Config().Entry(key); !configured {
		return nil, nil
	}
	source, err := r.userFile(key, "")
	if source == nil || err != nil {
		return nil, err
	}
	return append([]byte{}, source.Data...), nil
}

// NamedFile is a file that a setting names.
type NamedFile struct {
	Name string // as the setting has it
	Data []byte // nil: there is no such file
}

// UserFiles is UserFile for a setting that may stand several times: it returns
// the files that all of them name, in their order. Empty names are left out.
func (r *Repository) UserFiles(key string) ([]NamedFile, error) {
	var files []NamedFile
	for _, entry := range r.Config().Entries() {
		if entry.Name != gitconfig.Normalize(key) || entry.Value == "" {
			continue
		}
		source, err := r.namedFile(key, entry)
		if err != nil {
			return nil, err
		}
		file := NamedFile{Name: entry.Value}
		if source != nil {
			file.Data = append([]byte{}, source.Data...)
		}
		files = append(files, file)
	}
	return files, nil
}
