package reader

import (
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/sandbox"
)

// parse returns the object that data is the content of, with its links.
func (f *fsckRun) parse(id plumbing.Hash, kind plumbing.ObjectType, data []byte) (*fsckObject, error) {
	o, err := f.table.as(id, kind)
	if err == nil {
		err = f.parseContent(o, data)
	}
	return o, err
}

// parseContent notes the links of a commit or tag. A tree's are read each time.
func (f *fsckRun) parseContent(o *fsckObject, data []byte) (err error) {
	if o.flags&fsckParsed != 0 || o.kind == plumbing.TreeObject {
		return nil
	}
	o.flags |= fsckParsed
	switch o.kind {
	case plumbing.CommitObject:
		return f.parseCommit(o, data)
	case plumbing.TagObject:
		return f.parseTag(o, data)
	}
	return nil
}

func (f *fsckRun) parseCommit(o *fsckObject, data []byte) error {
	tree, _, err := object.CommitTree(o.id, data)
	if err != nil {
		return err
	}
	if err := f.link(o, tree, plumbing.TreeObject, "bad tree %s in commit %s"); err != nil {
		return err
	}
	parents, altered := f.altered[o.id]
	if !altered {
		if parents, _, err = object.CommitParents(o.id, data, nil); err != nil {
			return err
		}
	}
	for _, id := range parents {
		if err := f.link(o, id, plumbing.CommitObject, "bad parent %s in commit %s"); err != nil {
			return err
		}
	}
	return nil
}

// link appends an object to the links of another; format is the complaint when
// it is of another type.
func (f *fsckRun) link(from *fsckObject, id plumbing.Hash, kind plumbing.ObjectType, format string) error {
	to, err := f.table.as(id, kind)
	if err != nil {
		f.say("error: %v", err)
		return fmt.Errorf(format, id, from.id)
	}
	from.links = append(from.links, to)
	return nil
}

func (f *fsckRun) parseTag(o *fsckObject, data []byte) error {
	tag, err := object.ParseTag(o.id, data)
	if err != nil {
		return err
	}
	return f.link(o, tag.Target, tag.TargetType, "bad tag pointer to %s in %s")
}

func tagName(id plumbing.Hash, data []byte) string {
	tag, _ := object.ParseTag(id, data)
	return string(tag.Name)
}

// links calls walk for what an object points to, with nil for what cannot be
// of the type that it is said to be. It reports whether walk ever returned
// false. data is needed for trees.
func (f *fsckRun) links(o *fsckObject, data []byte, walk func(to *fsckObject, kind plumbing.ObjectType) bool) (broken bool) {
	for i, to := range o.links {
		kind := plumbing.CommitObject
		switch {
		case o.kind == plumbing.TagObject:
			kind = plumbing.AnyObject
		case i == 0:
			kind = plumbing.TreeObject
		}
		broken = !walk(to, kind) || broken
	}
	if o.kind != plumbing.TreeObject {
		return broken
	}
	for iter := object.NewTreeIter(data); ; {
		e, more, err := iter.Next()
		if err != nil || !more {
			return broken || err != nil
		}
		kind := plumbing.BlobObject
		switch e.Mode {
		case object.ModeGitlink:
			continue
		case object.ModeTree:
			kind = plumbing.TreeObject
		}
		to, err := f.table.as(e.ID, kind)
		if err != nil {
			f.say("error: %v", err)
		}
		broken = !walk(to, kind) || broken
	}
}

// lookUp returns an object by its name, read if it must be; nil when it is not
// there or damaged.
func (f *fsckRun) lookUp(id plumbing.Hash) (*fsckObject, error) {
	o := f.table.find(id)
	if o != nil && o.flags&fsckParsed != 0 {
		return o, nil
	}
	kind, data, err := f.reader.Read(id)
	if err != nil {
		return nil, f.unread(err)
	}
	found, err := f.parse(id, kind, data)
	if err != nil {
		f.say("error: %v", err)
		return nil, nil
	}
	if kind == plumbing.BlobObject && (o == nil || o.kind == kind) {
		f.table.find(id) // git asks twice
	}
	return found, nil
}

