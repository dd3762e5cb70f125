package writer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

// refChange is one ref's wanted new value.
type refChange struct {
	name    string
	via     string        // the symbolic ref through which it is changed, and by which git calls it
	old     plumbing.Hash // what the ref must be now; zero: it must not exist
	new     plumbing.Hash // zero: delete it
	target  string        // a symbolic ref's new target, instead of new
	message string        // for the reflog; "" writes no entry for a target
	force   bool          // write a reflog whatever core.logAllRefUpdates says
	logOnly bool          // only the reflog: HEAD, when its branch moves
}

// called is the name by which git calls the ref in an error.
func (c *refChange) called() string { return cmp.Or(c.via, c.name) }

// RefConflictError says that a ref is no longer what the plan expected.
type RefConflictError struct {
	Name      string
	Now, Want plumbing.Hash
}

// Error is git's text.
func (e *RefConflictError) Error() string {
	switch {
	case e.Want.IsZero():
		return fmt.Sprintf("cannot lock ref '%s': reference already exists", e.Name)
	case e.Now.IsZero():
		return fmt.Sprintf("cannot lock ref '%s': unable to resolve reference '%s'", e.Name, e.Name)
	}
	return fmt.Sprintf("cannot lock ref '%s': is at %s but expected %s", e.Name, e.Now, e.Want)
}

// RefNameConflictError says that two refs cannot exist beside each other, since one's name is a directory of the other's.
type RefNameConflictError struct{ Name, Existing string }

// Error is git's text.
func (e *RefNameConflictError) Error() string {
	return fmt.Sprintf("cannot lock ref '%s': '%s' exists; cannot create '%s'", e.Name, e.Existing, e.Name)
}

// RefLockError says that a ref could not be locked.
type RefLockError struct {
	Name     string
	Symbolic bool // it was to name another branch
	Err      *LockError
}

// Error is git's text.
func (e *RefLockError) Error() string {
	if e.Symbolic {
		return fmt.Sprintf("%v\nfatal: unable to update %s", e.Err, e.Name)
	}
	return fmt.Sprintf("cannot lock ref '%s': %v", e.Name, e.Err)
}

// GitLevel makes the first line an error where git prints a second.
func (e *RefLockError) GitLevel() string {
	if e.Symbolic {
		return "error"
	}
	return "fatal"
}

// Unwrap returns the lock's error.
func (e *RefLockError) Unwrap() error { return e.Err }

// refTransaction changes refs together: all are locked and checked before the first is changed.
type refTransaction struct {
	store   *refs.Store
	log     *reflog
	durable bool // core.fsync names reference
	held    []heldRef
}

type heldRef struct {
	refChange
	dir  *sandbox.Dir
	path string
	lock *lockFile
}

// prepare locks a ref and checks its value. After an error the caller calls rollback.
func (t *refTransaction) prepare(c refChange) error {
	if err := refs.CheckName(c.name); err != nil && !refs.IsPseudo(c.name) {
		return err
	}
	dir, path := t.store.Place(c.name)
	if err := t.available(c); err != nil {
		return err
	}
	held, err := lockRef(dir, path)
	if err != nil {
		var lockErr *LockError
		if errors.As(err, &lockErr) {
			return &RefLockError{Name: c.called(), Symbolic: c.target != "", Err: lockErr}
		}
		return err
	}
	t.held = append(t.held, heldRef{refChange: c, dir: dir, path: path, lock: held})
	if c.target != "" || c.logOnly || c.name == "HEAD" {
		return nil // the plan compares HEAD as a whole
	}
	return t.check(c)
}

// lockRef takes a ref's lock, making the directories that its name needs.
func lockRef(dir *sandbox.Dir, path string) (*lockFile, error) {
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		parent, err := dir.MkdirAll(path[:slash])
		if err != nil {
			return nil, err
		}
		parent.Close()
	}
	return lock(dir, path)
}

