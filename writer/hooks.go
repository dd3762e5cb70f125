package writer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

// HookError says that the repository has a hook that git would run here. Hooks are never run, and passing one over silently
// would be --no-verify, so the operation is refused unless the policy says SkipHooks.
type HookError struct{ Hook, Path string }

// Error names the hook and the way out.
func (e *HookError) Error() string {
	return fmt.Sprintf("the repository has a %s hook (%s), and hooks are never run here; allow skipping hooks to go on without it", e.Hook, e.Path)
}

// SigningError says that a commit would have to be signed, which starts a program.
type SigningError struct{}

// Error names the setting.
func (*SigningError) Error() string {
	return "commit.gpgSign asks for a signature, and no signing program is ever run here"
}

// checkHooks refuses when one of the hooks is there and executable (githooks(5)).
func (w *Writer) checkHooks(names ...string) error {
	if w.policy.SkipHooks {
		return nil
	}
	dir, err := w.hooksDir()
	if errorIsNotExist(err) || errors.Is(err, sandbox.ErrNotDir) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the hooks directory cannot be looked at: %w", err)
	}
	defer dir.Close()
	for _, name := range append(names, "reference-transaction", "post-index-change") {
		if executable(dir, name) {
			return &HookError{Hook: name, Path: dir.Path() + "/" + name}
		}
	}
	return nil
}

// hooksDir opens core.hooksPath, which is relative to the top of the work tree, or the hooks directory.
func (w *Writer) hooksDir() (*sandbox.Dir, error) {
	path, ok := w.repo.Config().Get("core.hooksPath")
	if !ok {
		return w.repo.CommonDir().OpenDirFollow("hooks")
	}
	if !strings.HasPrefix(path, "/") {
		top, err := w.repo.WorkTree()
		if err != nil {
			top = w.repo.GitDir()
		}
		path = top.Path() + "/" + path
	}
	return w.repo.Workspace().OpenDir(path)
}

// executable reports whether a hook would run. A link counts, wherever it leads: it cannot be looked behind safely.
func executable(dir *sandbox.Dir, name string) bool {
	stat, err := dir.Lstat(name)
	return err == nil && (stat.IsSymlink() || stat.IsRegular() && stat.Mode.Perm()&0o111 != 0)
}
