package diffrender

import (
	"bytes"
	"context"
	"crypto/sha1"
	"iter"
	"strconv"

	"github.com/ingit-dev/ingit/reader"
)

// defaultBig is git's default of core.bigFileThreshold.
const defaultBig = 512 << 20

// files adds the contents of both sides to changes, which must come from
// comparing q's sides. A FileDiff's data is valid until the next one is asked
// for. An error of changes, or of reading a content, ends the sequence.
func files(ctx context.Context, r *reader.Repository, q *Request, changes iter.Seq2[reader.Change, error]) iter.Seq2[*FileDiff, error] {
	return func(yield func(*FileDiff, error) bool) {
		l, err := newLoader(ctx, r, q)
		if err != nil {
			yield(nil, err)
			return
		}
		defer l.close()
		for c, err := range changes {
			if err == nil {
				err = ctx.Err()
			}
			d := &l.diff
			if err == nil {
				err = l.load(c)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

// loader reads the contents of one change after another.
type loader struct {
	repo     *reader.Repository
	workTree bool // the new side is the work tree
	revision bool // the old side is not the index
	old, new *reader.SideReader
	drivers  *Drivers
	indexed  bool // they look into the index
	big      int64
	diff     FileDiff
	shared   bool     // both sides are objects
	kept     []byte   // the old side's content, copied
	texts    [][]byte // of a merge: the memory of all its contents
}

func newLoader(ctx context.Context, r *reader.Repository, q *Request) (*loader, error) {
	l := &loader{repo: r, workTree: q.New == reader.WorkTreeSide, revision: q.Old != reader.IndexSide}
	var err error
	if l.big, err = r.Config().Int("core.bigfilethreshold", defaultBig); err != nil {
		return nil, err
	}
	l.shared = fromObjects(q.Old) && fromObjects(q.New)
	l.indexed = !l.shared
	work, err := q.cleaner(ctx, r)
	if err != nil {
		return nil, err
	}
	if l.drivers, err = NewDrivers(r, work, l.indexed); err != nil {
		return nil, err
	}
	l.old, l.new = r.SideReader(q.Old, work), r.SideReader(q.New, work)
	return l, nil
}

// cleaner returns what contents of the work tree are read with, nil when it is
// not a side. The comparison shares it.
func (q *Request) cleaner(ctx context.Context, r *reader.Repository) (*reader.Cleaner, error) {
	if q.Changes.Cleaner != nil || q.Old != reader.WorkTreeSide && q.New != reader.WorkTreeSide {
		return q.Changes.Cleaner, nil
	}
	ix, err := r.Index()
	if err != nil {
		return nil, err
	}
	q.Changes.Cleaner, err = r.Cleaner(ctx, ix)
	return q.Changes.Cleaner, err
}

func (l *loader) close() {
	l.old.Close()
	l.new.Close()
}

// fromObjects says that a side is there without the index.
func fromObjects(side reader.Side) bool {
	return side != reader.IndexSide && side != reader.WorkTreeSide
}

// meet notes that a change is looked at: that of a submodule makes git read
// the index, for .gitmodules, and .gitattributes files in it count from then on.
func (l *loader) meet(c *reader.Change) (err error) {
	if l.indexed || c.Old.Mode != modeGitlink && c.New.Mode != modeGitlink {
		return nil
	}
	l.indexed = true
	l.drivers, err = NewDrivers(l.repo, nil, true)
	return err
}

// load fills in l.diff.
func (l *loader) load(c reader.Change) error {
	d := &l.diff
	*d = FileDiff{Change: c}
	if c.Kind == reader.Unmerged {
		return nil
	}
	if err := l.meet(&c); err != nil {
		return err
	}
	if err := l.loadSide(l.old, &d.Old, &d.OldDriver, &d.OldData, &d.oldSize); err != nil {
		return err
	}
	if err := l.loadSide(l.beside(d), &d.New, &d.NewDriver, &d.NewData, &d.newSize); err != nil {
		return err
	}
	if err := l.compareHashes(d); err != nil {
		return err
	}
	d.OldBig, d.NewBig = d.oldSize > 0, d.newSize > 0
	if c.Submodule.Modified || c.Submodule.Untracked {
		d.NewData = append(bytes.TrimSuffix(d.NewData, []byte("\n")), "-dirty\n"...)
	}
	return nil
}

// maxShared is the length, in bytes, up to which the old side's content is
// copied so that one reader serves both sides.
const maxShared = 1 << 20

// beside returns the reader of the new side, once the old one is there. Where
// both are objects it is the same as a rule: the one is often a delta that
// leads to the other, which need not be followed twice.
func (l *loader) beside(d *FileDiff) *reader.SideReader {
	if !l.shared || len(d.OldData) > maxShared {
		return l.new
	}
	l.kept = append(l.kept[:0], d.OldData...)
	if d.OldData != nil {
		d.OldData = l.kept
	}
	return l.old
}

// loadSide fills in what belongs to the entry e of one side.
func (l *loader) loadSide(side *reader.SideReader, e *reader.Entry, driver **Driver, data *[]byte, size *int) (err error) {
	if !e.Present() {
		return nil
	}
	if *driver, err = l.drivers.ofEntry(e); err != nil {
		return err
	}
	if *data, *size, err = l.read(side, *e); err != nil {
		return err
	}
	if !e.IDKnown && *size == 0 {
		e.ID, e.IDKnown = blobID(*data), true
	}
	return nil
}

// compareHashes finds out whether git would know that both sides have the same
// content: in the work tree it does only of files that the index knows to be
// unchanged.
func (l *loader) compareHashes(d *FileDiff) error {
	if !l.workTree || d.Old.ID != d.New.ID || !d.New.Present() {
		return nil
	}
	ix, err := l.repo.Index()
	if err != nil {
		return err
	}
	if d.New.Mode == modeGitlink {
		at, ok := ix.FindAny(d.New.Path)
		d.unhashed = l.revision && ok && ix.Entries[at].ID != d.New.ID
		return nil
	}
	at, ok := ix.Find(d.New.Path, 0)
	d.unhashed = !ok || ix.Entries[at].Mode != d.New.Mode || ix.Entries[at].ID != d.New.ID
	return nil
}

// read returns the content of a present side, or only its size if it is too big.
func (l *loader) read(side *reader.SideReader, e reader.Entry) (data []byte, size int, err error) {
	data, n, err := side.ReadUpTo(e, l.big)
	if n > l.big {
		return nil, int(n), err
	}
	return data, 0, err
}

// blobID returns the id that data has as a blob.
func blobID(data []byte) Hash {
	h := sha1.New()
	h.Write(append(strconv.AppendInt([]byte("blob "), int64(len(data)), 10), 0))
	h.Write(data)
	return Hash(h.Sum(nil))
}
