package diffrender

import (
	"fmt"

	"github.com/ingit-dev/ingit/internal/renames"
	"github.com/ingit-dev/ingit/reader"
)

// NameStatus prints a change as git diff --name-status.
func (p *Printer) NameStatus(c *reader.Change) {
	p.buf = append(p.buf, byte(c.Kind))
	path := c.New.Path
	switch c.Kind {
	case reader.Renamed, reader.Copied:
		p.buf = fmt.Appendf(p.buf, "%03d\t", c.Score*100/renames.MaxScore)
		p.text(p.opts.name("", c.Old.Path))
	case reader.Modified, reader.TypeChanged:
		path = c.Old.Path // another one only where two files were named
	}
	p.text("\t", p.opts.name("", path), "\n")
	p.room()
}

// NameOnly prints a change as git diff --name-only.
func (p *Printer) NameOnly(c *reader.Change) {
	p.text(p.opts.name("", c.New.Path), "\n")
	p.room()
}

// Summary prints creations, deletions, renames and changes of mode as git diff
// --summary.
func (p *Printer) Summary(c *reader.Change) {
	switch c.Kind {
	case reader.Added:
		p.buf = fmt.Appendf(p.buf, " create mode %06o %s\n", c.New.Mode, p.opts.fullName("", c.New.Path))
	case reader.Deleted:
		p.buf = fmt.Appendf(p.buf, " delete mode %06o %s\n", c.Old.Mode, p.opts.fullName("", c.New.Path))
	case reader.Renamed, reader.Copied:
		p.buf = fmt.Appendf(p.buf, " %s %s (%d%%)\n", moveVerb(c.Kind), renameName(c.Old.Path, c.New.Path, !p.opts.NoQuotePath), c.Score*100/renames.MaxScore)
		p.modeChange(c, "")
	default:
		p.modeChange(c, " "+p.opts.fullName("", c.New.Path))
	}
	p.room()
}

func (p *Printer) modeChange(c *reader.Change, name string) {
	if c.Old.Present() && c.New.Present() && c.Old.Mode != c.New.Mode {
		p.buf = fmt.Appendf(p.buf, " mode change %06o => %06o%s\n", c.Old.Mode, c.New.Mode, name)
	}
}
