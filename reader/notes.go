package reader

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/wildmatch"
)

// defaultNotes is the ref whose notes are shown without its name.
const defaultNotes = "refs/notes/commits"

// Note is a text that was attached to an object (git-notes(1)).
type Note struct {
	Ref  string // the ref that has it, "" for the default one
	Text []byte
}

// NoteRefs returns the refs whose notes git log and git show display:
// core.notesRef or else refs/notes/commits, and those of notes.displayRef.
func (r *Repository) NoteRefs() ([]string, error) {
	name, set := r.Config().Get("core.notesRef")
	if !set {
		name = defaultNotes
	}
	names := []string{name}
	for _, pattern := range r.Config().All("notes.displayRef") {
		found, err := r.refs.List("refs/")
		if err != nil {
			return nil, err
		}
		for _, ref := range found {
			if wildmatch.Match(pattern, ref.Name, 0) && !slices.Contains(names, ref.Name) {
				names = append(names, ref.Name)
			}
		}
	}
	return names, nil
}

// Notes returns the notes of an object in the refs, in their order.
func (r *Repository) Notes(refNames []string, id plumbing.Hash) ([]Note, error) {
	var notes []Note
	for _, name := range refNames {
		ref, err := r.refs.Resolve(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		tree, err := r.TreeOf(ref.ID)
		if err != nil {
			return nil, err
		}
		text, ok, err := r.noteIn(tree, hex.EncodeToString(id[:]))
		if err != nil {
			return nil, err
		}
		if ok {
			if name == defaultNotes {
				name = ""
			}
			notes = append(notes, Note{Ref: name, Text: text})
		}
	}
	return notes, nil
}

// noteIn finds the note of the object whose id ends in rest. The digits before
// it are names of the trees that lead here, two for each.
func (r *Repository) noteIn(tree plumbing.Hash, rest string) ([]byte, bool, error) {
	_, data, err := r.objects.Read(tree)
	if err != nil {
		return nil, false, err
	}
	for entries := object.NewTreeIter(data); ; {
		e, ok, err := entries.Next()
		if !ok || err != nil {
			return nil, false, err
		}
		name := string(e.Name)
		switch {
		case name == rest && !e.IsTree():
			kind, text, err := r.objects.Read(e.ID)
			return text, err == nil && kind == plumbing.BlobObject, err
		case len(name) == 2 && e.IsTree() && len(rest) > 2 && strings.HasPrefix(rest, name):
			if text, ok, err := r.noteIn(e.ID, rest[2:]); ok || err != nil {
				return text, ok, err
			}
		}
	}
}
