package reader

import (
	"fmt"
	"io/fs"
	"strconv"

	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// ShareError says that core.sharedRepository would lock the owner out.
type ShareError struct{ Mode uint64 }

// Error is git's text.
func (e *ShareError) Error() string {
	return fmt.Sprintf("problem with core.sharedRepository filemode value (0%.3o).\n"+
		"The owner of files must always have read and write permissions.", e.Mode)
}

// share has new files of the git directory accessible to those whom
// core.sharedRepository names (git-config(1)).
func (r *Repository) share() error {
	perm, exact, err := sharedPerm(r.config)
	if err != nil || perm == 0 {
		return err
	}
	share := func(old fs.FileMode, isDir bool) fs.FileMode { return sharedMode(old, perm, exact, isDir) }
	r.layout.gitDir.Share(share)
	r.layout.commonDir.Share(share)
	return nil
}

// sharedPerm reads core.sharedRepository: permissions to add, or the exact
// ones; 0 leaves all to the umask.
func sharedPerm(config *gitconfig.Config) (perm fs.FileMode, exact bool, err error) {
	const group, everybody = 0o660, 0o664
	value, ok := config.Get("core.sharedRepository")
	switch {
	case !ok || value == "umask":
		return 0, false, nil
	case value == "group":
		return group, false, nil
	case value == "all", value == "world", value == "everybody":
		return everybody, false, nil
	}
	n, err := strconv.ParseUint(value, 8, 32)
	if err != nil {
		on, err := config.Bool("core.sharedRepository", false)
		if on {
			return group, false, err
		}
		return 0, false, err
	}
	switch {
	case n == 0:
		return 0, false, nil
	case n == 1:
		return group, false, nil
	case n == 2:
		return everybody, false, nil
	case n&0o600 != 0o600:
		return 0, false, &ShareError{n}
	}
	return fs.FileMode(n & 0o666), true, nil
}

// sharedMode is what git makes of the permissions of a new file or directory:
// nobody may write what its owner may not, and who may read something that the
// owner may execute may do that, too.
func sharedMode(old, perm fs.FileMode, exact, isDir bool) fs.FileMode {
	if old&0o200 == 0 {
		perm &^= 0o222
	}
	if old&0o100 != 0 {
		perm |= perm & 0o444 >> 2
	}
	mode := old | perm
	if exact {
		mode = perm
	}
	if !isDir {
		return mode
	}
	mode |= mode & 0o444 >> 2
	if mode&0o060 != 0 {
		mode |= fs.ModeSetgid
	}
	return mode
}
