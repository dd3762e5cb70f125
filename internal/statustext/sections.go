package statustext

import (
	"strings"

	"github.com/ingit-dev/ingit/reader"
)

// staged lists the changes from HEAD to the index.
func (w *longWriter) staged() {
	shown := false
	for i := range w.status.Entries {
		e := &w.status.Entries[i]
		if e.Index == reader.Unchanged || e.Index == reader.Unmerged || e.Conflict != 0 {
			continue
		}
		if !shown {
			shown = true
			w.line("Changes to be committed:")
			w.unstageHint()
		}
		w.line("\t" + w.change(e, e.Index))
	}
	if shown {
		w.line("")
	}
}

// unstageHint is the advice for staged and unmerged paths; none while a merge
// or the like is under way.
func (w *longWriter) unstageHint() {
	if w.status.Operation.Concluding {
		return
	}
	if w.status.Branch.Unborn {
		w.hint(`use "git rm --cached <file>..." to unstage`)
		return
	}
	w.hint(`use "git restore --staged <file>..." to unstage`)
}

// unmerged lists the conflicts.
func (w *longWriter) unmerged() {
	var kinds uint16 // a bit for each combination of stages
	for i := range w.status.Entries {
		kinds |= 1 << w.status.Entries[i].Conflict
	}
	if kinds &^= 1; kinds == 0 {
		return
	}
	w.line("Unmerged paths:")
	w.unstageHint()
	const bothDeleted, oneDeleted = 1 << 1, 1<<3 | 1<<5
	switch {
	case kinds&(bothDeleted|oneDeleted) == 0:
		w.hint(`use "git add <file>..." to mark resolution`)
	case kinds == bothDeleted:
		w.hint(`use "git rm <file>..." to mark resolution`)
	default:
		w.hint(`use "git add/rm <file>..." as appropriate to mark resolution`)
	}
	for i := range w.status.Entries {
		if e := &w.status.Entries[i]; e.Conflict != 0 {
			w.line("\t" + label(conflictText[e.Conflict&7], 17) + w.opts.path(e.Path))
		}
	}
	w.line("")
}

var conflictText = [...]string{
	"", "both deleted:", "added by us:", "deleted by them:", "added by them:", "deleted by us:", "both added:", "both modified:",
}

// unstaged lists the changes from the index to the work tree.
func (w *longWriter) unstaged() {
	var changed []*reader.StatusEntry
	deleted, dirty := false, false
	for i := range w.status.Entries {
		e := &w.status.Entries[i]
		if e.WorkTree == reader.Unchanged || e.WorkTree == reader.Unmerged {
			continue
		}
		changed = append(changed, e)
		deleted = deleted || e.WorkTree == reader.Deleted
		dirty = dirty || e.Submodule.Modified || e.Submodule.Untracked
	}
	if len(changed) == 0 {
		return
	}
	w.line("Changes not staged for commit:")
	if deleted {
		w.hint(`use "git add/rm <file>..." to update what will be committed`)
	} else {
		w.hint(`use "git add <file>..." to update what will be committed`)
	}
	w.hint(`use "git restore <file>..." to discard changes in working directory`)
	if dirty {
		w.hint("commit or discard the untracked or modified content in submodules")
	}
	for _, e := range changed {
		w.line("\t" + w.change(e, e.WorkTree) + submoduleText(e.Submodule))
	}
	w.line("")
}

// change describes one path; the old name of a rename belongs to the side that
// it was found on.
func (w *longWriter) change(e *reader.StatusEntry, kind reader.Kind) string {
	text := label(kindText(kind), 12)
	if e.OldPath != "" && e.RenameKind == kind {
		text += w.opts.path(e.OldPath) + " -> "
	}
	return text + w.opts.path(e.Path)
}

func kindText(kind reader.Kind) string {
	switch kind {
	case reader.Added:
		return "new file:"
	case reader.Copied:
		return "copied:"
	case reader.Deleted:
		return "deleted:"
	case reader.Renamed:
		return "renamed:"
	case reader.TypeChanged:
		return "typechange:"
	case reader.Unmerged:
		return "unmerged:"
	}
	return "modified:"
}

// submoduleText says what is changed inside a submodule.
func submoduleText(s reader.SubmoduleState) string {
	var parts []string
	if s.Commits {
		parts = append(parts, "new commits")
	}
	if s.Modified {
		parts = append(parts, "modified content")
	}
	if s.Untracked {
		parts = append(parts, "untracked content")
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
