package statustext

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ingit-dev/ingit/reader"
)

// Short writes the status as git status --short does, with --branch if the
// options say so.
func Short(out io.Writer, s *reader.Status, opts Options) error {
	w := bufio.NewWriter(out)
	if opts.Branch {
		fmt.Fprintf(w, "## %s\n", shortBranch(&s.Branch))
	}
	for i := range s.Entries {
		e := &s.Entries[i]
		switch {
		case e.Conflict != 0:
			fmt.Fprintf(w, "%s %s\n", conflictCode(e.Conflict), opts.spaced(e.Path))
		case e.OldPath != "":
			fmt.Fprintf(w, "%s %s -> %s\n", shortCode(e), opts.spaced(e.OldPath), opts.spaced(e.Path))
		default:
			fmt.Fprintf(w, "%s %s\n", shortCode(e), opts.spaced(e.Path))
		}
	}
	for _, path := range s.Untracked {
		fmt.Fprintf(w, "?? %s\n", opts.spaced(path))
	}
	for _, path := range s.Ignored {
		fmt.Fprintf(w, "!! %s\n", opts.spaced(path))
	}
	return w.Flush()
}

// spaced is path, in quotes also when it holds a space.
func (o *Options) spaced(name string) string {
	path := o.path(name)
	if !strings.HasPrefix(path, `"`) && strings.Contains(path, " ") {
		return `"` + path + `"`
	}
	return path
}

// shortCode is the pair of letters of an entry. Inside a submodule the work
// tree's letter tells new commits, changes and untracked files apart.
func shortCode(e *reader.StatusEntry) string {
	workTree := letter(e.WorkTree, ' ')
	if e.WorkTree != reader.Unchanged && e.WorkTreeMode == 0o160000 {
		switch {
		case e.Submodule.Commits:
			workTree = 'M'
		case e.Submodule.Modified:
			workTree = 'm'
		case e.Submodule.Untracked:
			workTree = '?'
		}
	}
	return string([]byte{letter(e.Index, ' '), workTree})
}

func shortBranch(b *reader.StatusBranch) string {
	text := b.Name
	if b.Detached {
		text = "HEAD (no branch)"
	}
	if b.Unborn {
		text = "No commits yet on " + text
	}
	if b.UpstreamRef == "" {
		return text
	}
	text += "..." + b.Upstream
	switch {
	case b.Gone:
		return text + " [gone]"
	case !b.Compared:
		return text + " [different]"
	case b.Ahead > 0 && b.Behind > 0:
		return fmt.Sprintf("%s [ahead %d, behind %d]", text, b.Ahead, b.Behind)
	case b.Ahead > 0:
		return fmt.Sprintf("%s [ahead %d]", text, b.Ahead)
	case b.Behind > 0:
		return fmt.Sprintf("%s [behind %d]", text, b.Behind)
	}
	return text
}
