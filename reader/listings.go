package reader

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ingit-dev/ingit/sandbox"
)

// listing is what a folder held beside what the index knows of it when it was
// read, and the folder's stat data before that: a name that comes or goes
// changes the times of its directory, by which git's untracked cache goes too.
type listing struct {
	stat   sandbox.Stat
	plain  bool // there is no ignore file in it
	others []otherName
}

// otherName is a name of a listing that the index does not account for.
type otherName struct {
	sandbox.Entry
	unknown bool // else the index has it as something else
}

// listings are kept with the folders of an index, by their places.
type listings []atomic.Pointer[listing]

// settledSeconds is how long before a walk a directory must have changed last
// for its times to change with the next name.
const settledSeconds = 2

// listingPlace is where the folder's listing is kept, nil when it is not.
func (f *folder) listingPlace() *atomic.Pointer[listing] {
	if f.first == 0 || f.scan.ignoreCase || fewStatFields {
		return nil
	}
	return &f.scan.folders.listings[f.first-1]
}

// kept returns the folder's listing if it is still right, else a new one to be
// filled and given to keep; nil when it is not worth keeping.
func (f *folder) kept() (known, fresh *listing) {
	place := f.listingPlace()
	if place == nil {
		return nil, nil
	}
	if f.seen.MTime.Sec+settledSeconds > f.scan.began.Unix() {
		return nil, nil
	}
	if old := place.Load(); old != nil && old.stat == f.seen {
		return old, nil
	}
	return nil, &listing{stat: f.seen}
}

// keep keeps a listing with these others for the next walk, unless they are many.
func (f *folder) keep(l *listing, others ...otherName) {
	const many = 100
	if l == nil || len(others) > many {
		return
	}
	l.plain, l.others = f.plain, slices.Clone(others)
	for i := range l.others { // the names lie in the text of the whole directory
		l.others[i].Name = strings.Clone(l.others[i].Name)
	}
	f.listingPlace().Store(l)
}