// check compares the ref with what the change expects.
func (t *refTransaction) check(c refChange) error {
	now, err := t.store.Read(c.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if now.ID != c.old || now.Target != "" {
		return &RefConflictError{Name: c.called(), Now: now.ID, Want: c.old}
	}
	return nil
}

// available looks for refs whose names get in the way of a new one's.
func (t *refTransaction) available(c refChange) error {
	if !c.old.IsZero() || c.new.IsZero() {
		return nil
	}
	for end := strings.LastIndexByte(c.name, '/'); end > len("refs/"); end = strings.LastIndexByte(c.name[:end], '/') {
		if _, err := t.store.Read(c.name[:end]); err == nil {
			return &RefNameConflictError{Name: c.name, Existing: c.name[:end]}
		}
	}
	below, err := t.store.List(c.name + "/")
	if err != nil {
		return err
	}
	if len(below) > 0 {
		return &RefNameConflictError{Name: c.name, Existing: below[0].Name}
	}
	return nil
}

// commit writes logs and values. All locks are given up.
func (t *refTransaction) commit() error {
	defer t.rollback()
	for i := range t.held {
		if err := t.held[i].apply(t); err != nil {
			return err
		}
	}
	return nil
}

func (h *heldRef) apply(t *refTransaction) error {
	if h.target == "" && h.new.IsZero() && !h.logOnly {
		return t.remove(h)
	}
	if h.target == "" || h.message != "" {
		if err := t.log.append(h); err != nil {
			return err
		}
	}
	if h.logOnly {
		return nil
	}
	value := h.new.String() + "\n"
	if h.target != "" {
		value = "ref: " + h.target + "\n"
	}
	if _, err := h.lock.Write([]byte(value)); err != nil {
		return err
	}
	if err := removeEmptyDir(h.dir, h.path); err != nil {
		return err
	}
	return h.lock.commit(t.durable)
}

// removeEmptyDir clears a directory without refs out of a ref's way.
func removeEmptyDir(dir *sandbox.Dir, path string) error {
	if st, err := dir.Lstat(path); err != nil || !st.IsDir() {
		return nil
	}
	sub, err := dir.OpenDir(path)
	if err != nil {
		return err
	}
	entries, err := sub.ReadDir()
	sub.Close()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := removeEmptyDir(dir, path+"/"+e.Name); err != nil {
			return err
		}
	}
	return dir.Rmdir(path)
}

// remove deletes a ref: out of packed-refs first, so that no old value shows in between, then its file and its log.
func (t *refTransaction) remove(h *heldRef) error {
	common, _ := t.store.Place("refs/heads/x")
	if err := dropPacked(common, h.name, t.durable); err != nil {
		return err
	}
	if err := h.dir.Remove(h.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return t.log.remove(h)
}

// dropPacked rewrites packed-refs without one ref, when it is in there.
func dropPacked(common *sandbox.Dir, name string, durable bool) error {
	held, err := lock(common, "packed-refs")
	if err != nil {
		return err
	}
	defer held.rollback()
	data, err := common.ReadFile("packed-refs", 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	kept, found := withoutRef(data, name)
	if !found {
		return nil
	}
	if _, err := held.Write(kept); err != nil {
		return err
	}
	return held.commit(durable)
}

// withoutRef cuts a ref's line, and the peeled line below it, out of a packed-refs file.
func withoutRef(data []byte, name string) (kept []byte, found bool) {
	skipping := false
	for line := range bytes.Lines(data) {
		ref, isRef := bytes.CutSuffix(line, []byte(" "+name+"\n"))
		switch {
		case isRef && len(ref) == 2*len(plumbing.Hash{}):
			skipping, found = true, true
		case skipping && line[0] == '^':
		default:
			skipping = false
			kept = append(kept, line...)
		}
	}
	return kept, found
}

// rollback gives up the locks that are still held.
func (t *refTransaction) rollback() {
	for i := range t.held {
		t.held[i].lock.rollback()
	}
}
