package statustext

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ingit-dev/ingit/reader"
)

// Long writes the status as git status does for people: in sections, with
// advice on what to do next if the options say so. It wants a status that was
// made with StatusOptions.Operation.
func Long(out io.Writer, s *reader.Status, opts Options) error {
	w := &longWriter{Writer: bufio.NewWriter(out), status: s, opts: &opts}
	w.head()
	w.operation()
	if s.Branch.Unborn {
		w.line("")
		if opts.Commit {
			w.line("Initial commit")
		} else {
			w.line("No commits yet")
		}
		w.line("")
	}
	w.staged()
	w.unmerged()
	w.unstaged()
	w.submodules()
	if s.Mode != reader.UntrackedNo {
		w.others("Untracked files", "add", s.Untracked)
		if opts.Ignored {
			w.others("Ignored files", "add -f", s.Ignored)
		}
	} else if w.committable() {
		w.line("Untracked files not listed" + w.ifHints(" (use -u option to show untracked files)"))
	}
	if !w.committable() {
		w.nothing()
	}
	if s.Stashes > 0 {
		w.line(fmt.Sprintf("Your stash currently has %d %s", s.Stashes, plural(s.Stashes, "entry", "entries")))
	}
	return w.Flush()
}

// longWriter writes the long format line by line.
type longWriter struct {
	*bufio.Writer
	status *reader.Status
	opts   *Options
}

// line writes a line, behind a comment sign if status.displayCommentPrefix
// says so.
func (w *longWriter) line(text string) {
	if w.opts.Comment != "" {
		w.WriteString(w.opts.Comment)
		if text != "" && text[0] != '\t' {
			w.WriteByte(' ')
		}
	}
	w.WriteString(text)
	w.WriteByte('\n')
}

// hint writes a line of advice.
func (w *longWriter) hint(text string) {
	if w.opts.Hints {
		w.line("  (" + text + ")")
	}
}

func (w *longWriter) ifHints(text string) string {
	if w.opts.Hints {
		return text
	}
	return ""
}

func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// head tells the branch and how it relates to its upstream.
func (w *longWriter) head() {
	b, op := &w.status.Branch, &w.status.Operation
	switch {
	case !b.Detached:
		w.line("On branch " + b.Name)
	case op.Interactive != nil:
		w.line("interactive rebase in progress; onto " + op.Onto)
	case op.Rebase:
		w.line("rebase in progress; onto " + op.Onto)
	case op.DetachedFrom != "" && op.DetachedAt:
		w.line("HEAD detached at " + op.DetachedFrom)
	case op.DetachedFrom != "":
		w.line("HEAD detached from " + op.DetachedFrom)
	default:
		w.line("Not currently on any branch.")
	}
	if b.Unborn || b.Detached || b.UpstreamRef == "" {
		return
	}
	for _, text := range w.tracking() {
		if w.opts.Comment != "" {
			text = w.opts.Comment + " " + text
		}
		w.WriteString(text + "\n")
	}
	w.WriteString(w.opts.Comment + "\n")
}

// tracking says how the branch and its upstream are apart.
func (w *longWriter) tracking() []string {
	b := &w.status.Branch
	ahead, behind := b.Ahead, b.Behind
	with := func(advice string, lines ...string) []string {
		if w.opts.Hints {
			lines = append(lines, "  ("+advice+")")
		}
		return lines
	}
	switch {
	case b.Gone:
		return with(`use "git branch --unset-upstream" to fixup`,
			fmt.Sprintf("Your branch is based on '%s', but the upstream is gone.", b.Upstream))
	case !b.Compared:
		return with(`use "git status --ahead-behind" for details`,
			fmt.Sprintf("Your branch and '%s' refer to different commits.", b.Upstream))
	case ahead == 0 && behind == 0:
		return []string{fmt.Sprintf("Your branch is up to date with '%s'.", b.Upstream)}
	case behind == 0:
		return with(`use "git push" to publish your local commits`,
			fmt.Sprintf("Your branch is ahead of '%s' by %d %s.", b.Upstream, ahead, plural(ahead, "commit", "commits")))
	case ahead == 0:
		return with(`use "git pull" to update your local branch`,
			fmt.Sprintf("Your branch is behind '%s' by %d %s, and can be fast-forwarded.", b.Upstream, behind, plural(behind, "commit", "commits")))
	}
	return with(`use "git pull" to merge the remote branch into yours`,
		fmt.Sprintf("Your branch and '%s' have diverged,", b.Upstream),
		fmt.Sprintf("and have %d and %d different %s each, respectively.", ahead, behind, plural(ahead+behind, "commit", "commits")))
}

// others lists untracked or ignored files.
func (w *longWriter) others(what, how string, paths []string) {
	if len(paths) == 0 {
		return
	}
	w.line(what + ":")
	w.hint(`use "git ` + how + ` <file>..." to include in what will be committed`)
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = w.opts.path(path)
	}
	w.Write(w.opts.Columns.Append(nil, shown, w.opts.Comment+"\t"))
	w.line("")
}

// committable reports that a commit made now would have something to record.
func (w *longWriter) committable() bool {
	conflicts := false
	for i := range w.status.Entries {
		e := &w.status.Entries[i]
		if e.Conflict == 0 && e.Index != reader.Unchanged || e.Conflict != 0 && w.status.Branch.Unborn {
			return true
		}
		conflicts = conflicts || e.Conflict != 0
	}
	return w.status.Operation.Merge && !conflicts
}

// nothing is the last line when there is nothing to commit.
func (w *longWriter) nothing() {
	unstaged := false
	for i := range w.status.Entries {
		unstaged = unstaged || w.status.Entries[i].WorkTree != reader.Unchanged
	}
	text := "nothing to commit, working tree clean"
	switch {
	case unstaged:
		text = "no changes added to commit" + w.ifHints(` (use "git add" and/or "git commit -a")`)
	case len(w.status.Untracked) > 0:
		text = "nothing added to commit but untracked files present" + w.ifHints(` (use "git add" to track)`)
	case w.status.Branch.Unborn:
		text = "nothing to commit" + w.ifHints(` (create/copy files and use "git add" to track)`)
	case w.status.Mode == reader.UntrackedNo:
		text = "nothing to commit" + w.ifHints(` (use -u to show untracked files)`)
	}
	w.WriteString(text + "\n")
}

// label pads what is said of a path.
func label(text string, width int) string {
	return text + strings.Repeat(" ", width-len(text))
}
