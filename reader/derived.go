package reader

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
)

// derived is what was worked out from an index, kept as long as that is: the
// next question of an open repository need not do it again.
type derived struct {
	ix      *index.Index
	folders *folders

	tree   plumbing.Hash // that staged compares with; zero when staged is not known
	staged []Change
}

// folders are the directories of an index in its order, each before those
// inside it; the first is the top.
type folders struct {
	places  []place
	skipped bool // some entries are outside the sparse checkout
	modules bool // some are submodules

	listings listings // of the folders in the work tree
}

// place is where a directory ends: the position of the entry behind it, and
// that of the directory behind it.
type place struct{ end, next int32 }

// behind returns where the directory at a place ends.
func (f *folders) behind(place int) (entry, next int) {
	p := f.places[place]
	return int(p.end), int(p.next)
}

// foldersOf returns the directories of ix.
func (r *Repository) foldersOf(ix *index.Index) *folders {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.derived.ix == ix && r.derived.folders != nil {
		return r.derived.folders
	}
	f := findFolders(ix.Entries)
	if ix == r.index {
		r.derived = derived{ix: ix, folders: f}
	}
	return f
}

func findFolders(entries []index.Entry) *folders {
	f := &folders{places: make([]place, 1)}
	type open struct {
		path string
		at   int
	}
	stack := []open{{}}
	leave := func(entry int) {
		top := stack[len(stack)-1]
		f.places[top.at] = place{int32(entry), int32(len(f.places))}
		stack = stack[:len(stack)-1]
	}
	for i := range entries {
		name := entries[i].Name
		f.skipped = f.skipped || entries[i].SkipWorktree
		f.modules = f.modules || entries[i].Mode == modeGitlink
		for !strings.HasPrefix(name, stack[len(stack)-1].path) {
			leave(i)
		}
		for from := len(stack[len(stack)-1].path); ; {
			slash := strings.IndexByte(name[from:], '/')
			if slash < 0 {
				break
			}
			from += slash + 1
			stack = append(stack, open{name[:from], len(f.places)})
			f.places = append(f.places, place{})
		}
	}
	for len(stack) > 0 {
		leave(len(entries))
	}
	f.listings = make(listings, len(f.places))
	return f
}

// knownStaged returns the changes from a tree to an index, if they are kept.
func (r *Repository) knownStaged(ix *index.Index, tree plumbing.Hash) ([]Change, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.derived.ix == ix && r.derived.tree == tree && !tree.IsZero() && !r.replacing
	return append([]Change(nil), r.derived.staged...), known
}

// keepStaged keeps the changes from a tree to an index, unless they are many.
func (r *Repository) keepStaged(ix *index.Index, tree plumbing.Hash, changes []Change) {
	const many = 1000
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.derived.ix == ix && len(changes) <= many && !r.replacing {
		r.derived.tree, r.derived.staged = tree, append([]Change(nil), changes...)
	}
}
