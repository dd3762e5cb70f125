package tools

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// show shows a commit with its changes, or another object.
func show() *operation {
	var revs, files []string
	var stat, nameStatus bool
	var unified int64
	lines := number(&unified, "unified", "Lines of context around changes. Default: what diff.context says, or 3.", 0, 0, 1<<20)
	return &operation{
		doc:     "Show a commit: header, message and its changes as a diff; or an annotated tag with what it names, a tree's names, or a file's content (REV:PATH). Same bytes as git show REV.",
		bounded: true,
		params: []*Param{
			texts(&revs, "rev", "What to show: a commit, tag, tree or file (REV:PATH), a range OLD..NEW of commits, or several of them. Default: HEAD."),
			texts(&files, "files", "Only the changes of these paths: one git pathspec or several, relative to cwd."),
			flag(&stat, "stat", "Show how much changed in each file instead of the diff."),
			flag(&nameStatus, "name_status", "Show which files changed, and how, instead of the diff."),
			lines,
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			s := shower{commitChanges: commitChanges{call: c, ctx: ctx}, w: w, seen: map[plumbing.Hash]bool{}}
			s.formats = diffrender.Formats{Stat: stat, NameStatus: nameStatus, Patch: !stat && !nameStatus}
			if err := s.configure(files); err != nil {
				return err
			}
			if lines.present {
				s.request.Options.Unified = contextLines(unified)
			}
			return s.all(revs)
		},
	}
}

// contextLines are n lines of context as diffrender.Options has them.
func contextLines(n int64) int {
	if n == 0 {
		return -1
	}
	return int(n)
}

// shower shows one object, and what an annotated tag leads to.
type shower struct {
	commitChanges
	w       io.Writer
	rev     string // as it was asked for
	printer pretty.Printer
	notes   []string // the refs whose notes are shown
	seen    map[plumbing.Hash]bool
	shown   bool // something stands above
}

// configure reads the settings that commits are shown with.
func (s *shower) configure(files []string) error {
	paths, err := s.pathspecs(files)
	if err != nil {
		return err
	}
	if err := s.commitChanges.configure(paths); err != nil {
		return err
	}
	if s.notes, err = s.repo.NoteRefs(); err != nil {
		return err
	}
	if s.printer, err = s.call.printer(s.ctx); err != nil {
		return err
	}
	s.printer.Notes = s.plainNotes
	s.format = s.printer.Format
	return nil
}

