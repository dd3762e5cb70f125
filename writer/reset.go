package writer

import (
	"context"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/reader"
)

// resetMessage is what git writes into HEAD's log for a reset to HEAD itself.
const resetMessage = "reset: moving to HEAD"

// noteReset plans what every whole reset leaves behind: HEAD's log, ORIG_HEAD, and no operation under way.
func (p *Plan) noteReset() error {
	head := p.expect.head
	p.dropState(stateFiles[:]...)
	if head.Unborn {
		return nil
	}
	if !head.Detached {
		p.refs = append(p.refs, refChange{name: "HEAD", old: head.ID, new: head.ID, message: resetMessage, logOnly: true})
	}
	orig, err := p.w.repo.Refs().Read("ORIG_HEAD")
	if err != nil && !errorIsNotExist(err) {
		return err
	}
	if orig.ID != head.ID {
		p.refs = append(p.refs, refChange{name: "ORIG_HEAD", old: orig.ID, new: head.ID, message: "reset: updating ORIG_HEAD"})
	}
	return nil
}

// resetHard plans to bring index and work tree back to HEAD: staged are the changes from HEAD to the index x, survey those
// from there to the work tree.
func (p *Plan) resetHard(ctx context.Context, x *index.Index, staged []reader.Change, survey *reader.Survey) error {
	r := &resetting{plan: p, ctx: ctx, x: x.Clone(), want: map[string]index.Entry{}}
	for _, path := range refresh(r.x, survey.Touched) {
		at, _ := x.Find(path, 0)
		r.want[path] = x.Entries[at]
	}
	for i := range staged {
		c := &staged[i]
		path := c.Old.Path
		if !c.Old.Present() {
			path = c.New.Path
		}
		r.wantEntry(path, c.Old)
	}
	for i := range survey.Changes {
		path := survey.Changes[i].Old.Path
		if path == "" {
			path = survey.Changes[i].New.Path
		}
		if _, known := r.want[path]; known {
			continue
		}
		at, _ := x.FindAny(path)
		r.want[path] = x.Entries[at]
	}
	return r.finish()
}

// resetting is the planning of a hard reset.
type resetting struct {
	plan *Plan
	ctx  context.Context
	x    *index.Index
	want map[string]index.Entry // paths to bring back; mode 0: to remove
}

func (r *resetting) wantEntry(path string, old reader.Entry) {
	r.want[path] = index.Entry{Name: path, Mode: old.Mode, ID: old.ID}
}

func (r *resetting) finish() error {
	paths := make([]string, 0, len(r.want))
	for path := range r.want {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	var changes []index.PathChange
	for _, path := range paths {
		change := index.PathChange{Name: path}
		if e := r.want[path]; e.Mode != 0 {
			at, ok := r.x.Find(path, 0)
			skip := ok && r.x.Entries[at].SkipWorktree
			change.Entries = []index.Entry{{Name: path, Mode: e.Mode, ID: e.ID, SkipWorktree: skip}}
		}
		changes = append(changes, change)
	}
	r.x.Apply(changes)
	smudger, err := r.plan.w.repo.Smudger(r.ctx, r.x, func(path string) bool { e, ok := r.want[path]; return ok && e.Mode == 0 })
	if err != nil {
		return err
	}
	way := &clearing{plan: r.plan, done: map[string]bool{}}
	for _, path := range paths {
		if r.want[path].Mode == 0 {
			if err := way.remove(path); err != nil {
				return err
			}
			continue
		}
		at, _ := r.x.Find(path, 0)
		if err := way.write(r.ctx, smudger, &r.x.Entries[at]); err != nil {
			return err
		}
	}
	r.x.ResolveUndo = nil
	r.plan.index = r.x
	if err := r.plan.noteReset(); err != nil {
		return err
	}
	return repairTree(r.x, r.plan.w.repo.Objects())
}

// clearing plans changes of files together with the removal of whatever is in their way, kept by nobody.
type clearing struct {
	plan *Plan
	done map[string]bool
}

// remove plans to remove a tracked file, if it is there.
func (c *clearing) remove(path string) error {
	stat, err := c.plan.statFile(path)
	if err != nil || stat.IsDir() || stat.Mode == 0 && !c.plan.hasParent(path) {
		return err
	}
	c.plan.files = append(c.plan.files, fileChange{path: path, seen: stat})
	return nil
}

// write plans an entry's file.
func (c *clearing) write(ctx context.Context, smudger *reader.Smudger, e *index.Entry) error {
	path, mode, id := e.Name, e.Mode, e.ID
	if mode != index.ModeGitlink && mode != index.ModeSymlink {
		if err := smudger.Check(path); err != nil {
			return err
		}
	}
	if err := c.above(path); err != nil {
		return err
	}
	stat, err := c.plan.statFile(path)
	if err != nil || mode == index.ModeGitlink && stat.IsDir() {
		return err
	}
	c.plan.files = append(c.plan.files, fileChange{
		path: path, mode: mode, seen: stat, clear: stat.IsDir(), entry: e, content: c.plan.stored(smudger, path, mode, id),
	})
	return nil
}

// above plans to remove a file or link in the place of one of the path's directories.
func (c *clearing) above(path string) error {
	for slash := strings.IndexByte(path, '/'); slash >= 0; slash = nextSlash(path, slash) {
		dir := path[:slash]
		stat, err := c.plan.statFile(dir)
		if err != nil || stat.Mode == 0 {
			return err
		}
		if stat.IsDir() {
			continue
		}
		if !c.done[dir] {
			c.done[dir] = true
			c.plan.files = append(c.plan.files, fileChange{path: dir, seen: stat})
		}
		return nil
	}
	return nil
}
