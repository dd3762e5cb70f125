package diffrender

import (
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/internal/renames"
	"github.com/ingit-dev/ingit/reader"
)

// devNull stands for the absent side.
const devNull = "/dev/null"

// labels are the names of a file's sides as they stand in a patch.
type labels struct{ old, new string }

// name returns path as it is shown: relative, with a prefix, quoted if need be.
func (o *Options) name(prefix, path string) string {
	return o.fullName(prefix, o.relative(path))
}

// fullName is name for the texts in which git leaves paths as they are.
func (o *Options) fullName(prefix, path string) string {
	return quote.CStyle(prefix+path, !o.NoQuotePath)
}

// relative cuts the directory off that paths are shown relative to.
func (o *Options) relative(path string) string { return strings.TrimPrefix(path, o.Relative) }

func (o *Options) labels(d *FileDiff) labels {
	old, new := o.Prefix.sides()
	return labels{o.name(old, d.Old.Path), o.name(new, d.New.Path)}
}

// header appends the lines before the hunks to dst, and tells whether they are
// shown even if no hunk follows.
func (o *Options) header(dst []byte, d *FileDiff, names labels) (header []byte, alone bool) {
	dst = append(dst, "diff --git "+names.old+" "+names.new+"\n"...)
	switch {
	case !d.Old.Present():
		dst, alone = fmt.Appendf(dst, "new file mode %06o\n", d.New.Mode), true
	case !d.New.Present():
		dst, alone = fmt.Appendf(dst, "deleted file mode %06o\n", d.Old.Mode), true
	case d.Old.Mode != d.New.Mode:
		dst, alone = fmt.Appendf(dst, "old mode %06o\nnew mode %06o\n", d.Old.Mode, d.New.Mode), true
	}
	if verb := moveVerb(d.Kind); verb != "" && d.Old.Present() && d.New.Present() {
		alone = true
		dst = fmt.Appendf(dst, "similarity index %d%%\n%s from %s\n%s to %s\n", d.Score*100/renames.MaxScore,
			verb, o.name("", d.Old.Path), verb, o.name("", d.New.Path))
	}
	if d.Old.ID != d.New.ID {
		dst = append(dst, "index "+o.abbreviate(d.Old.ID)+".."+o.abbreviate(d.New.ID)...)
		if d.Old.Mode == d.New.Mode {
			dst = fmt.Appendf(dst, " %06o", d.Old.Mode)
		}
		dst = append(dst, '\n')
	}
	return dst, alone
}

func moveVerb(kind reader.Kind) string {
	switch kind {
	case reader.Renamed:
		return "rename"
	case reader.Copied:
		return "copy"
	}
	return ""
}

// presentOr returns the label, or /dev/null for an absent side.
func presentOr(e reader.Entry, label string) string {
	if e.Present() {
		return label
	}
	return devNull
}
