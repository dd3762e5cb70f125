package reader

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/commitgraph"
	"github.com/ingit-dev/ingit/internal/fsck"
	"github.com/ingit-dev/ingit/internal/odb"
)

// FsckOptions say what a check looks at and tells (git-fsck(1)).
type FsckOptions struct {
	Objects          []plumbing.Hash // what is reachable starts here; none: refs, reflogs, the index
	Unreachable      bool            // tell of all objects that are not reachable
	NoDangling       bool            // don't tell of those that nothing points to
	Root             bool            // tell of commits without parents
	Tags             bool            // tell what annotated tags are of
	NoReflogs        bool            // what only a reflog names is not reachable
	Strict           bool            // warnings are errors
	ConnectivityOnly bool            // the content of blobs is not read, and of the others only what is reachable
}

// FsckReport is what a check found.
type FsckReport struct {
	OK       bool     // nothing is wrong
	Lines    []string // as git prints them on standard output: "dangling commit ID", "missing blob ID"
	Problems []string // as git prints them on standard error, without warnings
}

// Fsck checks every object of the repository, and that all are there which
// others need (git-fsck(1)). An error means that the check could not be made:
// the context's, a *sandbox.LimitError, or one about a file that cannot be
// read. Replacements don't matter, and commit-graphs and multi-pack-indexes are
// not checked.
func (r *Repository) Fsck(ctx context.Context, opts FsckOptions) (FsckReport, error) {
	objects, err := odb.Open(r.layout.objects, odb.Options{PartialClone: r.partialClone()})
	if err != nil {
		return FsckReport{}, err
	}
	defer objects.Close()
	altered, err := r.AlteredParents()
	if err != nil {
		return FsckReport{}, err
	}
	f := &fsckRun{ctx: ctx, repo: r, opts: opts, objects: objects, reader: objects.NewReader(), altered: altered}
	f.report.OK = true
	if opts.ConnectivityOnly && len(altered) == 0 {
		f.graph = objects.Graph()
	}
	if err := f.configure(); err != nil {
		return FsckReport{}, err
	}
	if err := f.run(); err != nil {
		return FsckReport{}, err
	}
	return f.report, nil
}

// fsckRun is one check.
type fsckRun struct {
	ctx     context.Context
	repo    *Repository
	opts    FsckOptions
	objects *odb.Database // without replacements
	reader  *odb.Reader
	altered map[plumbing.Hash][]plumbing.Hash
	graph   *commitgraph.Graph // for links that need not be read; nil: none
	table   fsckTable
	checker fsck.Checker
	pending []*fsckObject // reachable, and their links not followed yet
	report  FsckReport
}

// configure reads the severities and the list of known faults.
func (f *fsckRun) configure() error {
	f.checker = fsck.Checker{Rules: fsck.NewRules(f.opts.Strict), Report: func(id plumbing.Hash, kind plumbing.ObjectType, text string) {
		f.problem("error in %s %s: %s", kind, id, text)
	}}
	for _, e := range f.repo.Config().Entries() {
		if e.Section != "fsck" || e.Subsection != "" || e.Key == "skiplist" {
			continue
		}
		if err := f.checker.Rules.Set(e.Key, e.Value); err != nil {
			return err
		}
	}
	list, err := f.repo.UserFile("fsck.skipList")
	if err != nil {
		return err
	}
	f.checker.Skip = map[plumbing.Hash]bool{}
	for text := range strings.Lines(string(list)) {
		text, _, _ = strings.Cut(text, "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if !plumbing.IsHash(text) {
			return fmt.Errorf("invalid object name: %s", text)
		}
		f.checker.Skip[plumbing.NewHash(text)] = true
	}
	return nil
}

func (f *fsckRun) run() error {
	if f.opts.ConnectivityOnly {
		if err := f.meetAll(); err != nil {
			return err
		}
	} else if err := f.checkAll(); err != nil {
		return err
	}
	if len(f.opts.Objects) > 0 {
		f.startAt(f.opts.Objects)
	} else if err := f.startAtRefs(); err != nil {
		return err
	}
	if err := f.follow(); err != nil {
		return err
	}
	return f.tell()
}

// problem notes a line of the error output, and that the check failed.
func (f *fsckRun) problem(format string, args ...any) {
	f.report.OK = false
	f.say(format, args...)
}

// say notes a line of the error output that git prints without failing for it.
func (f *fsckRun) say(format string, args ...any) {
	f.report.Problems = append(f.report.Problems, fmt.Sprintf(format, args...))
}

// print notes a line of the answer.
func (f *fsckRun) print(format string, args ...any) {
	f.report.Lines = append(f.report.Lines, fmt.Sprintf(format, args...))
}

// lacks notes a line of the answer that tells what is missing.
func (f *fsckRun) lacks(format string, args ...any) {
	f.report.OK = false
	f.print(format, args...)
}

// checkAll checks the content of every stored copy of an object.
func (f *fsckRun) checkAll() error {
	for c, err := range f.objects.Copies(f.ctx) {
		if err != nil {
			return err
		}
		if c.Problem != "" {
			f.problem("error: %s", f.shown(c.Problem))
		}
		if c.Kind != plumbing.InvalidObject {
			f.checkCopy(c)
		}
	}
	return f.checker.Files(f.reader.Read)
}

// shown is a sentence with the git directory named as git names it.
func (f *fsckRun) shown(problem string) string {
	dir := f.repo.CommonDir().Path()
	if strings.HasSuffix(dir, "/.git") && !f.repo.Linked() {
		problem = strings.ReplaceAll(problem, dir+"/", ".git/")
	}
	return problem
}

func (f *fsckRun) checkCopy(c odb.Copy) {
	o, err := f.parse(c.ID, c.Kind, c.Data)
	if err != nil {
		f.say("error: %v", err)
		if c.Packed {
			f.problem("error: %s: object corrupt or missing", c.ID)
		} else {
			f.problem("error: %s: object could not be parsed: %s", c.ID, f.shown(f.repo.layout.objects.Path()+"/"+c.ID.String()[:2]+"/"+c.ID.String()[2:]))
		}
		return
	}
	o.flags |= fsckStored
	f.check(o, c.Data)
}

// check looks at the content of an object.
func (f *fsckRun) check(o *fsckObject, data []byte) {
	if f.links(o, data, markUsed) {
		f.problem("error in %s %s: broken links", o.kind, o.id)
	}
	if !f.checker.Object(o.id, o.kind, data) {
		return
	}
	switch {
	case o.kind == plumbing.CommitObject && f.opts.Root && len(o.links) == 1:
		f.print("root %s", o.id)
	case o.kind == plumbing.TagObject && f.opts.Tags:
		f.print("tagged %s %s (%s) in %s", f.typeOf(o.links[0]), o.links[0].id, tagName(o.id, data), o.id)
	}
}

// markUsed notes that something points to an object.
func markUsed(to *fsckObject, _ plumbing.ObjectType) bool {
	if to != nil {
		to.flags |= fsckUsed
	}
	return to != nil
}

// typeOf names an object's type.
func (f *fsckRun) typeOf(o *fsckObject) string {
	if o.kind != plumbing.InvalidObject {
		return o.kind.String()
	}
	kind, _, err := f.objects.Header(o.id)
	if err != nil {
		return "unknown"
	}
	return kind.String()
}

// promised reports whether a partial clone may lack an object.
func (f *fsckRun) promised(id plumbing.Hash) bool {
	var missing *odb.NotFoundError
	_, _, err := f.objects.Header(id)
	return errors.As(err, &missing) && missing.Promised
}