// unread takes note of why an object could not be read, and returns what is
// about more than that object. Git ends at a damaged one.
func (f *fsckRun) unread(err error) error {
	var limit *sandbox.LimitError
	var damaged *odb.CorruptError
	switch {
	case errors.As(err, &limit):
		return err
	case errors.As(err, &damaged):
		f.problem("error: %s", f.shown(damaged.Error()))
	}
	return f.ctx.Err()
}

// reach marks an object as reachable from another, or from the outside when
// parent is nil, and reports whether it is there.
func (f *fsckRun) reach(parent, o *fsckObject, kind plumbing.ObjectType) bool {
	if o == nil {
		f.lacks("broken link from %7s %s", f.typeOf(parent), parent.id)
		f.lacks("broken link from %7s %s", kind, "unknown")
		return false
	}
	if kind != plumbing.AnyObject && o.kind != kind {
		f.problem("error in %s %s: wrong object type in link", f.typeOf(parent), parent.id)
	}
	if o.flags&fsckReachable != 0 {
		return true
	}
	o.flags |= fsckReachable
	switch {
	case o.flags&fsckStored != 0:
		f.pending = append(f.pending, o)
		return true
	case f.promised(o.id):
		return true
	case parent != nil && !f.objects.Has(o.id):
		f.lacks("broken link from %7s %s", f.typeOf(parent), parent.id)
		f.lacks("              to %7s %s", f.typeOf(o), o.id)
	}
	return false
}

// use marks an object that a ref, a reflog or the index names.
func (f *fsckRun) use(o *fsckObject) {
	o.flags |= fsckUsed
	f.reach(nil, o, plumbing.AnyObject)
}

// follow marks everything that is reachable.
func (f *fsckRun) follow() error {
	for len(f.pending) > 0 {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		o := f.pending[len(f.pending)-1]
		f.pending = f.pending[:len(f.pending)-1]
		if err := f.followLinks(o, func(to *fsckObject, kind plumbing.ObjectType) bool { return f.reach(o, to, kind) }); err != nil {
			return err
		}
	}
	return nil
}

// followLinks is links for an object that may have to be read.
func (f *fsckRun) followLinks(o *fsckObject, walk func(to *fsckObject, kind plumbing.ObjectType) bool) error {
	if o.kind == plumbing.InvalidObject {
		kind, _, err := f.objects.Header(o.id)
		if err != nil {
			return f.unread(err)
		}
		o.kind = kind
	}
	var data []byte
	if o.flags&fsckParsed == 0 && o.kind != plumbing.BlobObject && !f.fromGraph(o) {
		var err error
		if _, data, err = f.reader.Read(o.id); err != nil {
			f.say("error: Could not read %s", o.id)
			return f.unread(err)
		}
		if err := f.parseContent(o, data); err != nil {
			f.say("error: %v", err)
			return nil
		}
	}
	f.links(o, data, walk)
	return nil
}

// fromGraph notes the links of a commit by the commit-graph; false when that
// doesn't know them.
func (f *fsckRun) fromGraph(o *fsckObject) bool {
	if o.kind != plumbing.CommitObject || f.graph == nil {
		return false
	}
	position, ok := f.graph.Find(o.id)
	if !ok {
		return false
	}
	commit, err := f.graph.Commit(position, nil)
	if err != nil {
		return false
	}
	links := make([]*fsckObject, 1, 1+len(commit.Parents))
	for _, parent := range commit.Parents {
		id, err := f.graph.ID(parent)
		if err != nil {
			return false
		}
		to, err := f.table.as(id, plumbing.CommitObject)
		if err != nil {
			return false
		}
		links = append(links, to)
	}
	if links[0], err = f.table.as(commit.Tree, plumbing.TreeObject); err != nil {
		return false
	}
	o.flags |= fsckParsed
	o.links = links
	return true
}
