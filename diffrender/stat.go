package diffrender

import (
	"strconv"
	"strings"

	"github.com/ingit-dev/ingit/internal/columns"
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/reader"
)

// StatOptions are the widths of a statistic; 0 means git's default.
type StatOptions struct {
	Width      int // of the whole line; 80
	NameWidth  int // diff.statNameWidth: at most so much for names
	GraphWidth int // diff.statGraphWidth: at most so much for the bars
}

// FileStat is the size of the change of one file.
type FileStat struct {
	Name           string // as it is shown: quoted, "old => new" for renames
	Added, Deleted int    // lines, or for binary files the size of each side in bytes
	Binary         bool
	Unmerged       bool
}

// statTable collects the statistics of files.
type statTable struct{ files []FileStat }

// Count adds d to the files that Stat, NumStat and ShortStat show.
func (p *Printer) Count(d *FileDiff) error {
	s, shown, err := p.count(d)
	if err == nil && shown {
		p.stat.files = append(p.stat.files, s)
	}
	return err
}

// count measures d, and tells whether it is shown.
func (p *Printer) count(d *FileDiff) (s FileStat, shown bool, err error) {
	s = FileStat{Name: p.opts.statName(&d.Change), Unmerged: d.Kind == reader.Unmerged}
	same := d.Old.ID == d.New.ID && d.Old.Present() == d.New.Present() && !d.unhashed
	switch {
	case s.Unmerged:
	case d.unhashed && d.New.Mode == modeGitlink: // whether it is dirty does not count then
		return s, false, nil
	case d.binary():
		s.Binary = true
		if !same {
			s.Added, s.Deleted = len(d.NewData)+d.newSize, len(d.OldData)+d.oldSize
		}
	case len(d.OldData) > linediff.MaxSize || len(d.NewData) > linediff.MaxSize:
		return s, false, &SizeError{d.Old.Path}
	case !same:
		s.Added, s.Deleted = p.countLines(d)
		if p.err != nil {
			return s, false, p.err
		}
		if d.Kind == reader.Modified && s.Added == 0 && s.Deleted == 0 && d.Old.Mode == d.New.Mode {
			return s, false, nil
		}
	}
	return s, true, nil
}

// countLines returns the numbers of added and deleted lines that a patch shows.
func (p *Printer) countLines(d *FileDiff) (added, deleted int) {
	changes := p.differ.Diff(d.OldData, d.NewData, p.lineOptions())
	hunks := linediff.NewHunks(changes, &p.differ.Old, &p.differ.New, linediff.HunkOptions{
		Context: p.opts.context(), InterHunk: p.opts.InterHunk,
		IgnoreBlankLines: p.opts.IgnoreBlankLines, Whitespace: p.opts.Whitespace,
	})
	for {
		h, ok := hunks.Next()
		if !ok {
			return added, deleted
		}
		for _, c := range h.Changes {
			added, deleted = added+c.NewCount, deleted+c.OldCount
		}
	}
}

// statName is how a statistic names a change.
func (o *Options) statName(c *reader.Change) string {
	if c.Kind == reader.Unmerged {
		return o.fullName("", c.New.Path)
	}
	if c.Old.Path != c.New.Path && c.Old.Path != "" {
		return renameName(o.relative(c.Old.Path), o.relative(c.New.Path), !o.NoQuotePath)
	}
	return o.name("", c.New.Path)
}

// renameName shortens "old => new" by what both have in common: "a/{x => y}/c".
func renameName(old, new string, quotePath bool) string {
	quotedOld, quotedNew := quote.CStyle(old, quotePath), quote.CStyle(new, quotePath)
	if quotedOld != old || quotedNew != new {
		return quotedOld + " => " + quotedNew
	}
	prefix, suffix := commonDirs(old, new)
	if prefix+suffix == 0 {
		return old + " => " + new
	}
	middle := func(s string) string { return s[prefix:max(prefix, len(s)-suffix)] }
	return old[:prefix] + "{" + middle(old) + " => " + middle(new) + "}" + old[len(old)-suffix:]
}

// commonDirs returns the lengths of the common prefix that ends with a slash
// and of the common suffix that begins with one. They may share that slash.
func commonDirs(old, new string) (prefix, suffix int) {
	for i := 0; i < len(old) && i < len(new) && old[i] == new[i]; i++ {
		if old[i] == '/' {
			prefix = i + 1
		}
	}
	least := max(0, prefix-1)
	for n := 1; len(old)-n >= least && len(new)-n >= least && old[len(old)-n] == new[len(new)-n]; n++ {
		if old[len(old)-n] == '/' {
			suffix = n
		}
	}
	return prefix, suffix
}

// NumStat prints the counted files as git diff --numstat.
func (p *Printer) NumStat() {
	for _, f := range p.stat.files {
		if f.Binary {
			p.text("-\t-\t", f.Name, "\n")
			continue
		}
		p.number(f.Added)
		p.text("\t")
		p.number(f.Deleted)
		p.text("\t", f.Name, "\n")
		p.room()
	}
}

