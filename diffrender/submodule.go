package diffrender

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
)

// SubmoduleFormat says how a patch shows a submodule (git-diff(1),
// --submodule).
type SubmoduleFormat uint8

// The formats of diff.submodule; the zero value shows the commits' ids.
const (
	SubmoduleShort SubmoduleFormat = iota
	SubmoduleLog                   // the subjects of the commits between them
	SubmoduleDiff                  // the changes of its files
)

// modeGitlink is the mode of a submodule.
const modeGitlink = 0o160000

// showsSubmodule tells whether d is shown in a format for submodules.
func (p *Printer) showsSubmodule(d *FileDiff) bool {
	link := func(e reader.Entry) bool { return !e.Present() || e.Mode == modeGitlink }
	return p.opts.Submodule != SubmoduleShort && p.repo != nil && link(d.Old) && link(d.New)
}

// submoduleDiff is a change of a submodule with what its repository knows.
type submoduleDiff struct {
	*FileDiff
	path        string
	repo        *reader.Repository // nil where it isn't there
	left, right plumbing.Hash      // the commits, zero where they are absent
	bases       []plumbing.Hash
}

// submodule prints d in a format for submodules.
func (p *Printer) submodule(d *FileDiff) error {
	s := submoduleDiff{FileDiff: d, path: d.Old.Path}
	var err error
	s.repo, err = p.repo.OpenSubmodule(p.ctx, s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.repo, err = nil, nil
	case err != nil:
		return err
	default:
		defer s.repo.Close()
		if err := s.look(p.ctx); err != nil {
			return err
		}
	}
	p.submoduleHeader(&s)
	switch {
	case s.repo == nil:
	case p.opts.Submodule == SubmoduleDiff:
		err = p.submoduleFiles(&s)
	case !s.left.IsZero() && !s.right.IsZero():
		err = p.submoduleLog(&s)
	}
	p.room()
	return err
}

// look finds the commits in the submodule, and where both parted.
func (s *submoduleDiff) look(ctx context.Context) (err error) {
	s.left, s.right = s.commit(s.Old), s.commit(s.New)
	if s.left.IsZero() || s.right.IsZero() {
		return nil
	}
	s.bases, err = s.repo.MergeBases(ctx, s.left, s.right)
	return err
}

func (s *submoduleDiff) commit(e reader.Entry) plumbing.Hash {
	if !e.Present() {
		return plumbing.ZeroHash
	}
	if kind, _, err := s.repo.Objects().Header(e.ID); err != nil || kind != plumbing.CommitObject {
		return plumbing.ZeroHash
	}
	return e.ID
}

// submoduleHeader prints what is in the work tree, and the line that names both
// commits. Both lacking, git takes that for a step forward.
func (p *Printer) submoduleHeader(s *submoduleDiff) {
	if s.Submodule.Untracked {
		p.text("Submodule ", s.path, " contains untracked content\n")
	}
	if s.Submodule.Modified {
		p.text("Submodule ", s.path, " contains modified content\n")
	}
	lost := s.repo == nil || s.Old.Present() && s.left.IsZero() || s.New.Present() && s.right.IsZero()
	message := ""
	switch {
	case s.repo != nil && lost:
		message = " (commits not present)"
	case !s.Old.Present():
		message = " (new submodule)"
	case !s.New.Present():
		message = " (submodule deleted)"
	case lost:
		message = " (commits not present)"
	}
	if s.repo != nil && s.Old.ID == s.New.ID {
		return
	}
	forward := s.repo != nil && (s.left == s.right || len(s.bases) > 0 && s.bases[0] == s.left)
	backward := !forward && len(s.bases) > 0 && s.bases[0] == s.right
	dots := "..."
	if forward || backward {
		dots = ".."
	}
	p.text("Submodule ", s.path, " ", p.opts.abbreviate(s.Old.ID), dots, p.opts.abbreviate(s.New.ID), message)
	switch {
	case message != "":
	case backward:
		p.text(" (rewind):")
	default:
		p.text(":")
	}
	p.text("\n")
}

// submoduleLog prints the subjects of the commits that only one side has.
func (p *Printer) submoduleLog(s *submoduleDiff) error {
	onLeft := map[plumbing.Hash]bool{s.left: true}
	options := reader.LogOptions{Tips: []plumbing.Hash{s.left, s.right}, Exclude: s.bases, FirstParent: true}
	for c, err := range s.repo.Log(p.ctx, options) {
		if err != nil {
			return err
		}
		sign := "  > "
		if onLeft[c.ID] {
			sign = "  < "
			if parents, err := s.repo.Parents(c.ID); err != nil {
				return err
			} else if len(parents) > 0 {
				onLeft[parents[0]] = true
			}
		}
		commit, err := object.ParseCommit(c.ID, pretty.Recode(c.Data, p.repo.OutputEncoding()))
		if err != nil {
			return err
		}
		p.text(sign)
		p.buf = pretty.AppendSubject(p.buf, commit.Message, " ")
		p.text("\n")
		p.room()
	}
	return nil
}

// submoduleFiles prints how the submodule's files differ, by its own settings;
// up to its work tree if that has changes.
func (p *Printer) submoduleFiles(s *submoduleDiff) error {
	if s.Old.Present() && s.left.IsZero() || s.New.Present() && s.right.IsZero() {
		return nil
	}
	if p.unpopulated(s.path) {
		p.text("(diff failed)\n")
		return nil
	}
	q := Request{Old: reader.Empty, New: reader.Empty, Formats: Formats{Patch: true}}
	for _, side := range []struct {
		side *reader.Side
		id   plumbing.Hash
	}{{&q.Old, s.left}, {&q.New, s.right}} {
		if side.id.IsZero() {
			continue
		}
		tree, err := s.repo.TreeOf(side.id)
		if err != nil {
			return err
		}
		*side.side = reader.Tree(tree)
	}
	what := Trees
	if s.Submodule.Modified {
		q.New, what = reader.WorkTreeSide, TreeToWorkTree
	}
	var err error
	if q.Options, err = OptionsFromConfig(s.repo, what); err != nil {
		return err
	}
	if q.Changes, err = ChangesFromConfig(s.repo); err != nil {
		return err
	}
	old, new := p.opts.Prefix.sides()
	q.Options.Prefix = Prefix{true, old + s.path + "/", new + s.path + "/"}
	q.Options.Submodule = SubmoduleDiff
	if err := p.Flush(); err != nil {
		return err
	}
	return Write(p.ctx, p.out, s.repo, q)
}

// unpopulated tells whether the submodule's folder is there, but no repository
// in it.
func (p *Printer) unpopulated(path string) bool {
	top, err := p.repo.WorkTree()
	if err != nil {
		return false
	}
	if st, err := top.Lstat(path); err != nil || !st.Mode.IsDir() {
		return false
	}
	_, err = top.Lstat(path + "/.git")
	return err != nil
}

// submoduleFormat reads diff.submodule. Other values do not count.
func (c *settings) submoduleFormat() SubmoduleFormat {
	switch v, _ := c.r.Config().Get("diff.submodule"); strings.TrimSpace(v) {
	case "log":
		return SubmoduleLog
	case "diff":
		return SubmoduleDiff
	}
	return SubmoduleShort
}
