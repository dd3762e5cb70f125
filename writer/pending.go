package writer

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/odb"
)

// keptBytes bounds the content that a plan holds in memory. Blobs beyond it are read again when they are stored.
const keptBytes = 64 << 20

// pendingObject is an object that a plan will store.
type pendingObject struct {
	id   plumbing.Hash
	kind plumbing.ObjectType
	data []byte                 // nil when read again
	read func() ([]byte, error) // the content anew
}

// pendingObjects are the objects that a plan will store, known by their ids as if they were stored.
type pendingObjects struct {
	db     *odb.Database
	hasher hasher
	list   []pendingObject
	at     map[plumbing.Hash]int
	kept   int
}

func newPendingObjects(db *odb.Database) *pendingObjects {
	return &pendingObjects{db: db, hasher: newHasher(), at: map[plumbing.Hash]int{}}
}

// has reports whether the object is stored or will be.
func (p *pendingObjects) has(id plumbing.Hash) bool {
	_, ok := p.at[id]
	return ok || p.db.Stored(id)
}

// add plans an object unless it is there, and returns its id. The data are kept.
func (p *pendingObjects) add(kind plumbing.ObjectType, data []byte) (plumbing.Hash, error) {
	id, err := p.hasher.id(kind, data)
	if err == nil && !p.has(id) {
		p.put(pendingObject{id: id, kind: kind, data: data})
	}
	return id, err
}

// addBlob plans a blob of known id whose content can be read again, so that a plan of many files stays small.
func (p *pendingObjects) addBlob(id plumbing.Hash, data []byte, read func() ([]byte, error)) {
	if p.has(id) {
		return
	}
	if p.kept+len(data) > keptBytes {
		data = nil
	}
	p.kept += len(data)
	p.put(pendingObject{id: id, kind: plumbing.BlobObject, data: data, read: read})
}

func (p *pendingObjects) put(o pendingObject) {
	p.at[o.id] = len(p.list)
	p.list = append(p.list, o)
}

// content returns what to store, read again where the plan did not keep it: a *ChangedError when it is no longer the same.
func (o *pendingObject) content(h hasher) ([]byte, error) {
	if o.data != nil || o.read == nil {
		return o.data, nil
	}
	data, err := o.read()
	if err != nil {
		return nil, err
	}
	if id, err := h.id(o.kind, data); err != nil || id != o.id {
		return nil, &ChangedError{What: fmt.Sprintf("the content of object %s", o.id)}
	}
	return data, nil
}

// read returns an object, stored or still to be stored.
func (p *pendingObjects) read(id plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	if at, ok := p.at[id]; ok {
		data, err := p.list[at].content(p.hasher)
		return p.list[at].kind, data, err
	}
	return p.db.Read(id)
}
