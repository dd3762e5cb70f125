package statustext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// modeGitlink is the mode of a submodule.
const modeGitlink = 0o160000

// Section is a part of the long format that stands for itself.
type Section struct{ title, text string }

// Submodules returns the summaries of changed submodules that git status shows
// where status.submoduleSummary asks for them (git-submodule(1), "summary"),
// of the whole work tree. The errors are those of comparing, and of a
// repository outside the workspace.
func Submodules(ctx context.Context, r *reader.Repository) ([]Section, error) {
	limit, err := summaryLimit(r.Config())
	if err != nil || limit == 0 {
		return nil, err
	}
	head, err := r.HeadSide()
	if err != nil {
		return nil, err
	}
	var sections []Section
	for _, part := range []struct {
		title    string
		old, new reader.Side
	}{
		{"Submodule changes to be committed:", head, reader.IndexSide},
		{"Submodules changed but not updated:", reader.IndexSide, reader.WorkTreeSide},
	} {
		s := summary{ctx: ctx, repo: r, side: part.new, limit: limit}
		opts := reader.ChangeOptions{IgnoreSubmodules: reader.IgnoreDirty, KeepSameContent: true}
		for change, err := range r.Changes(ctx, part.old, part.new, opts) {
			if err == nil {
				err = s.change(change)
			}
			if err != nil {
				return nil, err
			}
		}
		if s.out.Len() > 0 {
			sections = append(sections, Section{part.title, s.out.String()})
		}
	}
	return sections, nil
}

// summaryLimit is how many commits are shown of a submodule: none with 0, all
// with less.
func summaryLimit(cfg *gitconfig.Config) (int, error) {
	entry, ok := cfg.Entry("status.submodulesummary")
	if !ok {
		return 0, nil
	}
	if n, err := gitconfig.ParseInt(entry.Value); entry.HasValue && err == nil {
		return int(n), nil
	}
	on, err := entry.Bool()
	if on {
		return -1, err
	}
	return 0, err
}

// submodules writes the sections. A line that is empty stays so behind a
// comment sign.
func (w *longWriter) submodules() {
	for _, section := range w.opts.Submodules {
		w.line(section.title)
		w.line("")
		for line := range strings.Lines(section.text) {
			w.line(strings.TrimSuffix(line, "\n"))
		}
	}
}

// summary writes what changed in submodules between two sides.
type summary struct {
	ctx   context.Context
	repo  *reader.Repository
	side  reader.Side // the new one
	limit int
	out   bytes.Buffer
}

// change writes a change if there is a submodule on one of its sides.
func (s *summary) change(c reader.Change) error {
	if c.Old.Mode != modeGitlink && c.New.Mode != modeGitlink {
		return nil
	}
	m := module{Change: c, path: c.New.Path}
	if c.Kind != reader.Deleted && c.Kind != reader.TypeChanged && c.Kind != reader.Added {
		if ignored, err := s.repo.IgnoresSubmodule(s.ctx, m.path); ignored || err != nil {
			return err
		}
	}
	var err error
	m.repo, err = s.repo.CheckedOut(s.ctx, m.path)
	if outside := (*sandbox.OutsideError)(nil); errors.As(err, &outside) {
		return err
	}
	if err == nil {
		defer m.repo.Close()
	} else if errors.Is(err, fs.ErrNotExist) && c.Kind != reader.Deleted && c.Kind != reader.TypeChanged {
		return nil
	}
	if s.side == reader.WorkTreeSide && !m.New.IDKnown {
		if err := s.identify(&m); err != nil {
			return err
		}
	}
	return s.describe(&m)
}

// module is a changed path with the repository that is checked out there, nil
// when there is none.
type module struct {
	reader.Change
	path string
	repo *reader.Repository
}

// identify finds what the work tree has.
func (s *summary) identify(m *module) error {
	if m.New.Mode == modeGitlink {
		m.New.ID, _ = s.repo.NestedHead(s.ctx, m.path)
		return nil
	}
	if !m.New.Present() {
		return nil
	}
	content, err := s.repo.Content(s.ctx, s.side, m.New)
	m.New.ID = plumbing.ComputeHash(plumbing.BlobObject, content)
	return err
}

