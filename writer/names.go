package writer

import (
	"strings"

	"github.com/ingit-dev/ingit/internal/dotgit"
	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/index"
)

// pathRules refuses names that some platform would take for the git directory, or for more than a name: what
// core.protectNTFS and core.protectHFS ask for (git-config(1)).
type pathRules struct{ ntfs, hfs bool }

func newPathRules(config *gitconfig.Config) (pathRules, error) {
	ntfs, err := config.Bool("core.protectNTFS", true)
	if err != nil {
		return pathRules{}, err
	}
	hfs, err := config.Bool("core.protectHFS", false)
	return pathRules{ntfs, hfs}, err
}

// check returns an *index.InvalidPathError for a path that may be neither in the index nor in the work tree.
func (r pathRules) check(path string, mode uint32) error {
	if !index.ValidPath(path) || strings.ContainsRune(path, 0) {
		return &index.InvalidPathError{Name: path}
	}
	link := mode == index.ModeSymlink
	for part := range strings.SplitSeq(path, "/") {
		if r.trap(part, link) {
			return &index.InvalidPathError{Name: path}
		}
	}
	return nil
}

// trap reports whether a component means .git to some file system, or .gitmodules when that would be a link.
func (r pathRules) trap(part string, link bool) bool {
	if link && strings.EqualFold(part, ".gitmodules") {
		return true
	}
	if r.hfs && (dotgit.HFSGit(part) || link && dotgit.Modules.HFS(part)) {
		return true
	}
	if !r.ntfs {
		return false
	}
	for name := range strings.SplitSeq(part, `\`) {
		if dotgit.NTFSGit(name) || link && dotgit.Modules.NTFS(name) {
			return true
		}
	}
	return false
}
