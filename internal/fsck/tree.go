package fsck

import (
	"bytes"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/dotgit"
	"github.com/ingit-dev/ingit/internal/object"
)

// treeFaults are the faults that a tree is told of once, however many of its
// entries have them, in the order in which they are told.
var treeFaults = [...]struct{ id, text string }{
	{"nullSha1", "contains entries pointing to null sha1"},
	{"fullPathname", "contains full pathnames"},
	{"emptyName", "contains empty pathname"},
	{"hasDot", "contains '.'"},
	{"hasDotdot", "contains '..'"},
	{"hasDotgit", "contains '.git'"},
	{"zeroPaddedFilemode", "contains zero-padded file modes"},
	{"badFilemode", "contains bad file modes"},
	{"duplicateEntries", "contains duplicate file entries"},
	{"treeNotSorted", "not properly sorted"},
}

// entryFaults has a flag for each of treeFaults.
type entryFaults [len(treeFaults)]bool

const (
	nullID = iota
	slash
	noName
	dot
	dotdot
	hasGit
	zeroPadded
	badMode
	twice
	unordered
)

func (c *Checker) tree(data []byte) {
	var found entryFaults
	names := nameOrder{}
	for iter := object.NewTreeIter(data); ; {
		padded := bytes.HasPrefix(iter.Rest(), []byte("0"))
		e, more, err := iter.Next()
		if err != nil {
			c.fault("badTree", "cannot be parsed as a tree")
			break
		}
		if !more {
			break
		}
		found[zeroPadded] = found[zeroPadded] || padded
		c.entry(e, &found)
		names.next(e, &found)
	}
	for i, fault := range treeFaults {
		if found[i] {
			c.fault(fault.id, fault.text)
		}
	}
}

// entry looks at one entry alone.
func (c *Checker) entry(e object.TreeEntry, found *entryFaults) {
	name := string(e.Name)
	found[nullID] = found[nullID] || e.ID.IsZero()
	found[slash] = found[slash] || strings.Contains(name, "/")
	found[dot] = found[dot] || name == "."
	found[dotdot] = found[dotdot] || name == ".."
	found[badMode] = found[badMode] || !c.usualMode(e.Raw)
	for i, part := range strings.Split(name, `\`) { // a separator to Windows
		found[hasGit] = found[hasGit] || dotgit.NTFSGit(part) || i == 0 && dotgit.HFSGit(name)
	}
	c.special(name, e)
}

// usualMode reports whether a mode is one that git writes.
func (c *Checker) usualMode(mode uint32) bool {
	switch mode & 0xffff {
	case object.ModeFile, object.ModeExecutable, object.ModeSymlink, object.ModeTree, object.ModeGitlink:
		return true
	case 0o100664: // of git's first months
		return !c.Rules.strict
	}
	return false
}

// special notes the blobs that are looked at later, and links in their place.
func (c *Checker) special(name string, e object.TreeEntry) {
	link := e.Mode == object.ModeSymlink
	is := func(f dotgit.File) bool { return f.HFS(name) || f.NTFS(name) }
	if is(dotgit.Modules) {
		c.note(&c.modules, e.ID, link, "gitmodulesSymlink", ".gitmodules is a symbolic link")
	}
	if is(dotgit.Attributes) {
		c.note(&c.attributes, e.ID, link, "gitattributesSymlink", ".gitattributes is a symlink")
	}
	if link && is(dotgit.Ignore) {
		c.fault("gitignoreSymlink", ".gitignore is a symlink")
	}
	if link && is(dotgit.Mailmap) {
		c.fault("mailmapSymlink", ".mailmap is a symlink")
	}
	for _, part := range strings.Split(name, `\`)[1:] {
		if dotgit.Modules.NTFS(part) {
			c.note(&c.modules, e.ID, link, "gitmodulesSymlink", ".gitmodules is a symbolic link")
		}
	}
}

func (c *Checker) note(files *map[plumbing.Hash]bool, id plumbing.Hash, link bool, fault, text string) {
	if link {
		c.fault(fault, text)
		return
	}
	if *files == nil {
		*files = map[plumbing.Hash]bool{}
	}
	(*files)[id] = true
}

// nameOrder checks that names come in order and once. A directory's name sorts
// as if a slash followed it, so that the same name can come as a file and, with
// others between, as a directory.
type nameOrder struct {
	last  object.TreeEntry
	files [][]byte // that a directory of the same name may still follow
}

func (o *nameOrder) next(e object.TreeEntry, found *entryFaults) {
	last := o.last
	o.last = e
	if last.Name == nil {
		return
	}
	if bytes.Equal(last.Name, e.Name) {
		found[twice] = true
		return
	}
	shared := 0
	for shared < min(len(last.Name), len(e.Name)) && last.Name[shared] == e.Name[shared] {
		shared++
	}
	before, now := follows(last, shared), follows(e, shared)
	if shared == min(len(last.Name), len(e.Name)) {
		if before == 0 && beforeSlash(now) {
			o.files = append(o.files, last.Name)
		} else if now == '/' && beforeSlash(before) && o.file(e.Name) {
			found[twice] = true
			return
		}
	}
	found[unordered] = found[unordered] || before >= now
}

// file reports whether a file of the name came before. Files whose name can
// not come again as a directory are dropped.
func (o *nameOrder) file(name []byte) bool {
	for len(o.files) > 0 {
		file := o.files[len(o.files)-1]
		rest, prefix := bytes.CutPrefix(name, file)
		if prefix && len(rest) > 0 && beforeSlash(rest[0]) {
			return false
		}
		o.files = o.files[:len(o.files)-1]
		if prefix && len(rest) == 0 {
			return true
		}
	}
	return false
}

// follows is the byte after the first n of an entry's name.
func follows(e object.TreeEntry, n int) byte {
	switch {
	case n < len(e.Name):
		return e.Name[n]
	case e.Raw&0o170000 == object.ModeTree:
		return '/'
	}
	return 0
}

func beforeSlash(c byte) bool { return c > 0 && c < '/' }
