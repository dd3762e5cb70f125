package reader

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

// Storer gives go-git's code the repository's objects and refs: pass it to
// object.GetCommit, object.NewCommitPreorderIter and the like. It may be used
// from many goroutines at once, not after Repository.Close. Every write is
// refused with sandbox.ErrReadOnly.
//
// Refs are those of the work tree: HEAD, and everything below refs/.
type Storer struct {
	objects *odb.Database
	refs    *refs.Store
}

var (
	_ storer.EncodedObjectStorer = (*Storer)(nil)
	_ storer.ReferenceStorer     = (*Storer)(nil)
)

// Storer returns the repository's objects and refs for go-git's code.
func (r *Repository) Storer() *Storer { return &Storer{r.objects, r.refs} }

// bigObject is the size from which an object's content isn't held in memory
// by its plumbing.EncodedObject.
const bigObject = 16 << 20

// EncodedObject returns the object id, which must be of the given kind unless
// that is plumbing.AnyObject. One that is missing or of another kind is
// plumbing.ErrObjectNotFound under errors.Is.
func (s *Storer) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	found, size, err := s.objects.Header(id)
	if err != nil {
		return nil, err
	}
	if kind != plumbing.AnyObject && kind != found {
		return nil, plumbing.ErrObjectNotFound
	}
	o := &storedObject{objects: s.objects, id: id, kind: found, size: size}
	if size < bigObject {
		_, o.data, err = s.objects.Read(id)
		o.size = int64(len(o.data))
	}
	return o, err
}

// HasEncodedObject returns nil when the object is here, else
// plumbing.ErrObjectNotFound.
func (s *Storer) HasEncodedObject(id plumbing.Hash) error {
	if s.objects.Has(id) {
		return nil
	}
	return plumbing.ErrObjectNotFound
}

// EncodedObjectSize returns an object's size in bytes without reading its
// content.
func (s *Storer) EncodedObjectSize(id plumbing.Hash) (int64, error) {
	_, size, err := s.objects.Header(id)
	return size, err
}

// IterEncodedObjects iterates over all objects of a kind, in the order of
// their ids.
func (s *Storer) IterEncodedObjects(kind plumbing.ObjectType) (storer.EncodedObjectIter, error) {
	ids, err := s.objects.Expand("")
	if err != nil {
		return nil, err
	}
	return &objectIter{storer: s, kind: kind, ids: ids}, nil
}

// NewEncodedObject returns an object in memory, as go-git's code uses it for
// intermediate results. It cannot be stored.
func (s *Storer) NewEncodedObject() plumbing.EncodedObject { return &plumbing.MemoryObject{} }

// SetEncodedObject is refused with sandbox.ErrReadOnly.
func (s *Storer) SetEncodedObject(plumbing.EncodedObject) (plumbing.Hash, error) {
	return plumbing.ZeroHash, sandbox.ErrReadOnly
}

// AddAlternate is refused with sandbox.ErrReadOnly.
func (s *Storer) AddAlternate(string) error { return sandbox.ErrReadOnly }

// storedObject is an object of the database, its content in memory unless it
// is big.
type storedObject struct {
	objects *odb.Database
	id      plumbing.Hash
	kind    plumbing.ObjectType
	size    int64
	data    []byte
}

func (o *storedObject) Hash() plumbing.Hash             { return o.id }
func (o *storedObject) Type() plumbing.ObjectType       { return o.kind }
func (o *storedObject) Size() int64                     { return o.size }
func (o *storedObject) SetType(plumbing.ObjectType)     {}
func (o *storedObject) SetSize(int64)                   {}
func (o *storedObject) Writer() (io.WriteCloser, error) { return nil, sandbox.ErrReadOnly }

func (o *storedObject) Reader() (io.ReadCloser, error) {
	if o.data != nil || o.size == 0 {
		return io.NopCloser(bytes.NewReader(o.data)), nil
	}
	_, _, content, err := o.objects.Stream(o.id)
	return content, err
}

// objectIter yields the objects of a kind among ids.
type objectIter struct {
	storer *Storer
	kind   plumbing.ObjectType
	ids    []plumbing.Hash
}

func (it *objectIter) Next() (plumbing.EncodedObject, error) {
	for len(it.ids) > 0 {
		id := it.ids[0]
		it.ids = it.ids[1:]
		o, err := it.storer.EncodedObject(it.kind, id)
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			return o, err
		}
	}
	return nil, io.EOF
}

func (it *objectIter) ForEach(visit func(plumbing.EncodedObject) error) error {
	defer it.Close()
	for {
		o, err := it.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = visit(o)
		}
		if err == storer.ErrStop {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (it *objectIter) Close() { it.ids = nil }

// Reference returns a ref as it is stored. A missing one is
// plumbing.ErrReferenceNotFound.
func (s *Storer) Reference(name plumbing.ReferenceName) (*plumbing.Reference, error) {
	ref, err := s.refs.Read(name.String())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, plumbing.ErrReferenceNotFound
	}
	if err != nil {
		return nil, err
	}
	return reference(ref), nil
}

// IterReferences iterates over HEAD and all refs below refs/, without broken
// ones.
func (s *Storer) IterReferences() (storer.ReferenceIter, error) {
	list, err := s.refs.List("refs/")
	if err != nil {
		return nil, err
	}
	var all []*plumbing.Reference
	if head, err := s.refs.Read("HEAD"); err == nil {
		all = append(all, reference(head))
	}
	for _, ref := range list {
		if !ref.Broken {
			all = append(all, reference(ref))
		}
	}
	return storer.NewReferenceSliceIter(all), nil
}

func reference(ref refs.Ref) *plumbing.Reference {
	name := plumbing.ReferenceName(ref.Name)
	if ref.Target != "" {
		return plumbing.NewSymbolicReference(name, plumbing.ReferenceName(ref.Target))
	}
	return plumbing.NewHashReference(name, ref.ID)
}

// CountLooseRefs returns 0: nothing here packs refs.
func (s *Storer) CountLooseRefs() (int, error) { return 0, nil }

// SetReference is refused with sandbox.ErrReadOnly.
func (s *Storer) SetReference(*plumbing.Reference) error { return sandbox.ErrReadOnly }

// CheckAndSetReference is refused with sandbox.ErrReadOnly.
func (s *Storer) CheckAndSetReference(_, _ *plumbing.Reference) error { return sandbox.ErrReadOnly }

// RemoveReference is refused with sandbox.ErrReadOnly.
func (s *Storer) RemoveReference(plumbing.ReferenceName) error { return sandbox.ErrReadOnly }

// PackRefs is refused with sandbox.ErrReadOnly.
func (s *Storer) PackRefs() error { return sandbox.ErrReadOnly }
