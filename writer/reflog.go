package writer

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/sandbox"
)

// reflog writes the logs of refs, as git-reflog(1) reads them.
type reflog struct {
	all    string // core.logAllRefUpdates: "true", "false" or "always"
	ident  string // "NAME <MAIL> SECONDS ZONE"
	config *gitconfig.Config
}

func newReflog(config *gitconfig.Config, bare bool, ident string) (*reflog, error) {
	value, ok := config.Get("core.logAllRefUpdates")
	if ok && strings.EqualFold(value, "always") {
		return &reflog{all: "always", ident: ident, config: config}, nil
	}
	on, err := config.Bool("core.logAllRefUpdates", !bare)
	if err != nil {
		return nil, err
	}
	all := "false"
	if on {
		all = "true"
	}
	return &reflog{all: all, ident: ident, config: config}, nil
}

// wanted reports whether a ref's log is started when there is none.
func (l *reflog) wanted(name string) bool {
	switch l.all {
	case "always":
		return true
	case "true":
		return name == "HEAD" || strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/remotes/") ||
			strings.HasPrefix(name, "refs/notes/")
	}
	return false
}

// append adds the change's line to its ref's log.
func (l *reflog) append(h *heldRef) error {
	path := refs.LogPath(h.path)
	if _, err := h.dir.Lstat(path); errors.Is(err, fs.ErrNotExist) && !h.force && !l.wanted(h.name) {
		return nil
	}
	file, err := openLog(h.dir, path)
	if err != nil {
		return err
	}
	line := h.old.String() + " " + h.new.String() + " " + l.ident
	if message := logMessage(h.message); message != "" {
		line += "\t" + message
	}
	_, err = file.Write([]byte(line + "\n"))
	return errors.Join(err, file.Close())
}

// openLog opens a log for appending, making its directories; an empty directory in its place goes.
func openLog(dir *sandbox.Dir, path string) (*sandbox.File, error) {
	parent, err := dir.MkdirAll(path[:max(strings.LastIndexByte(path, '/'), 0)])
	if err != nil {
		return nil, err
	}
	parent.Close()
	if err := removeEmptyDir(dir, path); err != nil {
		return nil, err
	}
	return dir.Append(path, 0o666)
}

// logMessage makes a message one line: runs of white space become one space, those at the ends go.
func logMessage(message string) string { return strings.Join(strings.Fields(message), " ") }

// remove deletes a ref's log and the directories that it leaves empty.
func (l *reflog) remove(h *heldRef) error {
	path := refs.LogPath(h.path)
	if err := h.dir.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
