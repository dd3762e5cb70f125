package writer

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/sandbox"
)

// underway is what a commit concludes: a merge or a cherry-pick whose files lie in the git directory.
type underway struct {
	merge      bool
	heads      []plumbing.Hash // MERGE_HEAD's lines, perhaps tags
	whole      bool            // MERGE_MODE says that none of the heads may be left out, although another one contains it
	cherryPick plumbing.Hash   // CHERRY_PICK_HEAD
	rebase     bool            // the cherry-pick is a step of a rebase
}

// stateFiles go when a commit is made, as git-commit(1) removes them. MERGE_HEAD is the last: while it is there, a merge that
// was committed by a call that died is known.
var stateFiles = [...]string{"AUTO_MERGE", "MERGE_MSG", "MERGE_MODE", "SQUASH_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD",
	"logs/CHERRY_PICK_HEAD", "logs/REVERT_HEAD", // which core.logAllRefUpdates=always makes
	"MERGE_HEAD"}

func (w *Writer) underway() (underway, error) {
	var u underway
	dir := w.repo.GitDir()
	heads, err := readOptional(dir, "MERGE_HEAD")
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(heads) {
		id, ok := parseHash(strings.TrimSpace(line))
		if !ok {
			return u, &BadStateError{File: "MERGE_HEAD", Line: strings.TrimSpace(line)}
		}
		u.heads = append(u.heads, id)
	}
	u.merge = len(u.heads) > 0
	if u.merge {
		mode, err := readOptional(dir, "MERGE_MODE")
		u.whole = mode == "no-ff"
		return u, err
	}
	pick, err := readOptional(dir, "CHERRY_PICK_HEAD")
	if err != nil {
		return u, err
	}
	u.cherryPick, _ = parseHash(strings.TrimSpace(pick))
	_, err = dir.Lstat("rebase-merge")
	u.rebase = err == nil && !u.cherryPick.IsZero()
	return u, nil
}

// BadStateError says that a file of the git directory that tells of an operation under way cannot be read.
type BadStateError struct{ File, Line string }

// Error is git's text.
func (e *BadStateError) Error() string { return "Corrupt " + e.File + " file (" + e.Line + ")" }

// readOptional reads a small file of the git directory, "" when it is missing.
func readOptional(dir *sandbox.Dir, name string) (string, error) {
	data, err := dir.ReadFile(name, 1<<20)
	if errorIsNotExist(err) {
		return "", nil
	}
	return string(data), err
}

func parseHash(text string) (plumbing.Hash, bool) {
	if len(text) != 2*len(plumbing.Hash{}) {
		return plumbing.Hash{}, false
	}
	id := plumbing.NewHash(text)
	return id, !id.IsZero()
}

// peelCommit follows tags to a commit, and returns the first tag on the way, if any.
func (w *Writer) peelCommit(id plumbing.Hash) (commit, tag plumbing.Hash, err error) {
	for range 64 {
		kind, data, err := w.repo.Objects().Read(id)
		if err != nil {
			return commit, tag, err
		}
		if kind != plumbing.TagObject {
			return id, tag, nil
		}
		parsed, err := object.ParseTag(id, data)
		if err != nil {
			return commit, tag, err
		}
		if tag.IsZero() {
			tag = id
		}
		id = parsed.Target
	}
	return commit, tag, &BadStateError{File: "MERGE_HEAD", Line: id.String()}
}
