package reader

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// describe fills in what only the long format shows. The files that tell are
// those of gitrepository-layout(5), git-rebase(1) and git-am(1).
func (r *Repository) describe(ctx context.Context, status *Status, ix *index.Index) error {
	op := &status.Operation
	op.Merge = r.inGitDir("MERGE_HEAD")
	pick, picking := r.pseudoRef("CHERRY_PICK_HEAD")
	op.Concluding = op.Merge || picking
	if !r.describeRebase(ctx, op) && !op.Merge {
		op.CherryPickID, op.CherryPick = pick, picking
	}
	if op.Bisect = r.inGitDir("BISECT_LOG"); op.Bisect {
		op.BisectStart = r.branchFile("BISECT_START")
	}
	op.RevertID, op.Revert = r.pseudoRef("REVERT_HEAD")
	switch r.sequencerCommand() {
	case "pick":
		op.CherryPick, op.CherryPickID = true, ""
	case "revert":
		op.Revert, op.RevertID = true, ""
	}
	if status.Branch.Detached {
		from := r.detachedFrom()
		op.DetachedFrom, op.DetachedAt = from.name, from.at
	}
	if op.Interactive != nil {
		op.Interactive.Splitting = status.Branch.Detached && anyUnstaged(status.Entries) && r.splitting()
	}
	var err error
	status.Sparse, err = r.sparseness(ix)
	return err
}

func anyUnstaged(entries []StatusEntry) bool {
	return slices.ContainsFunc(entries, func(e StatusEntry) bool { return e.WorkTree != Unchanged })
}

// describeRebase tells of a rebase or an am session, and whether there is one.
func (r *Repository) describeRebase(ctx context.Context, op *Operation) bool {
	switch {
	case r.inGitDir("rebase-apply/applying"):
		op.Am = true
		patch, err := r.layout.gitDir.Lstat("rebase-apply/patch")
		op.AmEmpty = err == nil && patch.Size == 0
		return true
	case r.inGitDir("rebase-apply"):
		op.Rebase = true
		op.RebaseBranch, op.Onto = r.branchFile("rebase-apply/head-name"), r.branchFile("rebase-apply/onto")
		return true
	case !r.inGitDir("rebase-merge"):
		return false
	}
	op.RebaseBranch, op.Onto = r.branchFile("rebase-merge/head-name"), r.branchFile("rebase-merge/onto")
	if op.Rebase = !r.inGitDir("rebase-merge/interactive"); !op.Rebase {
		done, _ := r.todoList(ctx, "rebase-merge/done")
		todo, found := r.todoList(ctx, "rebase-merge/git-rebase-todo")
		op.Interactive = &InteractiveRebase{Done: done, Todo: todo, DoneFile: r.layout.name + "/rebase-merge/done", TodoMissing: !found, Stopped: r.inGitDir("MERGE_MSG")}
	}
	return true
}

// pseudoRef returns the abbreviated id of a ref like CHERRY_PICK_HEAD; false
// when it does not exist.
func (r *Repository) pseudoRef(name string) (string, bool) {
	ref, err := r.refs.Resolve(name)
	if err != nil {
		return "", false
	}
	return r.Abbrev(ref.ID, 0), true
}

// sequencerCommand is the first command left of a cherry-pick or revert of
// several commits: "pick", "revert" or "".
func (r *Repository) sequencerCommand() string {
	data, err := readFile(r.layout.gitDir, "sequencer/todo")
	if err != nil {
		return ""
	}
	rest := bytes.TrimLeft(data, " \t\r\n")
	end := bytes.IndexAny(rest, " \t")
	if end < 0 {
		return ""
	}
	switch command := string(rest[:end]); command {
	case "p":
		return "pick"
	case "pick", "revert":
		return command
	}
	return ""
}

// splitting reports that a commit of an interactive rebase is being split.
func (r *Repository) splitting() bool {
	lines := make([]string, 4)
	for i, name := range []string{"HEAD", "ORIG_HEAD", "rebase-merge/amend", "rebase-merge/orig-head"} {
		data, err := readFile(r.layout.gitDir, name)
		if err != nil {
			return false
		}
		line, _, _ := bytes.Cut(data, []byte("\n"))
		lines[i] = string(line)
	}
	head, origHead, amend, rebaseOrigHead := lines[0], lines[1], lines[2], lines[3]
	if amend == rebaseOrigHead {
		return head != amend
	}
	return origHead != rebaseOrigHead
}

// todoList reads the commands of an interactive rebase; false when the file is
// missing.
func (r *Repository) todoList(ctx context.Context, name string) ([]string, bool) {
	data, err := readFile(r.layout.gitDir, name)
	if err != nil {
		return nil, false
	}
	comment := byte('#')
	if value, ok := r.Config().Get("core.commentchar"); ok && len(value) == 1 {
		comment = value[0]
	}
	var commands []string
	for line := range strings.Lines(string(data)) {
		if line[0] == comment {
			continue
		}
		if line = strings.Trim(line, " \t\r\n"); line != "" {
			commands = append(commands, r.abbrevCommand(ctx, line))
		}
	}
	return commands, true
}

// abbrevCommand shortens the id that follows a command's name.
func (r *Repository) abbrevCommand(ctx context.Context, line string) string {
	command, rest, ok := strings.Cut(line, " ")
	if !ok || command == "exec" || command == "x" || command == "label" || command == "l" {
		return line
	}
	rev, message, _ := strings.Cut(rest, " ")
	id, err := r.Resolve(ctx, sandbox.Rev(strings.Trim(rev, " \t\r\n")))
	if err != nil {
		return line
	}
	return command + " " + r.Abbrev(id, 0) + " " + message
}

// sparseness says how much of a sparse checkout is present.
func (r *Repository) sparseness(ix *index.Index) (Sparseness, error) {
	sparse, err := r.Config().Bool("core.sparsecheckout", false)
	if err != nil || !sparse || len(ix.Entries) == 0 {
		return Sparseness{}, err
	}
	state := Sparseness{Active: true, Index: ix.Sparse}
	present, err := r.presentOutside(ix)
	absent := 0
	for i := range ix.Entries {
		if ix.Entries[i].SkipWorktree && !present(ix.Entries[i].Name) {
			absent++
		}
	}
	state.Percent = 100 - 100*absent/len(ix.Entries)
	return state, err
}

// presentOutside returns a function that tells which files outside the sparse
// checkout exist and count as present for that.
func (r *Repository) presentOutside(ix *index.Index) (func(path string) bool, error) {
	counts, err := presentFilesCount(r.Config())
	top, topErr := r.WorkTree()
	if err != nil || topErr != nil || !counts || ix.Sparse {
		return func(string) bool { return false }, err
	}
	return func(path string) bool {
		_, err := top.Lstat(path)
		return err == nil
	}, nil
}

// shownStashes counts the stash's entries if status.showStash wants that.
func (r *Repository) shownStashes() (int, error) {
	show, err := r.Config().Bool("status.showstash", false)
	if err != nil || !show {
		return 0, err
	}
	log, err := r.refs.Reflog("refs/stash")
	if err != nil {
		return 0, nil
	}
	return len(log), nil
}
