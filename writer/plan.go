package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// ChangedError says that something changed between the plan and its application, or while it was planned. Nothing, or
// nothing that another call could not repeat, was done.
type ChangedError struct{ What string }

// Error names what changed.
func (e *ChangedError) Error() string {
	return e.What + " changed underneath; nothing was done, try again"
}

// Plan is what an operation will do. Nothing is touched until Apply.
type Plan struct {
	// Output is what git prints on success, without the tool's own sentence.
	Output string
	// Trailer is what git prints after the status that follows Output, where it prints one.
	Trailer string
	// Err is what the operation fails with after all was done, as a stash pop with conflicts does.
	Err error

	w       *Writer
	expect  expectation
	objects *pendingObjects
	files   []fileChange
	index   *index.Index // the whole new index; nil: unchanged
	config  []configChange
	refs    []refChange
	state   []stateFile
	drop    *stashDrop

	refsOnly bool   // neither index nor files matter
	early    bool   // refs change before files do: what files lose must be reachable by then
	resume   string // what changing the files is a part of, for a later call that finds it unfinished; "": nothing
}

// expectation is what a plan was made of. Apply refuses when it no longer holds.
type expectation struct {
	index sandbox.Stat // zero: no index
	head  reader.Head
}

// stateFile is a file of the git directory that tells of an operation under way.
type stateFile struct {
	name string
	data []byte // nil: remove it
}

// Step is one change of a plan.
type Step struct {
	Action string // "store", "write", "remove", "index", "config", "update" or "state"
	Name   string // an object's id, a path of the work tree, a ref or a file of the git directory
	Detail string // what the ref or path becomes
}

// newPlan begins a plan: what it is made of must not change until it is applied.
func (w *Writer) newPlan() (*Plan, error) {
	head, err := w.repo.Head()
	if err != nil {
		return nil, err
	}
	stat, err := indexStat(w.repo.GitDir())
	if err != nil {
		return nil, err
	}
	return &Plan{w: w, expect: expectation{index: stat, head: head}, objects: newPendingObjects(w.repo.Objects())}, nil
}

// indexStat tells a later look whether the index is still the same.
func indexStat(gitDir *sandbox.Dir) (sandbox.Stat, error) {
	stat, err := gitDir.Lstat("index")
	if errorIsNotExist(err) {
		return sandbox.Stat{}, nil
	}
	return stat, err
}

// Steps lists what Apply will do, in its order.
func (p *Plan) Steps() []Step {
	var steps []Step
	for i := range p.objects.list {
		o := &p.objects.list[i]
		steps = append(steps, Step{Action: "store", Name: o.id.String(), Detail: o.kind.String()})
	}
	for i := range p.files {
		steps = append(steps, p.files[i].step())
	}
	if p.index != nil {
		steps = append(steps, Step{Action: "index", Name: "index", Detail: fmt.Sprintf("%d entries", len(p.index.Entries))})
	}
	for i := range p.refs {
		steps = append(steps, p.refs[i].step())
	}
	for _, c := range p.config {
		steps = append(steps, Step{Action: "config", Name: "branch." + c.subsection, Detail: fmt.Sprint(c.pairs)})
	}
	for _, s := range p.state {
		detail := "write"
		if s.data == nil {
			detail = "remove"
		}
		steps = append(steps, Step{Action: "state", Name: s.name, Detail: detail})
	}
	if p.drop != nil {
		steps = append(steps, Step{Action: "update", Name: stashRef, Detail: "drop " + p.drop.id.String()})
	}
	return steps
}

func (c *refChange) step() Step {
	detail := c.new.String()
	switch {
	case c.target != "":
		detail = "ref: " + c.target
	case c.logOnly:
		detail = "log"
	case c.new.IsZero():
		detail = "delete"
	}
	return Step{Action: "update", Name: c.name, Detail: detail}
}