// commit returns the commit that a side stands for and how it is shown; false
// where the submodule lacks it.
func (m *module) commit(ctx context.Context, e reader.Entry, look bool) (plumbing.Hash, string, bool) {
	const unknown = 7 // digits of an id that no repository abbreviates
	short := e.ID.String()[:unknown]
	if e.Mode != modeGitlink {
		return e.ID, short, true
	}
	if m.repo == nil || !look {
		return e.ID, short, false
	}
	id, err := m.repo.ResolveCommit(ctx, sandbox.Rev(e.ID.String()))
	if err != nil {
		return e.ID, short, false
	}
	return id, m.repo.Abbrev(id, 0), true
}

// describe writes the line of a path, and the commits or what is wrong below.
func (s *summary) describe(m *module) error {
	oldID, oldText, oldThere := m.commit(s.ctx, m.Old, m.Kind != reader.Deleted)
	newID, newText, newThere := m.commit(s.ctx, m.New, true)
	fmt.Fprintf(&s.out, "* %s %s", m.path, oldText)
	switch {
	case m.Kind != reader.TypeChanged:
		fmt.Fprintf(&s.out, "...%s", newText)
	case m.New.Mode == modeGitlink:
		fmt.Fprintf(&s.out, "(blob)->%s(submodule)", newText)
	default:
		fmt.Fprintf(&s.out, "(submodule)->%s(blob)", newText)
	}
	switch {
	case oldThere && newThere:
		if err := s.commits(m, oldID, newID); err != nil {
			return err
		}
	case m.New.Mode != modeGitlink:
		s.out.WriteString(":\n")
	case oldThere:
		fmt.Fprintf(&s.out, ":\n  Warn: %s doesn't contain commit %s\n", m.path, m.New.ID)
	case newThere:
		fmt.Fprintf(&s.out, ":\n  Warn: %s doesn't contain commit %s\n", m.path, m.Old.ID)
	default:
		fmt.Fprintf(&s.out, ":\n  Warn: %s doesn't contain commits %s and %s\n", m.path, m.Old.ID, m.New.ID)
	}
	s.out.WriteString("\n")
	return nil
}

// commits writes how many commits there are on one side only, and those: of
// two submodules up to the limit, else the newest.
func (s *summary) commits(m *module, oldID, newID plumbing.Hash) error {
	opts := reader.LogOptions{FirstParent: true}
	limit, both := 1, m.Old.Mode == modeGitlink && m.New.Mode == modeGitlink
	switch {
	case both:
		limit = max(s.limit, 0)
		chosen, err := m.repo.ResolveRange(s.ctx, sandbox.Rev(oldID.String()+"..."+newID.String()))
		if err != nil {
			s.out.WriteString(":\n")
			return nil
		}
		opts.Select(chosen)
	case m.Old.Mode == modeGitlink:
		opts.Tips = []plumbing.Hash{oldID}
	default:
		opts.Tips = []plumbing.Hash{newID}
	}
	if m.repo == nil {
		s.out.WriteString(":\n")
		return nil
	}
	count, err := m.repo.Count(s.ctx, opts)
	if err != nil {
		s.out.WriteString(":\n")
		return s.ctx.Err()
	}
	fmt.Fprintf(&s.out, " (%d):\n", count)
	opts.Limit, opts.FirstParent = limit, both
	for c, err := range m.repo.Log(s.ctx, opts) {
		if err != nil {
			return err
		}
		if err := s.subject(m, c, both && c.Left || m.New.Mode != modeGitlink); err != nil {
			return err
		}
	}
	return nil
}

func (s *summary) subject(m *module, c *reader.Commit, left bool) error {
	commit, err := object.ParseCommit(c.ID, pretty.Recode(c.Data, m.repo.OutputEncoding()))
	if err != nil {
		return err
	}
	mark := "  > "
	if left {
		mark = "  < "
	}
	line := append(pretty.AppendSubject([]byte(mark), commit.Message, " "), '\n')
	s.out.Write(line)
	return nil
}
