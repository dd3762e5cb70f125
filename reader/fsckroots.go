package reader

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

// startAt marks the objects that the caller names.
func (f *fsckRun) startAt(ids []plumbing.Hash) {
	for _, id := range ids {
		o := f.table.find(id)
		switch {
		case o != nil && o.flags&fsckStored != 0:
			f.use(o)
		case !f.promised(id):
			f.problem("error: %s: object missing", id)
		}
	}
}

// startAtRefs marks what refs, the HEADs of all work trees, reflogs and the
// index name.
func (f *fsckRun) startAtRefs() error {
	list, err := f.repo.refs.List("refs/")
	if err != nil {
		return err
	}
	roots := 0
	for _, ref := range list {
		ok, err := f.ref(ref.Name, ref.ID)
		if err != nil {
			return err
		}
		if ok {
			roots++
		}
	}
	err = f.eachTree(func(prefix string, store *refs.Store) error {
		ok, err := f.head(prefix, store)
		if ok {
			roots++
		}
		if err == nil && !f.opts.NoReflogs {
			f.logs(prefix, store)
		}
		return err
	})
	if err != nil {
		return err
	}
	if roots == 0 { // nothing would be reachable
		f.opts.Unreachable = false
	}
	return f.index()
}

// ref marks what a ref names; ok says that there is something.
func (f *fsckRun) ref(name string, id plumbing.Hash) (ok bool, err error) {
	o, err := f.lookUp(id)
	if err != nil {
		return false, err
	}
	if o == nil {
		if f.promised(id) {
			return true, nil
		}
		f.problem("error: %s: invalid sha1 pointer %s", name, id)
		return false, nil
	}
	if o.kind != plumbing.CommitObject && strings.HasPrefix(name, "refs/heads/") {
		f.problem("error: %s: not a commit", name)
	}
	f.use(o)
	return true, nil
}

// eachTree calls visit for the main work tree and the linked ones, with what
// git puts before the names of refs that are theirs alone: nothing for the one
// that the repository was opened in.
func (f *fsckRun) eachTree(visit func(prefix string, store *refs.Store) error) error {
	common := f.repo.CommonDir()
	prefix, store := "", f.repo.refs
	if f.repo.Linked() {
		prefix, store = "main-worktree/", refs.Open(common, common)
	}
	if err := visit(prefix, store); err != nil {
		return err
	}
	trees, err := common.OpenDir("worktrees")
	if err != nil {
		return nil
	}
	defer trees.Close()
	entries, err := trees.ReadDir()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := f.linkedTree(trees, e.Name, visit); err != nil {
			return err
		}
	}
	return nil
}

func (f *fsckRun) linkedTree(trees *sandbox.Dir, name string, visit func(prefix string, store *refs.Store) error) error {
	dir, err := trees.OpenDir(name)
	if err != nil {
		return nil
	}
	defer dir.Close()
	if _, err := dir.Lstat("gitdir"); err != nil {
		return nil
	}
	if dir.Path() == f.repo.GitDir().Path() {
		return visit("", f.repo.refs)
	}
	return visit("worktrees/"+name+"/", refs.Open(dir, f.repo.CommonDir()))
}

// head marks what a work tree's HEAD names; ok says that there is something.
func (f *fsckRun) head(prefix string, store *refs.Store) (ok bool, err error) {
	name := prefix + "HEAD"
	head, _ := store.Resolve("HEAD") // as far as it leads
	switch {
	case head.Name == "":
		f.problem("error: invalid %s", name)
	case head.Name != "HEAD" && !strings.HasPrefix(head.Name, "refs/heads/"):
		f.problem("error: %s points to something strange (%s)", name, head.Name)
	case head.ID.IsZero() && head.Name == "HEAD":
		f.problem("error: %s: detached HEAD points at nothing", name)
	case !head.ID.IsZero():
		return f.ref(name, head.ID)
	}
	return false, nil
}

// logs marks what reflogs name.
func (f *fsckRun) logs(prefix string, store *refs.Store) {
	for _, name := range store.Logs() {
		if _, err := store.Resolve(name); err != nil {
			continue
		}
		entries, err := store.Reflog(name)
		if err != nil {
			continue
		}
		shown := name
		if refs.PerWorktree(name) {
			shown = prefix + name
		}
		for _, e := range entries {
			f.logged(shown, e.Old)
			f.logged(shown, e.New)
		}
	}
}

func (f *fsckRun) logged(name string, id plumbing.Hash) {
	if id.IsZero() {
		return
	}
	o := f.table.find(id)
	switch {
	case o != nil && o.flags&fsckStored != 0:
		f.use(o)
	case !f.promised(id):
		f.problem("error: %s: invalid reflog entry %s", name, id)
	}
}

// index marks what the index names: its entries, and the trees and conflicts
// that it remembers.
func (f *fsckRun) index() error {
	ix, err := f.repo.FullIndex(f.ctx)
	if err != nil {
		return err
	}
	for i := range ix.Entries {
		e := &ix.Entries[i]
		if e.IsGitlink() {
			continue
		}
		o, err := f.table.as(e.ID, plumbing.BlobObject)
		if err != nil {
			f.say("error: %v", err)
			continue
		}
		f.use(o)
	}
	if ix.CacheTree != nil {
		if err := f.cacheTree(ix.CacheTree); err != nil {
			return err
		}
	}
	return f.resolveUndo(ix.ResolveUndo)
}

func (f *fsckRun) cacheTree(t *index.CacheTree) error {
	if t.Entries >= 0 {
		o, err := f.remembered(t.ID, "cache-tree")
		if err != nil {
			return err
		}
		if o == nil {
			return nil
		}
		if o.kind != plumbing.TreeObject {
			f.problem("error in %s %s: non-tree in cache-tree", o.kind, o.id)
		}
	}
	for i := range t.Children {
		if err := f.cacheTree(&t.Children[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *fsckRun) resolveUndo(records []index.ResolveUndo) error {
	for _, r := range records {
		for i, id := range r.IDs {
			if r.Modes[i]&0o170000 != 0o100000 {
				continue
			}
			if _, err := f.remembered(id, "resolve-undo"); err != nil {
				return err
			}
		}
	}
	return nil
}

// remembered marks an object that an extension of the index names; nil when it
// is not there.
func (f *fsckRun) remembered(id plumbing.Hash, extension string) (*fsckObject, error) {
	o, err := f.lookUp(id)
	if err != nil {
		return nil, err
	}
	if o == nil {
		f.problem("error: %s: invalid sha1 pointer in %s", id, extension)
		return nil, nil
	}
	f.use(o)
	return o, nil
}
