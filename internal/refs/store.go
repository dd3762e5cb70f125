package refs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/mapped"
	"github.com/ingit-dev/ingit/sandbox"
)

// maxDepth is how many symbolic refs git follows, the first name included.
const maxDepth = 5

// maxRefFile bounds a loose ref's file; a valid one has one line.
const maxRefFile = 1 << 16

// Ref is a reference as it is stored, or as Resolve found it.
type Ref struct {
	Name    string        // full name
	ID      plumbing.Hash // zero for a symbolic ref in Read, and for a broken one
	Target  string        // what a symbolic ref names; "" otherwise
	Peeled  plumbing.Hash // the object that an annotated tag peels to, when packed-refs tells; else zero
	Broken  bool          // there, but with no usable value
	BadName bool          // Broken because of its name
}

// NotFoundError is a ref that does not exist; it is fs.ErrNotExist.
type NotFoundError struct{ Name string }

// Error names the ref.
func (e *NotFoundError) Error() string { return fmt.Sprintf("reference '%s' not found", e.Name) }

// Is makes errors.Is(err, fs.ErrNotExist) hold.
func (e *NotFoundError) Is(target error) bool { return target == fs.ErrNotExist }

// BrokenError is a ref whose value cannot be used.
type BrokenError struct{ Name string }

// Error names the ref.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("unable to resolve reference '%s': reference broken", e.Name)
}

// Store reads the refs of one work tree. It is safe for concurrent use: the
// packed-refs file is kept until its stat data change, loose refs are read
// each time.
type Store struct {
	gitDir, commonDir *sandbox.Dir

	mu         sync.Mutex
	packed     *packed
	packedStat sandbox.Stat
}

// Open returns the store of a work tree's git directory and the common
// directory, which are the same handle in an ordinary repository. Nothing is
// read yet.
func Open(gitDir, commonDir *sandbox.Dir) *Store {
	return &Store{gitDir: gitDir, commonDir: commonDir}
}

func (s *Store) dir(p place) *sandbox.Dir {
	if p.common {
		return s.commonDir
	}
	return s.gitDir
}

// Place returns the directory whose file a ref is when it is loose, and the
// path of that file below it. The name must be valid (ValidName).
func (s *Store) Place(name string) (*sandbox.Dir, string) {
	p := locate(name)
	return s.dir(p), p.path
}

// Read returns one ref without following it: a loose one first, then a packed
// one. A missing ref is a *NotFoundError, a bad name a *NameError.
func (s *Store) Read(name string) (Ref, error) {
	if !ValidName(name) {
		return Ref{}, &NameError{Name: name}
	}
	p := locate(name)
	ref, found, err := readLoose(s.dir(p), p.path)
	if err != nil {
		return Ref{}, err
	}
	if found {
		ref.Name = name
		return ref, nil
	}
	packed, err := s.packedRefs()
	if err != nil {
		return Ref{}, err
	}
	ref, ok, err := packed.find(name)
	if err == nil && !ok {
		err = &NotFoundError{Name: name}
	}
	return ref, err
}

// Resolve follows symbolic refs to an id. The result's Name is the last name
// reached; with a *NotFoundError, too, it tells which ref is yet unborn. A
// value that cannot be used, or more than five steps, is a *BrokenError.
func (s *Store) Resolve(name string) (Ref, error) {
	reached := name
	for range maxDepth {
		ref, err := s.Read(reached)
		switch {
		case err != nil:
			return Ref{Name: reached}, err
		case ref.Broken:
			return Ref{Name: reached, Broken: true}, &BrokenError{Name: name}
		case ref.Target == "":
			return ref, nil
		case !ValidName(ref.Target):
			return Ref{Name: reached, Target: ref.Target, Broken: true}, &BrokenError{Name: name}
		}
		reached = ref.Target
	}
	return Ref{Name: reached, Broken: true}, &BrokenError{Name: name}
}

// readLoose reads one loose ref below dir. A directory, or nothing, is not
// found.
func readLoose(dir *sandbox.Dir, path string) (ref Ref, found bool, err error) {
	data, err := dir.ReadFile(path, maxRefFile)
	switch {
	case err == nil:
		return parseLoose(data), true, nil
	case errors.Is(err, sandbox.ErrSymlink):
		return readLink(dir, path)
	}
	return unreadable(dir, path, err)
}

// unreadable tells what is there when a ref's file could not be read.
func unreadable(dir *sandbox.Dir, path string, err error) (Ref, bool, error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, sandbox.ErrNotDir) {
		return Ref{}, false, nil
	}
	if stat, err := dir.Lstat(path); err == nil && stat.IsDir() {
		return Ref{}, false, nil
	}
	return Ref{Broken: true}, true, nil
}

// readLink reads a ref that is a link or lies behind one: a link to "refs/…"
// is a symbolic ref, as git made them once; any other is followed, but never
// out of the workspace.
func readLink(dir *sandbox.Dir, path string) (Ref, bool, error) {
	if target, err := dir.Readlink(path); err == nil && strings.HasPrefix(target, "refs/") && ValidName(target) {
		return Ref{Target: target}, true, nil
	}
	f, err := dir.OpenFollow(path)
	if err != nil {
		return unreadable(dir, path, err)
	}
	defer f.Close()
	data := make([]byte, min(f.Size(), maxRefFile))
	n, _ := f.ReadAt(data, 0)
	return parseLoose(data[:n]), true, nil
}

// packedRefs returns the packed-refs file as it is now.
func (s *Store) packedRefs() (*packed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stat, err := s.commonDir.Lstat("packed-refs")
	if errors.Is(err, fs.ErrNotExist) {
		s.packed, s.packedStat = &packed{}, sandbox.Stat{}
		return s.packed, nil
	}
	if s.packed != nil && err == nil && stat == s.packedStat && stat.IsRegular() {
		return s.packed, nil
	}
	file, err := mapped.Open(s.commonDir, "packed-refs", false)
	if err != nil {
		return nil, err
	}
	parsed, err := openPacked(file)
	file.Close()
	if err != nil {
		return nil, err
	}
	s.packed, s.packedStat = parsed, file.Stat()
	return parsed, nil
}
