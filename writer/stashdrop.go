package writer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

// stashDrop is the removal of the newest stash: its log loses the last line, and the ref goes back to the one before.
type stashDrop struct {
	id plumbing.Hash // what must be dropped
}

func (w *Writer) planStashDrop(plan *Plan) error {
	ref, err := w.repo.Refs().Resolve(stashRef)
	if err != nil {
		return ErrNoStash
	}
	plan.drop = &stashDrop{ref.ID}
	plan.Trailer = fmt.Sprintf("Dropped refs/stash@{0} (%s)\n", ref.ID)
	return nil
}

// dropStash carries the drop out, under the ref's lock.
func (p *Plan) dropStash() error {
	if p.drop == nil {
		return nil
	}
	store := p.w.repo.Refs()
	dir, path := store.Place(stashRef)
	held, err := lockRef(dir, path)
	if err != nil {
		return err
	}
	defer held.rollback()
	now, err := store.Read(stashRef)
	if err != nil || now.ID != p.drop.id {
		return &ChangedError{"the stash"}
	}
	entries, err := store.Reflog(stashRef)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// A log that ends with another stash lost its line already, in a call that died before it changed the ref.
	logged := len(entries) > 0 && entries[len(entries)-1].New == p.drop.id
	if logged {
		entries = entries[:len(entries)-1]
	}
	if len(entries) == 0 {
		t := &refTransaction{store: store, log: &reflog{}, durable: p.w.fsync.reference}
		return t.remove(&heldRef{refChange: refChange{name: stashRef}, dir: dir, path: path, lock: held})
	}
	if logged {
		if err := cutLog(dir, refs.LogPath(path)); err != nil {
			return err
		}
	}
	if _, err := held.Write([]byte(entries[len(entries)-1].New.String() + "\n")); err != nil {
		return err
	}
	return held.commit(p.w.fsync.reference)
}

// cutLog takes the last line off a log.
func cutLog(dir *sandbox.Dir, path string) error {
	log, err := dir.ReadFile(path, 0)
	if err != nil {
		return err
	}
	return replaceFile(dir, path, 0o666, withoutLastLine(log))
}

func withoutLastLine(log []byte) []byte {
	log = bytes.TrimSuffix(log, []byte("\n"))
	return log[:bytes.LastIndexByte(log, '\n')+1]
}
