package tools

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/ingit-dev/ingit/internal/pathspec"
	"github.com/ingit-dev/ingit/sandbox"
)

// pathspecs parses the pathspecs of a request. None at all are those of def,
// which select nothing less at the top of the work tree.
func (c *call) pathspecs(specs []string, def ...string) (*pathspec.Spec, error) {
	if len(specs) == 0 {
		if c.repo.Prefix() == "" {
			return nil, nil
		}
		specs = def
	}
	for _, spec := range specs {
		if err := c.refuseOutward(spec); err != nil {
			return nil, err
		}
	}
	return c.repo.Paths(specs)
}

// beyondLinkError is a path that leads through a symbolic link.
type beyondLinkError struct{ path string }

// Error is git's sentence.
func (e *beyondLinkError) Error() string {
	return fmt.Sprintf("pathspec '%s' is beyond a symbolic link", e.path)
}

// refuseOutward refuses a path that leads through a link out of the workspace.
// Git reads nothing there either, but answers as if there were nothing to say.
func (c *call) refuseOutward(spec string) error {
	top, err := c.repo.WorkTree()
	if err != nil {
		return nil
	}
	parts := strings.Split(path.Join(c.repo.Prefix(), spec), "/")
	for i := 1; i < len(parts); i++ {
		dir := strings.Join(parts[:i], "/")
		stat, err := top.Lstat(dir)
		if err != nil {
			return nil
		}
		if !stat.IsSymlink() {
			continue
		}
		target, err := c.repo.Workspace().OpenDir(path.Join(top.Path(), dir))
		if err == nil {
			return target.Close()
		}
		if outside := new(*sandbox.OutsideError); errors.As(err, outside) {
			return &beyondLinkError{spec}
		}
		return nil
	}
	return nil
}