// ShortStat prints the sum of the counted files, as git diff --shortstat.
func (p *Printer) ShortStat() {
	if len(p.stat.files) == 0 {
		return
	}
	files, added, deleted := 0, 0, 0
	for _, f := range p.stat.files {
		if f.Unmerged {
			continue
		}
		files++
		if !f.Binary {
			added, deleted = added+f.Added, deleted+f.Deleted
		}
	}
	p.text(StatSummary(files, added, deleted))
}

// StatSummary is the last line of a statistic, with its line feed.
func StatSummary(files, added, deleted int) string {
	if files == 0 {
		return " 0 files changed\n"
	}
	s := " " + count(files, " file", "") + " changed"
	if added > 0 || deleted == 0 {
		s += ", " + count(added, " insertion", "(+)")
	}
	if deleted > 0 || added == 0 {
		s += ", " + count(deleted, " deletion", "(-)")
	}
	return s + "\n"
}

func count(n int, what, after string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + what + after
}

// Stat prints the counted files as git diff --stat.
func (p *Printer) Stat() {
	if len(p.stat.files) == 0 {
		return
	}
	w := p.stat.widths(p.opts.Stat)
	for i := range p.stat.files {
		p.statLine(&p.stat.files[i], w)
		p.room()
	}
	p.ShortStat()
}

// statWidths are the columns of a statistic.
type statWidths struct {
	name, number, graph int
	most                int // the largest number of changed lines
}

// widths fits the columns into the line as git does.
func (t *statTable) widths(opts StatOptions) statWidths {
	longest, binary := 0, 0
	var w statWidths
	for _, f := range t.files {
		longest = max(longest, columns.Of(f.Name))
		switch {
		case f.Unmerged:
			binary = max(binary, len("Unmerged"))
		case f.Binary:
			binary = max(binary, len("Bin  ->  bytes")+digits(f.Added)+digits(f.Deleted))
			w.number = len("Bin")
		default:
			w.most = max(w.most, f.Added+f.Deleted)
		}
	}
	w.number = max(w.number, digits(w.most))
	width := opts.Width
	if width == 0 {
		width = 80
	}
	width = max(width, 16+6+w.number)

	w.graph = w.most
	if w.most+4 <= binary {
		w.graph = binary - 4
	}
	if opts.GraphWidth > 0 {
		w.graph = min(w.graph, opts.GraphWidth)
	}
	w.name = longest
	if opts.NameWidth > 0 {
		w.name = min(w.name, opts.NameWidth)
	}
	w.fit(width-w.number-6, width*3/8-w.number-6, opts.GraphWidth)
	return w
}

// fit shrinks name and graph to room columns; the graph gets at least share.
func (w *statWidths) fit(room, share, mostGraph int) {
	if w.name+w.graph <= room {
		return
	}
	if w.graph > share {
		w.graph = max(share, 6)
	}
	if mostGraph > 0 {
		w.graph = min(w.graph, mostGraph)
	}
	if w.name > room-w.graph {
		w.name = room - w.graph
	} else {
		w.graph = room - w.name
	}
}

func digits(n int) int { return len(strconv.Itoa(n)) }

// statLine prints the line of one file.
func (p *Printer) statLine(f *FileStat, w statWidths) {
	name := shorten(f.Name, w.name)
	p.text(" ", name, strings.Repeat(" ", max(0, w.name-columns.Of(name))), " | ")
	switch {
	case f.Binary:
		p.pad("Bin", w.number)
		if f.Added > 0 || f.Deleted > 0 {
			p.text(" ", strconv.Itoa(f.Deleted), " -> ", strconv.Itoa(f.Added), " bytes")
		}
	case f.Unmerged:
		p.text("Unmerged") // and no line feed: git forgets it
		return
	default:
		p.pad(strconv.Itoa(f.Added+f.Deleted), w.number)
		if f.Added+f.Deleted > 0 {
			p.text(" ")
		}
		added, deleted := w.bars(f.Added, f.Deleted)
		p.text(strings.Repeat("+", added), strings.Repeat("-", deleted))
	}
	p.text("\n")
}

// pad prints s at the right of width columns.
func (p *Printer) pad(s string, width int) {
	p.text(strings.Repeat(" ", max(0, width-len(s))), s)
}

// shorten cuts a name that is too wide at its beginning, at a slash if there
// is one.
func shorten(name string, width int) string {
	have := columns.Of(name)
	if have <= width {
		return name
	}
	width = max(0, width-3)
	for have > width {
		n, w := columns.First(name)
		name, have = name[n:], have-w
	}
	if slash := strings.IndexByte(name, '/'); slash >= 0 {
		name = name[slash:]
	}
	return "..." + name
}

// bars returns the lengths of the two bars of a file.
func (w *statWidths) bars(added, deleted int) (plus, minus int) {
	if w.graph > w.most {
		return added, deleted
	}
	total := w.scale(added + deleted)
	if total < 2 && added > 0 && deleted > 0 {
		total = 2
	}
	if added < deleted {
		plus = w.scale(added)
		return plus, total - plus
	}
	minus = w.scale(deleted)
	return total - minus, minus
}

// scale maps n to the graph so that anything but 0 has at least one column.
func (w *statWidths) scale(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + n*(w.graph-1)/w.most
}