// Apply carries the plan out: with the index locked and all expectations checked again, it stores objects, changes files,
// then the index, refs and their logs, and last the files that tell of operations under way. It can be called once.
func (p *Plan) Apply(ctx context.Context) error {
	var held *lockFile
	if !p.refsOnly {
		var err error
		if held, err = lock(p.w.repo.GitDir(), "index"); err != nil {
			return err
		}
		defer held.rollback()
	}
	transaction, err := p.prepareRefs()
	if err != nil {
		return err
	}
	defer transaction.rollback()
	if err := p.check(); err != nil {
		return err
	}
	if err := p.storeObjects(ctx); err != nil {
		return err
	}
	if p.early {
		if err := transaction.commit(); err != nil {
			return err
		}
	}
	if err := p.beginFiles(); err != nil {
		return err
	}
	if err := p.changeFiles(ctx); err != nil {
		return err
	}
	if err := p.writeIndex(ctx, held); err != nil {
		return err
	}
	if err := p.writeConfig(); err != nil {
		return err
	}
	if !p.early {
		if err := transaction.commit(); err != nil {
			return err
		}
	}
	if err := p.writeState(); err != nil {
		return err
	}
	if err := p.dropStash(); err != nil {
		return err
	}
	if err := p.endFiles(); err != nil {
		return err
	}
	return p.Err
}

// check compares the repository with what the plan was made of.
func (p *Plan) check() error {
	if p.refsOnly {
		return nil
	}
	stat, err := indexStat(p.w.repo.GitDir())
	if err != nil {
		return err
	}
	if stat != p.expect.index {
		return &ChangedError{"the index"}
	}
	head, err := p.w.repo.Head()
	if err != nil {
		return err
	}
	if head != p.expect.head {
		return &ChangedError{"HEAD"}
	}
	if err := p.checkIndex(); err != nil {
		return err
	}
	return p.checkFiles()
}

// checkIndex compares the checksum of the index with that of the one which the plan was made of: stat data repeat where file
// systems give an inode away again and keep time in coarse steps.
func (p *Plan) checkIndex() error {
	if p.index == nil || p.expect.index == (sandbox.Stat{}) {
		return nil
	}
	known, err := p.w.repo.Index()
	if err != nil {
		return err
	}
	file, err := p.w.repo.GitDir().OpenFollow("index")
	if err != nil {
		return err
	}
	defer file.Close()
	var sum plumbing.Hash
	if _, err := file.ReadAt(sum[:], file.Size()-int64(len(sum))); err != nil {
		return err
	}
	if sum != known.Checksum {
		return &ChangedError{"the index"}
	}
	return nil
}

func (p *Plan) prepareRefs() (*refTransaction, error) {
	if len(p.refs) == 0 {
		return &refTransaction{}, nil
	}
	t, err := p.w.refs()
	if err != nil {
		return nil, err
	}
	for _, c := range p.refs {
		if err := t.prepare(c); err != nil {
			t.rollback()
			var moved *RefConflictError
			if errors.As(err, &moved) {
				err = cmp.Or(p.check(), err) // that HEAD has moved on says more
			}
			return nil, err
		}
	}
	return t, nil
}

func (p *Plan) storeObjects(ctx context.Context) error {
	if len(p.objects.list) == 0 {
		return nil
	}
	store, err := p.w.objects()
	if err != nil {
		return err
	}
	defer store.dir.Close()
	for i := range p.objects.list {
		if err := ctx.Err(); err != nil {
			return err
		}
		o := &p.objects.list[i]
		data, err := o.content(p.objects.hasher)
		if err != nil {
			return err
		}
		if err := store.store(o.id, o.kind, data); err != nil {
			return err
		}
	}
	return p.w.repo.Objects().Refresh()
}

func (p *Plan) writeIndex(ctx context.Context, held *lockFile) error {
	if p.index == nil {
		return nil
	}
	if err := p.smudge(ctx); err != nil {
		return err
	}
	p.index.SplitBase = plumbing.ZeroHash
	if _, err := p.index.Encode(held, index.EncodeOptions{}); err != nil {
		return err
	}
	return held.commit(p.w.fsync.index)
}

// writeState writes and removes files of the git directory; one that is to go may be gone.
func (p *Plan) writeState() error {
	dir := p.w.repo.GitDir()
	for _, s := range p.state {
		if s.data == nil {
			if err := dir.Remove(s.name); err != nil && !errorIsNotExist(err) {
				return err
			}
			continue
		}
		if err := replaceFile(dir.Private(), s.name, 0o666, s.data); err != nil {
			return err
		}
	}
	return nil
}

// replaceFile writes a file beside its place and renames it.
func replaceFile(dir *sandbox.Dir, name string, perm fs.FileMode, data []byte) error {
	temp, err := writeTemp(dir, "ingit-", perm, data, false)
	if err != nil {
		return err
	}
	if err := dir.Rename(temp, name); err != nil {
		dir.Remove(temp)
		return err
	}
	return nil
}
