package reader

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/sandbox"
)

// Touched is a tracked file whose content is the index's although its stat
// data are not: who writes the index takes the new ones over, so that nobody
// has to compare the content again.
type Touched struct {
	Path string
	Stat sandbox.Stat
}

// Survey is what one look at the work tree found, for an operation that writes
// the index.
type Survey struct {
	Changes   []Change  // tracked files that differ from the index, sorted
	Touched   []Touched // in no order
	Untracked []string  // files that are neither tracked nor ignored, sorted; a nested repository ends in a slash
}

// SurveyOptions selects what Survey looks at.
type SurveyOptions struct {
	Paths *pathspec.Spec // nil: all
	Index *index.Index   // to compare with; nil: the repository's
	// Untracked asks for Survey.Untracked.
	Untracked bool
	// ByStat takes a file whose stat data differ for changed without a look at
	// its content; an unchanged one may be among the changes then.
	ByStat bool
}

// Survey compares the work tree with the index and looks for untracked files,
// in one walk.
func (r *Repository) Survey(ctx context.Context, opts SurveyOptions) (*Survey, error) {
	ix := opts.Index
	if ix == nil {
		var err error
		if ix, err = r.workIndex(ctx); err != nil {
			return nil, err
		}
	}
	scanning := scanOptions{
		paths: opts.Paths, tracked: true, untracked: UntrackedNo,
		changes: ChangeOptions{IgnoreSubmodules: IgnoreDirty, KeepSameContent: opts.ByStat},
	}
	if opts.Untracked {
		scanning.untracked = UntrackedAll
	}
	s, err := r.newScan(ctx, ix, scanning)
	if err != nil {
		return nil, err
	}
	found, err := s.run()
	if err != nil {
		return nil, err
	}
	survey := &Survey{Touched: found.touched, Untracked: found.untracked}
	for _, file := range found.changed {
		c, err := s.change(file)
		if err != nil {
			return nil, err
		}
		survey.Changes = append(survey.Changes, c)
	}
	return survey, nil
}

// NestedHead returns the commit that is checked out in the repository at a
// directory of the work tree; false when there is none.
func (r *Repository) NestedHead(ctx context.Context, path string) (plumbing.Hash, bool) {
	top, err := r.WorkTree()
	if err != nil {
		return plumbing.ZeroHash, false
	}
	return newSubmodules(ctx, r, nil, ChangeOptions{}).head(top, path)
}
