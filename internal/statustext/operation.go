package statustext

import (
	"fmt"

	"github.com/ingit-dev/ingit/reader"
)

// operation tells what is under way: a merge, a rebase and so on.
func (w *longWriter) operation() {
	op := &w.status.Operation
	switch {
	case op.Merge:
		if op.Interactive != nil {
			w.rebaseCommands(op.Interactive)
			w.WriteString("\n")
		}
		w.merge()
	case op.Am:
		w.am(op)
	case op.Rebase || op.Interactive != nil:
		w.rebase(op)
	case op.CherryPick:
		w.picking("cherry-pick", "Cherry-pick currently in progress.", "You are currently cherry-picking commit %s.", op.CherryPickID)
	case op.Revert:
		w.picking("revert", "Revert currently in progress.", "You are currently reverting commit %s.", op.RevertID)
	}
	if op.Bisect {
		w.bisect(op.BisectStart)
	}
	w.sparse()
}

func (w *longWriter) conflicts() bool {
	for i := range w.status.Entries {
		if w.status.Entries[i].Conflict != 0 {
			return true
		}
	}
	return false
}

func (w *longWriter) merge() {
	if w.conflicts() {
		w.line("You have unmerged paths.")
		w.hint(`fix conflicts and run "git commit"`)
		w.hint(`use "git merge --abort" to abort the merge`)
	} else {
		w.line("All conflicts fixed but you are still merging.")
		w.hint(`use "git commit" to conclude merge`)
	}
	w.line("")
}

func (w *longWriter) am(op *reader.Operation) {
	w.line("You are in the middle of an am session.")
	if op.AmEmpty {
		w.line("The current patch is empty.")
	} else {
		w.hint(`fix conflicts and then run "git am --continue"`)
	}
	w.hint(`use "git am --skip" to skip this patch`)
	if op.AmEmpty {
		w.hint(`use "git am --allow-empty" to record this patch as an empty commit`)
	}
	w.hint(`use "git am --abort" to restore the original branch`)
	w.line("")
}

func (w *longWriter) rebase(op *reader.Operation) {
	if op.Interactive != nil {
		w.rebaseCommands(op.Interactive)
	}
	switch {
	case w.conflicts():
		w.rebasing(op)
		w.hint(`fix conflicts and then run "git rebase --continue"`)
		w.hint(`use "git rebase --skip" to skip this patch`)
		w.hint(`use "git rebase --abort" to check out the original branch`)
	case op.Interactive == nil || op.Interactive.Stopped:
		w.rebasing(op)
		w.hint(`all conflicts fixed: run "git rebase --continue"`)
	case op.Interactive.Splitting:
		w.editing(op, "splitting")
		w.hint(`Once your working directory is clean, run "git rebase --continue"`)
	default:
		w.editing(op, "editing")
		w.hint(`use "git commit --amend" to amend the current commit`)
		w.hint(`use "git rebase --continue" once you are satisfied with your changes`)
	}
	w.line("")
}

func (w *longWriter) rebasing(op *reader.Operation) {
	if op.RebaseBranch == "" {
		w.line("You are currently rebasing.")
		return
	}
	w.line(fmt.Sprintf("You are currently rebasing branch '%s' on '%s'.", op.RebaseBranch, op.Onto))
}

func (w *longWriter) editing(op *reader.Operation, doing string) {
	if op.RebaseBranch == "" {
		w.line(fmt.Sprintf("You are currently %s a commit during a rebase.", doing))
		return
	}
	w.line(fmt.Sprintf("You are currently %s a commit while rebasing branch '%s' on '%s'.", doing, op.RebaseBranch, op.Onto))
}

// rebaseCommands shows the last commands done and the next to do.
func (w *longWriter) rebaseCommands(rebase *reader.InteractiveRebase) {
	const shown = 2
	if rebase.TodoMissing {
		w.line("git-rebase-todo is missing.")
	}
	done, todo := rebase.Done, rebase.Todo
	if len(done) == 0 {
		w.line("No commands done.")
	} else {
		w.line(fmt.Sprintf("Last %s done (%d %[1]s done):", plural(len(done), "command", "commands"), len(done)))
		for _, command := range done[max(0, len(done)-shown):] {
			w.line("   " + command)
		}
		if len(done) > shown {
			w.hint("see more in file " + rebase.DoneFile)
		}
	}
	if len(todo) == 0 {
		w.line("No commands remaining.")
		return
	}
	w.line(fmt.Sprintf("Next %s to do (%d remaining %[1]s):", plural(len(todo), "command", "commands"), len(todo)))
	for _, command := range todo[:min(shown, len(todo))] {
		w.line("   " + command)
	}
	w.hint(`use "git rebase --edit-todo" to view and edit`)
}

// picking tells of a cherry-pick or a revert, with an id when it stopped at a
// commit.
func (w *longWriter) picking(command, between, at, id string) {
	if id == "" {
		w.line(between)
	} else {
		w.line(fmt.Sprintf(at, id))
	}
	switch {
	case w.conflicts():
		w.hint(`fix conflicts and run "git ` + command + ` --continue"`)
	case id == "":
		w.hint(`run "git ` + command + ` --continue" to continue`)
	default:
		w.hint(`all conflicts fixed: run "git ` + command + ` --continue"`)
	}
	w.hint(`use "git ` + command + ` --skip" to skip this patch`)
	w.hint(`use "git ` + command + ` --abort" to cancel the ` + command + ` operation`)
	w.line("")
}

func (w *longWriter) bisect(start string) {
	if start == "" {
		w.line("You are currently bisecting.")
	} else {
		w.line(fmt.Sprintf("You are currently bisecting, started from branch '%s'.", start))
	}
	w.hint(`use "git bisect reset" to get back to the original branch`)
	w.line("")
}

func (w *longWriter) sparse() {
	switch s := w.status.Sparse; {
	case !s.Active:
		return
	case s.Index:
		w.line("You are in a sparse checkout.")
	default:
		w.line(fmt.Sprintf("You are in a sparse checkout with %d%% of tracked files present.", s.Percent))
	}
	w.line("")
}