// all shows what each revision names; with a range among them, all commits
// that they select together.
func (s *shower) all(revs []string) error {
	if len(revs) == 0 {
		revs = []string{"HEAD"}
	}
	parsed := make([]sandbox.Rev, len(revs))
	walk := false
	for i, rev := range revs {
		var err error
		if parsed[i], err = sandbox.ParseRev(s.policy, "rev", rev); err != nil {
			return err
		}
		walk = walk || rev == ".." || strings.HasPrefix(rev, "^") || strings.HasSuffix(rev, "^!") || strings.Contains(rev, "^-")
		if _, _, _, isRange := splitRange(rev); isRange && !walk {
			_, err := s.repo.Resolve(s.ctx, parsed[i])
			walk = err != nil
		}
	}
	if walk {
		return s.walk(parsed)
	}
	ids := make([][]plumbing.Hash, len(revs))
	for i, rev := range parsed {
		var err error
		if ids[i], err = s.named(rev); err != nil {
			return err
		}
	}
	for i := range ids {
		for _, id := range ids[i] {
			s.rev = revs[i]
			if err := s.show(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// named returns the object that a revision names, or the parents of "REV^@".
func (s *shower) named(rev sandbox.Rev) ([]plumbing.Hash, error) {
	if strings.HasSuffix(string(rev), "^@") {
		selection, err := s.repo.ResolveRange(s.ctx, rev)
		return selection.Tips, err
	}
	id, err := s.repo.Resolve(s.ctx, rev)
	return []plumbing.Hash{id}, err
}

// walk shows the commits that ranges select.
func (s *shower) walk(revs []sandbox.Rev) error {
	selection, err := s.repo.ResolveRange(s.ctx, revs...)
	if err != nil {
		return err
	}
	if err := s.nameSource(revs); err != nil {
		return err
	}
	opts := reader.LogOptions{Paths: s.request.Changes.Paths}
	opts.Select(selection)
	for commit, err := range s.repo.Log(s.ctx, opts) {
		if err != nil {
			return err
		}
		if err := s.commit(commit.ID); err != nil {
			return err
		}
	}
	return nil
}

// nameSource finds by which revision all commits of a walk are reached, for %S.
func (s *shower) nameSource(revs []sandbox.Rev) error {
	if s.format.Kind != pretty.User || !strings.Contains(s.format.Text, "%S") {
		return nil
	}
	if len(revs) > 1 {
		return &UnavailableError{"show of a range and other revisions with the placeholder %S"}
	}
	_, end, _, isRange := splitRange(string(revs[0]))
	if !isRange {
		end, _, _ = strings.Cut(string(revs[0]), "^")
	}
	s.printer.Source = end
	return nil
}

// show shows the object.
func (s *shower) show(id plumbing.Hash) error {
	kind, _, err := s.repo.Objects().Header(id)
	if err != nil {
		return reader.BadObject(err, id, s.rev)
	}
	switch kind {
	case plumbing.CommitObject:
		if s.seen[id] { // git shows a commit once
			return nil
		}
		s.seen[id] = true
		s.printer.Source = s.rev
		return s.commit(id)
	case plumbing.TagObject:
		return s.tag(id)
	case plumbing.TreeObject:
		return s.tree(id)
	}
	return s.writeObject(s.ctx, s.w, id)
}

// separate puts an empty line between two objects.
func (s *shower) separate() string {
	if s.shown {
		return "\n"
	}
	s.shown = true
	return ""
}

func (s *shower) tree(id plumbing.Hash) error {
	buf := buffer{to: s.w}
	buf.text = fmt.Appendf(buf.text, "%stree %s\n\n", s.separate(), s.rev)
	for e, err := range s.repo.ListTree(s.ctx, id, reader.ListTreeOptions{}) {
		if err != nil {
			return err
		}
		buf.text = append(buf.text, e.Path...)
		if e.Mode == object.ModeTree {
			buf.text = append(buf.text, '/')
		}
		buf.text = append(buf.text, '\n')
		if err := buf.flushFull(); err != nil {
			return err
		}
	}
	return buf.flush()
}

func (s *shower) tag(id plumbing.Hash) error {
	_, data, err := s.repo.Objects().Read(id)
	if err != nil {
		return err
	}
	tag, err := object.ParseTag(id, data)
	if err != nil {
		return err
	}
	text := fmt.Appendf(nil, "%stag %s\n", s.separate(), tag.Name)
	header, body, _ := bytes.Cut(data, []byte("\n\n"))
	for line := range bytes.Lines(header) {
		if ident, ok := bytes.CutPrefix(line, []byte("tagger ")); ok {
			if text, err = s.printer.AppendTagger(text, bytes.TrimSuffix(ident, []byte("\n"))); err != nil {
				return err
			}
		}
	}
	if len(header) < len(data) {
		text = append(append(text, '\n'), body...)
	}
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.show(tag.Target)
}

func (s *shower) commit(id plumbing.Hash) error {
	_, data, err := s.repo.Objects().Read(id)
	if err != nil {
		return err
	}
	parents, err := s.repo.Parents(id)
	if err != nil {
		return err
	}
	q, err := s.comparison(id, parents)
	if err != nil {
		return err
	}
	if touched, err := s.touches(q, parents); !touched || err != nil {
		return err
	}
	if err := s.header(id, parents, data); err != nil {
		return err
	}
	if len(parents) > 1 {
		return s.merge(parents, q)
	}
	return s.writeUnder(s.w, q)
}

// merge prints how the result of a merge, the new side of q, differs from all
// parents. Unlike for other commits, git ends the text with an empty line even
// if nothing follows.
func (s *shower) merge(parents []plumbing.Hash, q diffrender.Request) error {
	m := diffrender.MergeRequest{Result: q.New, Changes: q.Changes, Options: q.Options, Formats: q.Formats}
	for _, parent := range parents {
		tree, err := s.repo.TreeOfParent(parent)
		if err != nil {
			return err
		}
		m.Parents = append(m.Parents, reader.Tree(tree))
	}
	if !s.format.Empty() {
		if _, err := io.WriteString(s.w, "\n"); err != nil {
			return err
		}
	}
	return diffrender.WriteMerge(s.ctx, s.w, s.repo, m)
}

// touches says whether the commit, the new side of q, changed a path that was
// asked for, a merge from each parent. Else it is left out, as git does.
func (s *shower) touches(q diffrender.Request, parents []plumbing.Hash) (bool, error) {
	if q.Changes.Paths.Empty() {
		return true, nil
	}
	olds := []reader.Side{q.Old}
	for _, parent := range parents[min(1, len(parents)):] {
		tree, err := s.repo.TreeOfParent(parent)
		if err != nil {
			return false, err
		}
		olds = append(olds, reader.Tree(tree))
	}
	for _, old := range olds {
		differs := false
		for _, err := range s.repo.Changes(s.ctx, old, q.New, reader.ChangeOptions{Paths: q.Changes.Paths}) {
			if err != nil {
				return false, err
			}
			differs = true
			break
		}
		if !differs {
			return false, nil
		}
	}
	return true, nil
}

// header prints the commit without its changes.
func (s *shower) header(id plumbing.Hash, parents []plumbing.Hash, data []byte) error {
	separator := s.separate()
	if s.format.Ends {
		separator = ""
	}
	text, err := s.printer.Append([]byte(separator), id, parents, data)
	if err != nil {
		return err
	}
	if s.format.Kind != pretty.User {
		notes, err := s.repo.Notes(s.notes, id)
		if err != nil {
			return err
		}
		for _, note := range notes {
			text = appendNote(text, note)
		}
	}
	if s.format.Ends && !s.format.Empty() {
		text = append(text, '\n')
	}
	_, err = s.w.Write(text)
	return err
}

// plainNotes returns the texts of a commit's notes.
func (s *shower) plainNotes(id plumbing.Hash) (string, error) {
	notes, err := s.repo.Notes(s.notes, id)
	var text strings.Builder
	for _, note := range notes {
		if len(note.Text) > 0 {
			text.Write(bytes.TrimSuffix(note.Text, []byte("\n")))
			text.WriteByte('\n')
		}
	}
	return text.String(), err
}

// appendNote prints a note under its title, indented.
func appendNote(dst []byte, note reader.Note) []byte {
	dst = append(dst, "\nNotes"...)
	if note.Ref != "" {
		name := strings.TrimPrefix(strings.TrimPrefix(note.Ref, "refs/"), "notes/")
		dst = fmt.Appendf(dst, " (%s)", name)
	}
	dst = append(dst, ":\n"...)
	if len(note.Text) == 0 {
		return dst
	}
	for line := range bytes.SplitSeq(bytes.TrimSuffix(note.Text, []byte("\n")), []byte("\n")) {
		dst = append(append(append(dst, "    "...), line...), '\n')
	}
	return dst
}
