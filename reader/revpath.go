package reader

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/posixre"
)

// relative makes "./x" and "../x" paths below the top of the work tree; other
// paths are from the top already.
func (s *resolver) relative(name string) (string, error) {
	if name != "." && name != ".." && !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") {
		return name, nil
	}
	if _, err := s.repo.WorkTree(); err != nil {
		return "", s.fail("relative path syntax can't be used outside working tree")
	}
	full := path.Join("/top", s.repo.Prefix(), name)
	if full != "/top" && !strings.HasPrefix(full, "/top/") {
		return "", s.fail("'%s' is outside repository at '%s'", name, s.repo.workTree.Path())
	}
	full = strings.TrimPrefix(strings.TrimPrefix(full, "/top"), "/")
	return full, nil
}

// inTree resolves "REV:path".
func (s *resolver) inTree(treeish plumbing.Hash, rev, name string) (plumbing.Hash, error) {
	full, err := s.relative(name)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	tree, err := s.repo.peelTo(treeish, plumbing.TreeObject)
	if err != nil {
		return plumbing.ZeroHash, s.missingPath(rev, full)
	}
	entry, ok, err := s.repo.EntryAt(tree, full)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if !ok {
		return plumbing.ZeroHash, s.missingPath(rev, full)
	}
	s.path, s.mode = full, entry.Mode
	return entry.ID, nil
}

// EntryAt finds the entry of a path below a tree; "" is the tree itself. It
// reports false when there is none.
func (r *Repository) EntryAt(tree plumbing.Hash, name string) (object.TreeEntry, bool, error) {
	entry := object.TreeEntry{Mode: object.ModeTree, ID: tree}
	name = strings.TrimRight(name, "/")
	reader := r.objects.NewReader()
	defer reader.Close()
	for name != "" {
		var first string
		first, name, _ = strings.Cut(name, "/")
		if entry.Mode != object.ModeTree {
			return object.TreeEntry{}, false, nil
		}
		kind, data, err := reader.Read(entry.ID)
		if err != nil {
			return object.TreeEntry{}, false, err
		}
		if kind != plumbing.TreeObject {
			return object.TreeEntry{}, false, &TypeError{ID: entry.ID, Have: kind, Want: plumbing.TreeObject}
		}
		found, ok, err := object.FindEntry(data, first)
		if err != nil || !ok {
			return object.TreeEntry{}, false, err
		}
		found.Name = bytes.Clone(found.Name)
		entry = found
	}
	return entry, true, nil
}

// missingPath says what git says about a path that a tree lacks.
func (s *resolver) missingPath(rev, name string) error {
	if dir, err := s.repo.WorkTree(); err == nil {
		if _, err := dir.Lstat(name); err == nil {
			return s.fail("path '%s' exists on disk, but not in '%s'", name, rev)
		}
	}
	return s.fail("path '%s' does not exist in '%s'", name, rev)
}

// inIndex resolves ":path" and ":N:path".
func (s *resolver) inIndex(rev string) (plumbing.Hash, error) {
	stage, name := uint8(0), rev[1:]
	if len(rev) >= 3 && rev[2] == ':' && rev[1] >= '0' && rev[1] <= '3' {
		stage, name = rev[1]-'0', rev[3:]
	}
	full, err := s.relative(name)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	ix, err := s.repo.Index()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if i, ok := ix.Find(full, stage); ok {
		s.path, s.mode = full, ix.Entries[i].Mode
		return ix.Entries[i].ID, nil
	}
	return plumbing.ZeroHash, s.notInIndex(full, stage)
}

func (s *resolver) notInIndex(name string, stage uint8) error {
	if name == "" {
		return errNoMatch
	}
	ix, err := s.repo.Index()
	if err != nil {
		return err
	}
	for other := uint8(0); other <= 3; other++ {
		if _, ok := ix.Find(name, other); ok {
			return s.fail("path '%s' is in the index, but not at stage %d\nhint: Did you mean ':%d:%s'?", name, stage, other, name)
		}
	}
	if dir, err := s.repo.WorkTree(); err == nil {
		if _, err := dir.Lstat(name); err == nil {
			return s.fail("path '%s' exists on disk, but not in the index", name)
		}
	}
	return s.fail("path '%s' does not exist (neither on disk nor in the index)", name)
}

// anyMessage resolves ":/text": the youngest commit with that message that any
// ref leads to.
func (s *resolver) anyMessage(text string) (plumbing.Hash, error) {
	all, err := s.repo.refs.List("refs/")
	if err != nil {
		return plumbing.ZeroHash, err
	}
	var tips []plumbing.Hash
	for _, ref := range all {
		if ref.Broken {
			continue
		}
		if id, err := s.repo.peelTo(ref.ID, plumbing.CommitObject); err == nil {
			tips = append(tips, id)
		}
	}
	if head, err := s.repo.Head(); err == nil && !head.Unborn {
		tips = append(tips, head.ID)
	}
	return s.message(text, tips)
}

// message finds the youngest commit from the tips on whose message matches:
// "!-text" is the negation, "!!text" begins with a "!".
func (s *resolver) message(text string, tips []plumbing.Hash) (plumbing.Hash, error) {
	negative := false
	if rest, ok := strings.CutPrefix(text, "!"); ok {
		if text = rest; strings.HasPrefix(rest, "-") {
			text, negative = rest[1:], true
		} else if !strings.HasPrefix(rest, "!") {
			return plumbing.ZeroHash, errNoMatch
		}
	}
	pattern, err := posixre.Compile(text, posixre.Options{Extended: true})
	if err != nil {
		return plumbing.ZeroHash, errNoMatch
	}
	if len(tips) == 0 {
		return plumbing.ZeroHash, errNoMatch
	}
	for commit, err := range s.repo.Log(s.ctx, LogOptions{Tips: tips}) {
		if err != nil {
			return plumbing.ZeroHash, err
		}
		_, message, ok := bytes.Cut(commit.Data, []byte("\n\n"))
		if end := bytes.IndexByte(message, 0); end >= 0 {
			message = message[:end]
		}
		if negative != (ok && pattern.Match(message)) {
			return commit.ID, nil
		}
	}
	return plumbing.ZeroHash, errNoMatch
}
