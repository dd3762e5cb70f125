package statustext

import (
	"bufio"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/reader"
)

// Porcelain2 writes the status as git status --porcelain=2 does, with --branch
// if the options say so.
func Porcelain2(out io.Writer, s *reader.Status, opts Options) error {
	w := bufio.NewWriter(out)
	if opts.Branch {
		branchHeader(w, &s.Branch)
	}
	if s.Stashes > 0 {
		fmt.Fprintf(w, "# stash %d\n", s.Stashes)
	}
	for i := range s.Entries {
		if s.Entries[i].Conflict == 0 {
			changedLine(w, &s.Entries[i], &opts)
		}
	}
	for i := range s.Entries {
		if s.Entries[i].Conflict != 0 {
			unmergedLine(w, &s.Entries[i], &opts)
		}
	}
	for _, path := range s.Untracked {
		otherLine(w, "? ", path, &opts)
	}
	for _, path := range s.Ignored {
		otherLine(w, "! ", path, &opts)
	}
	return w.Flush()
}

// otherLine writes an untracked or ignored path; there may be very many.
func otherLine(w *bufio.Writer, mark, path string, opts *Options) {
	w.WriteString(mark)
	w.WriteString(opts.path(path))
	w.WriteByte('\n')
}

func branchHeader(w io.Writer, b *reader.StatusBranch) {
	id, name := b.ID.String(), b.Name
	if b.Unborn {
		id = "(initial)"
	}
	if b.Detached {
		name = "(detached)"
	}
	fmt.Fprintf(w, "# branch.oid %s\n# branch.head %s\n", id, name)
	if b.UpstreamRef == "" {
		return
	}
	fmt.Fprintf(w, "# branch.upstream %s\n", b.Upstream)
	switch {
	case b.Gone:
	case b.Compared:
		fmt.Fprintf(w, "# branch.ab +%d -%d\n", b.Ahead, b.Behind)
	default:
		fmt.Fprint(w, "# branch.ab +? -?\n")
	}
}

// changedLine writes a line "1" or, for a renamed or copied path, "2".
func changedLine(w io.Writer, e *reader.StatusEntry, opts *Options) {
	kind := byte('1')
	if e.OldPath != "" {
		kind = '2'
	}
	fmt.Fprintf(w, "%c %c%c %s %06o %06o %06o %s %s ", kind, letter(e.Index, '.'), letter(e.WorkTree, '.'),
		submodule(e), e.HeadMode, e.IndexMode, e.WorkTreeMode, e.HeadID, e.IndexID)
	if e.OldPath != "" {
		fmt.Fprintf(w, "%c%d %s\t%s\n", e.RenameKind, e.Score, opts.path(e.Path), opts.path(e.OldPath))
		return
	}
	fmt.Fprintf(w, "%s\n", opts.path(e.Path))
}

func unmergedLine(w io.Writer, e *reader.StatusEntry, opts *Options) {
	fmt.Fprintf(w, "u %s %s %06o %06o %06o %06o %s %s %s %s\n", conflictCode(e.Conflict), submodule(e),
		e.Stages[0].Mode, e.Stages[1].Mode, e.Stages[2].Mode, e.WorkTreeMode,
		e.Stages[0].ID, e.Stages[1].ID, e.Stages[2].ID, opts.path(e.Path))
}

// letter is a change's letter, or none for an unchanged side.
func letter(kind reader.Kind, none byte) byte {
	if kind == reader.Unchanged {
		return none
	}
	return byte(kind)
}

// submodule is the field that says what is changed inside a submodule.
func submodule(e *reader.StatusEntry) string {
	if !e.IsSubmodule() {
		return "N..."
	}
	field := []byte("S...")
	for i, set := range []bool{e.Submodule.Commits, e.Submodule.Modified, e.Submodule.Untracked} {
		if set {
			field[i+1] = "CMU"[i]
		}
	}
	return string(field)
}

// conflictCode names which of an unmerged path's stages exist.
func conflictCode(stages uint8) string {
	return [...]string{"", "DD", "AU", "UD", "UA", "DU", "AA", "UU"}[stages&7]
}
